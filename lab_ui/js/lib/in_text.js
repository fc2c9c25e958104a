/** Where else in the text: the other places of a token, and the characters that several tokens share. */
import { clusterAt, mayJoin } from './clusters.js';
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
 * What a reader takes for one character (a cluster: a flag, an emoji family, a letter with its accents) and more than one
 * token holds, each once, in the order of the text.
 * @param {import('./token_spans.js').TokenSpans} tokens @param {string} text
 * @returns {{characters: {character: string, tokens: number[]}[], more: boolean}} at most MOST_SPLIT, each with the tokens of its first place
 */
export function splitCharacters(tokens, text) {
  const found = new Map();
  for (const { from, to } of splits(tokens, text, 0)) {
    const character = text.slice(from, to);
    if (found.has(character)) continue;
    if (found.size === MOST_SPLIT) return { characters: [...found.values()], more: true };
    found.set(character, { character, tokens: tokens.overlapping(from, to) });
  }
  return { characters: [...found.values()], more: false };
}

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {string} text
 * @param {string} character @param {number} after a token @returns {number} the next token that has a later part of such a character; -1: none
 */
export function nextSplit(tokens, text, character, after) {
  const rest = after < 0 ? 0 : tokens.end16.at(after) ?? 0;
  for (const from of [rest, 0]) for (const { token, from: start, to } of splits(tokens, text, from)) if (token !== after && to - start === character.length && text.startsWith(character, start)) return token;
  return -1;
}

/** Every token that starts inside of a cluster, with that cluster: from the first token that ends behind `pos` on. */
function* splits(tokens, text, pos) {
  let cluster = { from: 0, to: 0 };
  for (let k = tokens.firstEndingAfter(pos); k < tokens.placedCount; k++) {
    const token = tokens.placed(k), at = tokens.start16.at(token), inside = tokens.has(token, STARTS_INSIDE);
    if (!inside && !mayJoin(text, at)) continue;
    if (at >= cluster.to) cluster = clusterAt(text, at, cluster.to);
    if (inside || at > cluster.from) yield { token, ...cluster };
  }
}
