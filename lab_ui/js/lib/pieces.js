/**
 * A text in pieces of a number of tokens each. A cut that falls inside of what a reader takes for one character is made before
 * it, so that every piece is text; together the pieces are the text.
 */
import { Clusters } from './clusters.js';
import { STARTS_INSIDE } from './token_spans.js';

/**
 * @param {import('./token_spans.js').TokenSpans} tokens @param {string} text @param {number} every tokens, at least 1
 * @returns {{cuts: number[], moved: number}} `cuts`: positions in UTF-16, ascending, the ends of the text left out; `moved`: how many were inside of a character
 */
export function cutsEvery(tokens, text, every) {
  const cuts = [], clusters = new Clusters(text);
  let moved = 0, last = 0;
  for (let k = every; k < tokens.placedCount; k += every) {
    const i = tokens.placed(k), start = tokens.start16[i], at = clusters.floor(start);
    // A token that starts inside of a character has the place of that character's start.
    if (tokens.has(i, STARTS_INSIDE) || at < start) moved++;
    if (at <= last || at >= text.length) continue;
    cuts.push(at);
    last = at;
  }
  return { cuts, moved };
}

/** @param {string} text @param {number[]} cuts @returns {string[]} */
export const piecesOf = (text, cuts) => (text ? [0, ...cuts].map((from, n) => text.slice(from, cuts[n] ?? text.length)) : []);
