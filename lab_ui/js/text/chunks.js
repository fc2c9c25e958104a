/**
 * A text in pieces of a number of tokens each. A cut that falls inside of what a reader takes for one character is made
 * before it, so that every piece is text; together the pieces are the text. The marks in the text and the list of
 * pieces both come from here.
 */
import { Clusters } from './clusters.js';
import { STARTS_INSIDE } from './token_spans.js';

/** What is cut at when nobody said otherwise. */
export const USUAL_EVERY = 512;

const unchanged = pos => pos;

/** @param {string|number} typed @returns {number|null} a whole number of tokens, at least 1 */
export function everyOf(typed) {
  const every = Number(typed);
  return String(typed).trim() && Number.isSafeInteger(every) && every >= 1 ? every : null;
}

/**
 * The cuts before tokens number `first`, `first + every` ... of those that have a place.
 * @param {import('./token_spans.js').TokenSpans} tokens
 * @param {number} every
 * @param {number} first
 * @param {Clusters} clusters of the text now
 * @param {(pos: number) => number} [map] from the text that was encoded to the text now
 * @returns {Generator<{k: number, at: number, moved: boolean}>} `k`: tokens before the cut; `at`: UTF-16; `moved`: it
 *   was inside of a character
 */
export function* cutsFrom(tokens, every, first, clusters, map = unchanged) {
  for (let k = first; k < tokens.placedCount; k += every) {
    const i = tokens.placed(k);
    const start = map(tokens.start16.at(i));
    const at = clusters.floor(start);
    // A token that starts inside of a character has the place of that character's start.
    yield { k, at, moved: tokens.has(i, STARTS_INSIDE) || at < start };
  }
}

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {string} text @param {number} every tokens, at least 1
 * @returns {{cuts: number[], moved: number}} `cuts`: positions in UTF-16, ascending, the ends of the text left out;
 *   `moved`: how many were inside of a character
 */
export function cutsEvery(tokens, text, every) {
  const cuts = [];
  let moved = 0;
  let last = 0;
  for (const cut of cutsFrom(tokens, every, every, new Clusters(text))) {
    if (cut.moved) moved++;
    if (cut.at <= last || cut.at >= text.length) continue;
    cuts.push(cut.at);
    last = cut.at;
  }
  return { cuts, moved };
}

/** @param {string} text @param {number[]} cuts @returns {string[]} */
export const piecesOf = (text, cuts) =>
  text ? [0, ...cuts].map((from, n) => text.slice(from, cuts[n] ?? text.length)) : [];
