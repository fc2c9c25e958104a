/** Tokens that stand for text which the vocabulary lacks: how they are written, and where the next one is. */
import { UNKNOWN } from './token_spans.js';

/**
 * @typedef {import('./token_spans.js').TokenSpans} TokenSpans
 * @typedef {{special_tokens: {text: string, id: number}[]}|null|undefined} Names the entry of a tokenizer
 */

/**
 * Returns how a special token is written: "[UNK]", "<unk>".
 * @param {Names} entry @param {number} id @returns {string|undefined} undefined: the id has no such name
 */
export const specialName = (entry, id) => entry?.special_tokens.find(token => token.id === id)?.text;

/**
 * Returns what stands under a token instead of its id: the name of the unknown token.
 * @param {TokenSpans} tokens @param {Names} entry
 * @returns {(token: number) => string|undefined} undefined: the id itself
 */
export function unknownWordsOf(tokens, entry) {
  return token => (tokens.has(token, UNKNOWN) ? specialName(entry, tokens.ids.at(token)) : undefined);
}

/**
 * Returns the next token that has a flag, after one and then from the start.
 * @param {TokenSpans} tokens @param {number} flag @param {number} after -1: from the start
 * @returns {number} -1: there is none
 */
export function nextWith(tokens, flag, after) {
  const { length } = tokens;
  for (let n = 1; n <= length; n++) {
    const token = (after + n) % length;
    if (tokens.has(token, flag)) return token;
  }
  return -1;
}
