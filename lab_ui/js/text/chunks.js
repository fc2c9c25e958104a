/**
 * Splits a text into chunks of N tokens each. A boundary inside a grapheme cluster moves to its start, so that every
 * chunk is text; the chunks together are the text. The marks in the text and the list of chunks both use this.
 */
import { Clusters } from './clusters.js';
import { STARTS_INSIDE } from './token_spans.js';

/** Default number of tokens per chunk. */
export const USUAL_EVERY = 512;

/** @param {number} pos */
const unchanged = pos => pos;

/**
 * Reads a number of tokens.
 * @param {string|number} typed
 * @returns {number|null} a whole number of tokens, at least 1
 */
export function everyOf(typed) {
  const every = Number(typed);
  return String(typed).trim() && Number.isSafeInteger(every) && every >= 1 ? every : null;
}

/**
 * Yields the chunk boundaries before tokens number `first`, `first + every` ... of those that have a position.
 * @param {import('./token_spans.js').TokenSpans} tokens
 * @param {number} every
 * @param {number} first
 * @param {Clusters} clusters of the text now
 * @param {(pos: number) => number} [map] from the text that was encoded to the text now
 * @returns {Generator<{k: number, at: number, moved: boolean}>} `k`: tokens before it; `at`: UTF-16; `moved`: it was
 *   inside a cluster
 */
export function* chunkStarts(tokens, every, first, clusters, map = unchanged) {
  for (let k = first; k < tokens.placedCount; k += every) {
    const i = tokens.placed(k);
    const start = map(tokens.start16.at(i));
    const at = clusters.floor(start);
    // The position of a token that starts inside a character is the start of that character.
    yield { k, at, moved: tokens.has(i, STARTS_INSIDE) || at < start };
  }
}

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {string} text @param {number} every tokens, at least 1
 * @returns {{boundaries: number[], moved: number}} `boundaries`: positions in UTF-16, ascending, without the
 *   ends of the text; `moved`: how many were inside a cluster
 */
export function chunkBoundaries(tokens, text, every) {
  const boundaries = [];
  let moved = 0;
  let last = 0;
  for (const boundary of chunkStarts(tokens, every, every, new Clusters(text))) {
    if (boundary.moved) moved++;
    if (boundary.at <= last || boundary.at >= text.length) continue;
    boundaries.push(boundary.at);
    last = boundary.at;
  }
  return { boundaries, moved };
}

/** Splits a text at the positions. @param {string} text @param {number[]} boundaries @returns {string[]} */
export const chunksOf = (text, boundaries) =>
  text ? [0, ...boundaries].map((from, n) => text.slice(from, boundaries[n] ?? text.length)) : [];
