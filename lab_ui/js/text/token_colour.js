/**
 * Which colour a token gets, by what the user wants to see: a class of css/components/token_text.css. By position and
 * in grey neighbours always differ. In the other modes a colour says something of the token, and where two neighbours
 * say the same the second shade of it (`odd`) tells them apart.
 */

/** Values of the choice, in its order. */
export const COLOURS = [
  { value: 'position', label: 'position' },
  { value: 'id', label: 'id' },
  { value: 'rank', label: 'rank' },
  { value: 'script', label: 'script' },
  { value: 'length', label: 'length' },
  { value: 'grey', label: 'grey' },
];

const HUES = 8;
const LENGTHS = [
  [1, '1 byte'],
  [2, '2'],
  [4, '3–4'],
  [8, '5–8'],
  [Infinity, 'more'],
];
const RANKS = [
  [1000, 'up to 1 000'],
  [5000, '5 000'],
  [20_000, '20 000'],
  [60_000, '60 000'],
  [Infinity, 'more'],
];
const SCORES = [
  [7, 'up to −7'],
  [9, '−9'],
  [11, '−11'],
  [13, '−13'],
  [Infinity, 'less'],
]; // natural logarithms, without their sign
/** @type {[string, RegExp][]} */
const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek, Cyrillic', /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}]/u],
  ['Arabic, Hebrew', /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u],
  [
    'Indic, South-East Asian',
    /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Tibetan}]/u,
  ],
  ['Han, kana, hangul', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u],
  ['digits', /\p{N}/u],
  ['punctuation and symbols', /[\p{P}\p{S}]/u],
  ['other', /(?:)/u],
];
const NO_RANK = 5;

/** Neighbouring ids are strangers to each other, so the id is mixed before it is folded. @param {number} id */
const hueOf = id => (Math.imul(id ^ (id >>> 15), 0x9e3779b1) >>> 29) % HUES;

const stepOf = (steps, value) => steps.findIndex(([most]) => value <= most);

/** @param {string} text of a token @returns {number} the first of SCRIPTS that has a character in it */
export const scriptOf = text => SCRIPTS.findIndex(([, letters]) => letters.test(text));

/** @param {string} text of a token @returns {string} in words: "Han, kana, hangul" */
export const scriptWords = text => SCRIPTS[scriptOf(text)][0];

/** @param {{rank: number|null, score?: number|null}|undefined} entry of the vocabulary; undefined: not known yet */
const rankClass = entry =>
  entry === undefined
    ? NO_RANK
    : typeof entry.rank === 'number'
      ? stepOf(RANKS, entry.rank)
      : typeof entry.score === 'number'
        ? stepOf(SCORES, -entry.score)
        : NO_RANK;

/**
 * @typedef {{entryOf?: (id: number) => ({rank: number|null, score?: number|null}|undefined), textOf?: (token: number)
 *   => string}} Sources what a token's entry is, and which text it stands for
 *
 * @param {string} mode one of COLOURS @param {import('./token_spans.js').TokenSpans} tokens
 * @param {Sources} [sources] for `rank` and `script`; without them neighbours differ, as by position
 * @returns {(token: number) => string} class of a token in css/components/token_text.css
 */
export function shadeOf(mode, tokens, sources) {
  if (mode === 'id') return shaded('i', i => hueOf(tokens.ids.at(i)), tokens);
  if (mode === 'length') return shaded('l', i => stepOf(LENGTHS, tokens.end8.at(i) - tokens.start8.at(i)), tokens);
  if (mode === 'rank' && sources?.entryOf)
    return shaded('r', i => rankClass(sources.entryOf(tokens.ids.at(i))), tokens);
  if (mode === 'script' && sources?.textOf)
    return shaded(
      's',
      remembered(i => scriptOf(sources.textOf(i))),
      tokens,
    );
  if (mode === 'grey') return i => `y${tokens.turn(i, 2)}`;
  return i => `k${tokens.turn(i, 4)}`;
}

/** Classes by number; where a neighbour has the same, every other token has the second shade. */
function shaded(letter, number, tokens) {
  return i => {
    const own = number(i);
    const alike =
      tokens.turn(i, 2) === 1 && ((i > 0 && number(i - 1) === own) || (i + 1 < tokens.length && number(i + 1) === own));
    return `${letter}${own}${alike ? ' odd' : ''}`;
  };
}

function remembered(make) {
  const known = new Map();
  return i => {
    if (!known.has(i)) known.set(i, make(i));
    return known.get(i);
  };
}

const VARIABLES = { k: 't', i: 'id', l: 'len', r: 'rank', s: 'script', y: 'grey' };

/** The same as a CSS colour, for what is drawn elsewhere. @param {string} shade */
export const colourOf = shade => `var(--${VARIABLES[shade[0]]}${shade[1]})`;

/**
 * What the colours of a mode say, where they say something that can be listed.
 * @param {string} mode @param {'rank'|'score'|'none'} order what the vocabulary is ordered by
 * @returns {{title: string, steps: {shade: string, words: string}[]}|null}
 */
export function legendOf(mode, order) {
  const steps = (letter, list) => list.map(([, words], n) => ({ shade: `${letter}${n}`, words }));
  if (mode === 'length') return { title: 'Bytes of the token', steps: steps('l', LENGTHS) };
  if (mode === 'script') return { title: 'Script', steps: SCRIPTS.map(([words], n) => ({ shade: `s${n}`, words })) };
  if (mode !== 'rank') return null;
  const none = { shade: `r${NO_RANK}`, words: 'no merge' };
  if (order === 'rank') return { title: 'Rank of the merge', steps: [...steps('r', RANKS), none] };
  if (order === 'score') return { title: 'Score', steps: [...steps('r', SCORES), { ...none, words: 'none' }] };
  return { title: 'Rank', steps: [{ ...none, words: 'this vocabulary has neither ranks nor scores' }] };
}
