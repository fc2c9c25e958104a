/**
 * Position in code points from a position in UTF-16, for a text of any length: one pass over it, then a short count.
 */

const BLOCK = 4096;

export class CodePoints {
  #text;
  /** @type {Uint32Array|null} */
  #before = null;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {number} pos UTF-16 @returns {number} code points before it; a lone half of a pair counts as one */
  at(pos) {
    this.#before ??= this.#count();
    const before = this.#before;
    const block = Math.min(Math.floor(pos / BLOCK), before.length - 1);
    return pos - before[block] - pairsIn(this.#text, block * BLOCK, pos);
  }

  #count() {
    const before = new Uint32Array(Math.floor(this.#text.length / BLOCK) + 1);
    for (let block = 1; block < before.length; block++)
      before[block] = before[block - 1] + pairsIn(this.#text, (block - 1) * BLOCK, block * BLOCK);
    return before;
  }
}

/** Pairs of which the second half lies in [from, to). @param {string} text @param {number} from @param {number} to */
function pairsIn(text, from, to) {
  let pairs = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xdc00 && unit < 0xe000 && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs++;
  }
  return pairs;
}
