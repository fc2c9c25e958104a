/**
 * How to read a text: which of its words and characters show best what its tokenizer does, and the sentences that say
 * so. All of it follows from the tokens of the text; a sentence that does not hold for them is left out.
 */
import { shortened } from './clusters.js';
import { scriptLetters } from './token_colour.js';
import { STARTS_INSIDE, UNKNOWN } from './token_spans.js';
import { codePointOf } from '../util/unicode.js';

/** UTF-16 units from the start of a text among which examples are looked for. */
export const LOOKED_AT = 2000;

const WORD = /(?<![\p{L}\p{M}\p{N}_'’])\p{L}[\p{L}\p{M}]{3,}(?![\p{L}\p{M}\p{N}_'’])/gu;
// No space is written between words of these.
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'];
const UNSPACED = scriptLetters(UNSPACED_SCRIPTS);
const LATIN = /^\p{Script=Latin}+$/u;
const MOST_SAID = 40; // UTF-16 units of the text in a sentence; the rest of a line of base64 says nothing more
const FEW = 4; // tokens that are easy to take in
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * @typedef {import('./token_spans.js').TokenSpans} TokenSpans
 * @typedef {{text: string, from: number, to: number, tokens: number[]}} Example a stretch of the text, UTF-16, with all
 *   its tokens by number
 * @typedef {{title: string, text: string}} Sentence what holds, and why
 * @typedef {{pretokens: {span: [number, number], steps: {model: string}, tokens: {id: number, span: [number,
 *   number]|null}[]}[]}} Trace
 */

/** @param {number} n @returns {string} */
const inWords = n => NUMBERS[n] ?? String(n);

/** A piece of the text as a sentence quotes it. @param {string} text @returns {string} */
const quoted = text => `“${text.length > MOST_SAID ? `${shortened(text, MOST_SAID)}…` : text}”`;

/**
 * Lists words that are several whole-character tokens and nothing else, those of few tokens first.
 * @param {TokenSpans} tokens
 * @param {string} text its start
 * @returns {Example[]}
 */
export function splitWords(tokens, text) {
  const found = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (UNSPACED.test(word)) continue;
    const to = index + word.length;
    const own = tokens.overlapping(index, to);
    if (own.length < 2 || tokens.end16.at(own[own.length - 1]) !== to) continue;
    const start = tokens.start16.at(own[0]);
    if (start < index && text.slice(start, index).trim()) continue;
    if (own.some(i => tokens.has(i, STARTS_INSIDE) || tokens.has(i, UNKNOWN))) continue;
    found.push({ text: word, from: index, to, tokens: own });
  }
  return [...found.filter(({ tokens: { length } }) => length <= FEW), ...found.filter(one => one.tokens.length > FEW)];
}

/**
 * Finds the model that made the tokens of a word, if a trace of the text has the same tokens there and all of them are
 * of one pretoken.
 * @param {Trace} trace of the start of the text
 * @param {TokenSpans} tokens @param {Example} word
 * @returns {string|null} "bpe", "unigram", "word_piece" and so on; null: nothing can be said of the word
 */
export function modelOf(trace, tokens, { tokens: own }) {
  const first = tokens.start8.at(own[0]);
  const last = tokens.end8.at(own[own.length - 1]);
  const pretoken = trace.pretokens.find(({ span: [start, end] }) => start <= first && last <= end);
  const traced = pretoken?.tokens.filter(({ span }) => span && span[0] >= first && span[1] <= last) ?? [];
  const isSame =
    traced.length === own.length &&
    traced.every(
      ({ id, span }, n) =>
        id === tokens.ids.at(own[n]) && span?.[0] === tokens.start8.at(own[n]) && span[1] === tokens.end8.at(own[n]),
    );
  return pretoken && isSame ? pretoken.steps.model : null;
}

/**
 * Says why a word is several tokens.
 * @param {Example} word
 * @param {string} model of `modelOf`
 * @param {{name: string, spellings: (string|null)[], fromBytes: boolean}} tokenizer its name, how the vocabulary spells
 *   the tokens of the word, and whether its merges start from bytes
 * @returns {Sentence|null} null: of this model nothing general can be said
 */
