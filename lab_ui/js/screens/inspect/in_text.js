/** Where else in the text: the other places of a token, and the characters that several tokens share. */
import { Yielder } from '../../util/yielder.js';
import { clusterAt, mayJoin } from '../../text/clusters.js';
import { STARTS_INSIDE } from '../../text/token_spans.js';

/** Of a list no more are shown. */
export const MOST_SPLIT = 24;

const PIECE = 2000; // tokens that are looked at in one go

/**
 * @param {import('../../text/token_spans.js').TokenSpans} tokens @param {number} token @param {1|-1} by
 * @returns {number} the next token with the same id, or from the other end the first; the token itself where it is the
 *   only one
 */
export function nextPlace(tokens, token, by) {
  const { ids, length } = tokens;
  const id = ids.at(token);
  for (let n = 1; n < length; n++) {
    const i = (token + by * n + n * length) % length;
    if (ids.at(i) === id) return i;
  }
  return token;
}

/**
 * What a reader takes for one character (a cluster: a flag, an emoji family, a letter with its accents) and more than
 * one token holds, each once, in the order of the text. Looks at all tokens, in pieces.
 * @param {import('../../text/token_spans.js').TokenSpans} tokens @param {string} text
 * @returns {Promise<{characters: {character: string, tokens: number[]}[], more: boolean}|null>} at most MOST_SPLIT,
 *   each with the tokens of its first place; null: the tokens are others now
 */
export async function splitCharacters(tokens, text) {
  const found = new Map();
  const yielder = new Yielder();
  const { edits } = tokens;
  for (const split of splits(tokens, text, 0)) {
    if (!split) {
      await yielder.maybeYield();
      if (tokens.edits !== edits) return null;
      continue;
    }
    const { from, to } = split;
    const character = text.slice(from, to);
    if (found.has(character)) continue;
    if (found.size === MOST_SPLIT) return { characters: [...found.values()], more: true };
    found.set(character, { character, tokens: tokens.overlapping(from, to) });
  }
  return { characters: [...found.values()], more: false };
}

/**
 * The next token that has a later part of a character. Looks at all tokens once at most, in pieces.
 * @param {import('../../text/token_spans.js').TokenSpans} tokens @param {string} text
 * @param {string} character
 * @param {number} after a token; less than 0: from the start
 * @param {{maybeYield: () => Promise<void>}} [yielder] called between two pieces
 * @returns {Promise<number>} -1: there is none, or the tokens are others now
 */
export async function nextSplit(tokens, text, character, after, yielder = new Yielder()) {
  const rest = after < 0 ? 0 : (tokens.end16.at(after) ?? 0);
  const { edits } = tokens;
  for (const from of rest ? [rest, 0] : [0]) {
    for (const split of splits(tokens, text, from)) {
      if (!split) {
        await yielder.maybeYield();
        if (tokens.edits !== edits) return -1;
        continue;
      }
      if (from < rest && split.from >= rest) break; // from there on it was looked at before
      if (split.token !== after && split.to - split.from === character.length && text.startsWith(character, split.from))
        return split.token;
    }
  }
  return -1;
}

/**
 * Every token that starts inside of a cluster, with that cluster: from the first token that ends behind `pos` on. Null
 * between pieces of work.
 * @param {import('../../text/token_spans.js').TokenSpans} tokens @param {string} text @param {number} pos UTF-16
 * @returns {Generator<{token: number, from: number, to: number}|null>}
 */
function* splits(tokens, text, pos) {
  let cluster = { from: 0, to: 0 };
  for (let k = tokens.firstEndingAfter(pos); k < tokens.placedCount; k++) {
    if (k % PIECE === 0) yield null;
    const token = tokens.placed(k);
    const at = tokens.start16.at(token);
    const inside = tokens.has(token, STARTS_INSIDE);
    if (!inside && !mayJoin(text, at)) continue;
    if (at >= cluster.to) cluster = clusterAt(text, at, cluster.to);
    if (inside || at > cluster.from) yield { token, ...cluster };
  }
}
