/**
 * Links from a place of another screen to the step of a lesson that is about it. A long text stays behind: the words
 * around the place come along, and the lesson says so.
 */
import { byteLength } from '../text/text_window.js';
import { isHighSurrogate, isLowSurrogate } from '../util/utf8.js';

/** UTF-16 units of a text that come along. */
const MOST = 1000;
/** The same of a text to learn from. */
export const MOST_LEARNT = 4000;
/** Tokens that a lesson on training learns at most. */
const MOST_TOKENS = 1000;
/** The lesson on encoding with each model, by how the model's name ends. */
const ENCODING = { BPE: 'bpe-encode', WordPiece: 'wordpiece-encode', Unigram: 'unigram-encode' };

/**
 * @typedef {import('../lessons/arrival.js').Place} Place
 * @typedef {import('../lessons/arrival.js').Stage} Stage
 * @typedef {{length: number, slice: (from: number, to: number) => string}} Sliced
 */

/**
 * The lesson on encoding with a tokenizer, or undefined where there is none.
 * @param {import('../api/schema.d.ts').CatalogEntry|null} entry
 */
export function encodingLesson(entry) {
  if (!entry?.stages || entry.source === 'plug-in') return undefined;
  const { model } = entry.stages;
  return Object.entries(ENCODING).find(([end]) => model.endsWith(end))?.[1];
}

/**
 * The address of the step that makes a token of a text.
 * @param {string} lesson @param {string} tokenizer @param {Sliced} text
 * @param {import('../text/token_spans.js').TokenSpans} tokens of the text @param {number} token
 * @returns {Object<string, string>} parameters of Learn
 */
export function tokenLink(lesson, tokenizer, text, tokens, token) {
  const anchor = tokens.anchor(token);
  const { from, sample } = around(text, anchor.utf16);
  const base = anchor.utf8 - byteLength(text.slice(from, anchor.utf16));
  const place = {
    kind: /** @type {const} */ ('token'),
    byte: tokens.start8.at(token) - base,
    id: tokens.ids.at(token),
  };
  return { lesson, tokenizer, sample, place: placeWords(place), ...(sample.length < text.length && { part: '1' }) };
}

/**
 * The address of a step of a lesson on a text of which only the beginning is there.
 * @param {string} lesson @param {string} tokenizer @param {{text: string, isWhole: boolean}} beginning
 * @param {Place} place
 */
export function beginningLink(lesson, tokenizer, { text, isWhole }, place) {
  const sample = beginningOf(text, MOST_LEARNT);
  const isPart = !isWhole || sample.length < text.length;
  return { lesson, tokenizer, sample, place: placeWords(place), ...(isPart && { part: '1' }) };
}

/** @param {Place} place as an address has it */
export function placeWords(place) {
  if (place.kind === 'token') return `token-${place.byte}-${place.id}`;
  if (place.kind === 'iteration') return `iteration-${place.number}-${place.stage}-${place.tokens}`;
  return place.kind === 'merge' ? `merge-${place.number}-${place.bytes}` : 'end';
}

/** The inverse of `placeWords`. @param {string|null} written @returns {Place|null} null: it is no place */
export function placeOf(written) {
  if (written === 'end') return { kind: 'end' };
  const [, byte, id] = /^token-(\d{1,9})-(\d{1,9})$/.exec(written ?? '') ?? [];
  if (id) return { kind: 'token', byte: Number(byte), id: Number(id) };
  const [, turn, stage, tokens] = /^iteration-(\d{1,9})-(em|prune|final)-(\d{1,9})$/.exec(written ?? '') ?? [];
  if (tokens)
    return { kind: 'iteration', number: Number(turn), stage: /** @type {Stage} */ (stage), tokens: Number(tokens) };
  const [, number, bytes] = /^merge-(\d{1,9})-([\da-f]*)$/.exec(written ?? '') ?? [];
  return number ? { kind: 'merge', number: Number(number), bytes } : null;
}

/**
 * How many tokens a lesson learns to reach a place, which may come later in a part of the text; undefined: as usual.
 * @param {Place|null} place
 */
export const learnFor = place => (place?.kind === 'merge' ? Math.min(MOST_TOKENS, 2 * place.number + 50) : undefined);

/** The words around a position; all of a short text. @param {Sliced} text @param {number} pos UTF-16 */
function around(text, pos) {
  const { length } = text;
  if (length <= MOST) return { from: 0, sample: text.slice(0, length) };
  let from = Math.max(0, Math.min(pos - MOST / 2, length - MOST));
  let to = from + MOST;
  if (from > 0) {
    const before = text.slice(from, pos);
    const word = /\s(?=\S)/u.exec(before);
    from += word ? word.index + 1 : isLowSurrogate(before.charCodeAt(0)) ? 1 : 0;
  }
  const after = text.slice(pos, to);
  if (to < length) {
    const end = after.search(/\s+\S*$/u);
    to = end > 0 ? pos + end : to - (isHighSurrogate(after.charCodeAt(after.length - 1)) ? 1 : 0);
  }
  return { from, sample: text.slice(from, to) };
}

/** Whole words of the beginning of a text, as many as fit. @param {string} text @param {number} most UTF-16 units */
function beginningOf(text, most) {
  if (text.length <= most) return text;
  const part = text.slice(0, most);
  const end = part.search(/\s\S*$/u);
  return end > 0 ? part.slice(0, end) : part;
}