export function wordSentence({ text, tokens: { length } }, model, { name, spellings, fromBytes }) {
  const title = `A ${LATIN.test(text) ? 'rare ' : ''}word becomes several tokens.`;
  const known = spellings.map(one => one?.replaceAll(' ', '·') ?? '');
  if (model === 'word_piece') {
    if (!known.slice(1).every(one => one.startsWith('##'))) return null;
    return {
      title,
      text:
        `${quoted(text)} is not in ${name}’s vocabulary. ${name} takes the longest start it knows, then the longest ` +
        'token that continues it. ## marks a token that continues a word.',
    };
  }
  if (model === 'bpe') {
    if (!known.every(Boolean)) return null;
    return {
      title,
      text:
        `${name} joins single ${fromBytes ? 'bytes' : 'characters'} to longer tokens, in the order of its merges. No ` +
        `merge joins “${known[0]}” and “${known[1]}”, so ${quoted(text)} stays ${inWords(length)} tokens.`,
    };
  }
  if (model === 'unigram')
    return {
      title,
      text:
        `Every token of ${name} has a score. ${name} takes the tokens whose scores have the best sum: for ` +
        `${quoted(text)} these are ${inWords(length)}.`,
    };
  return null;
}

/**
 * Finds the first token that stands for text the vocabulary lacks.
 * @param {TokenSpans} tokens @param {string} text its start
 * @returns {Example|null}
 */
export function unknownExample(tokens, text) {
  const token = tokens.overlapping(0, text.length).find(i => tokens.has(i, UNKNOWN));
  if (token === undefined) return null;
  const from = tokens.start16.at(token);
  const to = tokens.end16.at(token);
  const covered = text.slice(from, to);
  const lead = covered.length - covered.trimStart().length;
  return covered.trim() ? { text: covered.trim(), from: from + lead, to, tokens: [token] } : null;
}

/**
 * Says what becomes of text that the vocabulary lacks.
 * @param {Example} unknown @param {string} name of the tokenizer @param {string} written the name of the unknown token
 * @returns {Sentence}
 */
export function unknownSentence({ text }, name, written) {
  if ([...text].length === 1)
    return {
      title: 'Some characters are unknown.',
      text: `${text} is not in ${name}’s vocabulary. ${name} writes ${written} instead, so the character is lost.`,
    };
  return {
    title: 'Some text is unknown.',
    text:
      `${name} cannot build ${quoted(text)} from the tokens of its vocabulary. It writes ${written} instead, so the ` +
      'text is lost.',
  };
}

/**
 * Finds the first character whose bytes are in several tokens.
 * @param {TokenSpans} tokens @param {string} text its start
 * @returns {Example|null}
 */
export function splitCharacter(tokens, text) {
  const part = tokens.overlapping(0, text.length).find(i => tokens.has(i, STARTS_INSIDE));
  if (part === undefined) return null;
  const at = tokens.start16.at(part); // that of the character
  const character = String.fromCodePoint(codePointOf(text.slice(at)));
  return {
    text: character,
    from: at,
    to: at + character.length,
    tokens: tokens.overlapping(at, at + character.length),
  };
}

/**
 * Says why a character is several tokens.
 * @param {Example} split @param {string} name of the tokenizer
 * @returns {Sentence}
 */
export function characterSentence({ text, tokens: { length } }, name) {
  const bytes = new TextEncoder().encode(text).length;
  return {
    title: 'A character can be several tokens.',
    text:
      `${text} is ${inWords(bytes)} bytes in UTF-8. ${name} has them in ${inWords(length)} tokens, none of which is ` +
      'the whole character.',
  };
}

/**
 * Whether two tokenizers have the same boundaries in a text.
 * @param {TokenSpans} a @param {TokenSpans} b
 */
export function sameSpans(a, b) {
  if (a.placedCount !== b.placedCount) return false;
  for (let k = 0; k < a.placedCount; k++) {
    const [i, j] = [a.placed(k), b.placed(k)];
    if (a.start8.at(i) !== b.start8.at(j) || a.end8.at(i) !== b.end8.at(j)) return false;
  }
  return true;
}

/**
 * Says how the counts of the tokenizers in use differ.
 * @param {{name: string, count: number, isSame: boolean}[]} others those that are not shown; `isSame`: their boundaries
 *   are those of the one that is shown
 * @param {boolean} hasAdded whether any of them adds tokens around the text
 * @returns {Sentence}
 */
export function countsSentence(others, hasAdded) {
  const added = hasAdded ? ' Added tokens do not count.' : '';
  if (others.length === 1) {
    const [{ name, isSame }] = others;
    return {
      title: isSame ? `${name} has the same boundaries in this text.` : `${name} tokenizes the same text differently.`,
      text: `Press ${name} at the top, or open Compare.${added}`,
    };
  }
  const isSame = others.every(one => one.isSame);
  return {
    title: isSame
      ? 'All tokenizers in use have the same boundaries in this text.'
      : 'Other tokenizers tokenize the same text differently.',
    text: `Press a name at the top, or open Compare.${added}`,
  };
}
