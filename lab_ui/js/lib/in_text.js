/** Where else in the text: the other places of a token, and the characters that several tokens share. */
import { STARTS_INSIDE } from './token_spans.js';

/** Of a list no more are shown. */
export const MOST_SPLIT = 24;

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {number} token @param {1|-1} by
 * @returns {number} the next token with the same id, or from the other end the first; the token itself where it is the only one
 */
export function nextPlace(tokens, token, by) {
  const { ids, length } = tokens, id = ids[token];
  for (let n = 1; n < length; n++) {
    const i = (token + by * n + n * length) % length;
    if (ids[i] === id) return i;
  }
  return token;
}

/**
 * The characters (code points) that are held by more than one token, each once, in the order of the text.
 * @param {import('./token_spans.js').TokenSpans} tokens @param {{slice: (from: number, to: number) => string}} text
 * @returns {{characters: string[], more: boolean}} at most MOST_SPLIT
 */
export function splitCharacters(tokens, text) {
  const found = new Set();
  for (const i of splits(tokens, 0)) {
    found.add(characterAt(tokens, text, i));
    if (found.size > MOST_SPLIT) return { characters: [...found].slice(0, MOST_SPLIT), more: true };
  }
  return { characters: [...found], more: false };
}

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {{slice: (from: number, to: number) => string}} text
 * @param {string} character @param {number} after a token @returns {number} the next token that has a later part of such a character; -1: none
 */
export function nextSplit(tokens, text, character, after) {
  for (const from of [after + 1, 0]) for (const i of splits(tokens, from)) if (characterAt(tokens, text, i) === character) return i;
  return -1;
}

function* splits(tokens, from) {
  for (let i = from; i < tokens.length; i++) if (tokens.flags[i] & STARTS_INSIDE) yield i;
}

/** A token that starts inside of a character has the place of that character's start. */
const characterAt = (tokens, text, i) => { const at = tokens.start16[i]; return String.fromCodePoint(text.slice(at, at + 2).codePointAt(0) ?? 0); };
