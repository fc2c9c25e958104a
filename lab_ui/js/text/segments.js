/**
 * Turns tokens into what can be drawn: consecutive segments of the text, each with the tokens that own it.
 *
 * Most segments have one owner. Several owners share a split cluster, drawn once over equal stripes. Text without an
 * owner is in no token: whitespace, or dropped by the normalizer. Boundaries of segments are boundaries of clusters.
 */
import { ENDS_INSIDE, STARTS_INSIDE } from './token_spans.js';

/** @typedef {{from: number, to: number, owners: number[]}} Segment UTF-16 positions in the text as it is now */

/** @param {number} pos */
const unchanged = pos => pos;

/**
 * @param {import('./token_spans.js').TokenSpans} tokens
 * @param {number} from @param {number} to the part of the text to draw
 * @param {import('./clusters.js').Clusters} clusters of the text now, at least of that part
 * @param {{map: (pos: number, side: number) => number, unmap: (pos: number, side: number) => number}} [changes]
 *   from the text that was encoded to the text now and back, where it was edited since
 * @returns {Segment[]}
 */
export function segmentsOf(tokens, from, to, clusters, changes = { map: unchanged, unmap: unchanged }) {
  if (tokens.known) {
    from = Math.max(from, changes.map(tokens.known.from, 1));
    to = Math.min(to, changes.map(tokens.known.to, -1));
    if (from >= to) return [];
  }
  /** @type {Segment[]} */
  const out = [];
  const start = clusters.floor(from);
  const oldEnd = changes.unmap(to, 1);
  let k = tokens.firstEndingAfter(changes.unmap(start, -1));
  let reached = start;
  let oldReached = k > 0 ? tokens.end16.at(tokens.placed(k - 1)) : 0;

  for (; k < tokens.placedCount; k++) {
    const i = tokens.placed(k);
    const oldStart = tokens.start16.at(i);
    if (oldStart >= oldEnd) break;
    const first = changes.map(oldStart, 1);
    const last = changes.map(tokens.end16.at(i), -1);
    if (last > first) {
      const a = clusters.floor(first);
      const b = clusters.ceil(last);
      // Text typed since then is in no token yet, but only the engine knows whether it will be: it stays unmarked.
      if (a > reached && oldStart > oldReached) out.push({ from: Math.max(reached, start), to: a, owners: [] });
      place(out, i, a, b, a < first || tokens.has(i, STARTS_INSIDE), b > last || tokens.has(i, ENDS_INSIDE), clusters);
      reached = Math.max(reached, b);
    }
    oldReached = Math.max(oldReached, tokens.end16.at(i));
    // After a deleted megabyte, skip its tokens: continue with the first that ends after it.
    if (last <= first) {
      k = Math.max(k, tokens.firstEndingAfter(changes.unmap(last, 1)) - 1);
      oldReached = Math.max(oldReached, tokens.end16.at(tokens.placed(k)));
    }
  }
  if (oldEnd > oldReached && to > reached) out.push({ from: reached, to, owners: [] });
  return out;
}

/**
 * Adds token i at [a, b). It may share the clusters at its ends with its neighbours and owns the rest.
 * @param {Segment[]} out @param {number} i @param {number} a @param {number} b
 * @param {boolean} sharesFirst @param {boolean} sharesLast @param {import('./clusters.js').Clusters} clusters
 */
function place(out, i, a, b, sharesFirst, sharesLast, clusters) {
  let from = a;
  let to = b;
  if (sharesFirst) {
    from = Math.min(clusters.ceil(a + 1), b);
    own(out, i, a, from);
  }
  if (sharesLast && from < b) to = Math.max(clusters.floor(b - 1), from);
  if (from < to) own(out, i, from, to);
  if (to < b) own(out, i, to, b);
}

/** @param {Segment[]} out @param {number} i @param {number} from @param {number} to */
function own(out, i, from, to) {
  const last = out.at(-1);
  if (last?.from === from && last.owners.length) {
    last.owners.push(i);
    last.to = Math.max(last.to, to);
  } else if (last?.owners.length && from < last.to) {
    // A lone owner reached further into a shared cluster than its neighbour: never by the engine's spans.
    last.owners.push(i);
  } else {
    out.push({ from, to, owners: [i] });
  }
}
