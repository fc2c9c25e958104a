/**
 * Colours tokens by a property that the user chooses: a class of css/components/token_text.css. By position and in
 * grey, neighbours always differ. In the other modes the colour shows the property, and neighbours with the same colour
 * are told apart by its second shade (`odd`).
 */
import { memoize } from '../util/memoize.js';

/** Values of the choice, in its order. */
export const COLOURS = [
  { value: 'position', label: 'position' },
  { value: 'id', label: 'id' },
  { value: 'rank', label: 'rank' },
  { value: 'script', label: 'script' },
  { value: 'length', label: 'length' },
  { value: 'grey', label: 'grey' },
];

/**
 * @typedef {[number, string][]} Steps upper bounds, ascending, with their labels
 * @typedef {import('./token_spans.js').TokenSpans} TokenSpans
 * @typedef {{rank: number|null, score?: number|null}} Ranked entry of the vocabulary
 * @typedef {{entryOf?: (id: number) => Ranked|undefined, textOf?: (token: number) => string}} Sources the entry of an
 *   id, undefined if it is not loaded; the text of a token
 */

const HUES = 8;
/** @type {Steps} */
const LENGTHS = [
  [1, '1 byte'],
  [2, '2'],
  [4, '3–4'],
  [8, '5–8'],
  [Infinity, 'more'],
];
/** @type {Steps} */
const RANKS = [
  [1000, 'up to 1 000'],
  [5000, '5 000'],
  [20_000, '20 000'],
  [60_000, '60 000'],
  [Infinity, 'more'],
];
/** @type {Steps} */
const SCORES = [
  [7, 'up to −7'],
  [9, '−9'],
  [11, '−11'],
  [13, '−13'],
  [Infinity, 'less'],
]; // natural logarithms, without their sign
/** The letters of scripts. @param {string[]} names of Unicode */
export const scriptLetters = names => new RegExp(`[${names.map(name => `\\p{Script=${name}}`).join('')}]`, 'u');

/** Scripts that share a colour, by the label of that. @type {Object<string, string[]>} */
const GROUPS = {
  Latin: ['Latin'],
  'Greek, Cyrillic': ['Greek', 'Cyrillic', 'Armenian', 'Georgian'],
  'Arabic, Hebrew': ['Arabic', 'Hebrew', 'Syriac', 'Thaana'],
  'Indic, South-East Asian': [
    ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
    ...['Sinhala', 'Thai', 'Lao', 'Myanmar', 'Khmer', 'Tibetan'],
  ],
  'Han, kana, hangul': ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'],
};
/** @type {[string, RegExp][]} */
const SCRIPTS = [
  ...Object.entries(GROUPS).map(([label, names]) => /** @type {[string, RegExp]} */ ([label, scriptLetters(names)])),
  ['digits', /\p{N}/u],
  ['punctuation and symbols', /[\p{P}\p{S}]/u],
  ['other', /(?:)/u],
];
const NO_RANK = 5;

/** Hashes the id: neighbouring ids have nothing in common, so they should differ in hue. @param {number} id */
const hueOf = id => (Math.imul(id ^ (id >>> 15), 0x9e3779b1) >>> 29) % HUES;

/** @param {Steps} steps @param {number} value @returns {number} the first that is not below the value */
const stepOf = (steps, value) => steps.findIndex(([most]) => value <= most);

/** @param {string} text of a token @returns {number} the first of SCRIPTS that occurs in it */
export const scriptOf = text => SCRIPTS.findIndex(([, letters]) => letters.test(text));

/** @param {string} text of a token @returns {string} its scripts, "Arabic"; without letters what it has, "digits" */
export const scriptWords = text =>
  Object.values(GROUPS)
    .flat()
    .filter(name => scriptLetters([name]).test(text))
    .join(', ') || SCRIPTS[scriptOf(text)][0];

/** @param {Ranked|undefined} entry undefined: not loaded yet */
const rankClass = entry =>
  entry === undefined
    ? NO_RANK
    : typeof entry.rank === 'number'
      ? stepOf(RANKS, entry.rank)
      : typeof entry.score === 'number'
        ? stepOf(SCORES, -entry.score)
        : NO_RANK;

/**
 * @param {string} mode one of COLOURS @param {TokenSpans} tokens
 * @param {Sources} [sources] for `rank` and `script`; without them, colours go by position
 * @returns {(token: number) => string} class of a token in css/components/token_text.css
 */
export function shadeOf(mode, tokens, { entryOf, textOf } = {}) {
  if (mode === 'id') return shaded('i', i => hueOf(tokens.ids.at(i)), tokens);
  if (mode === 'length') return shaded('l', i => stepOf(LENGTHS, tokens.end8.at(i) - tokens.start8.at(i)), tokens);
  if (mode === 'rank' && entryOf) return shaded('r', i => rankClass(entryOf(tokens.ids.at(i))), tokens);
  if (mode === 'script' && textOf) {
    const script = memoize(i => scriptOf(textOf(i)));
    return shaded('s', script, tokens);
  }
  if (mode === 'grey') return i => `y${tokens.turn(i, 2)}`;
  return i => `k${tokens.turn(i, 4)}`;
}

/**
 * Makes classes of numbers. If a neighbour has the same number, every other token has the second shade.
 * @param {string} letter @param {(token: number) => number} number @param {TokenSpans} tokens
 * @returns {(token: number) => string}
 */
function shaded(letter, number, tokens) {
  return i => {
    const own = number(i);
    const alike =
      tokens.turn(i, 2) === 1 && ((i > 0 && number(i - 1) === own) || (i + 1 < tokens.length && number(i + 1) === own));
    return `${letter}${own}${alike ? ' odd' : ''}`;
  };
}

/** @type {Object<string, string>} */
const VARIABLES = { k: 't', i: 'id', l: 'len', r: 'rank', s: 'script', y: 'grey', g: 'g', d: 'lane-' };

/** Returns the CSS colour of a class. @param {string} shade */
export const colourOf = shade => `var(--${VARIABLES[shade[0]]}${shade[1]})`;

/**
 * Returns the legend of a mode, null if its colours have no meaning that can be listed.
 * @param {string} mode @param {'rank'|'score'|'none'} order of the vocabulary
 * @returns {{title: string, steps: {shade: string, label: string}[]}|null}
 */
export function legendOf(mode, order) {
  /** @param {string} letter @param {Steps} list */
  const steps = (letter, list) => list.map(([, label], n) => ({ shade: `${letter}${n}`, label }));
  if (mode === 'length') return { title: 'Bytes of the token', steps: steps('l', LENGTHS) };
  if (mode === 'script') return { title: 'Script', steps: SCRIPTS.map(([label], n) => ({ shade: `s${n}`, label })) };
  if (mode !== 'rank') return null;
  const none = { shade: `r${NO_RANK}`, label: 'no merge' };
  if (order === 'rank') return { title: 'Rank of the merge', steps: [...steps('r', RANKS), none] };
  if (order === 'score') return { title: 'Score', steps: [...steps('r', SCORES), { ...none, label: 'none' }] };
  return { title: 'Rank', steps: [{ ...none, label: 'this vocabulary has neither ranks nor scores' }] };
}
