/** A text as the editor had it at one moment, read by parts: for texts too long to be made one string at every key. */

const NEAR = 2000; // UTF-16 units: short parts are asked for by the hundred, one beside the other

export class TextSlice {
  #doc; #whole = null; #near = ''; #nearFrom = 0;

  /** @param {import('../../vendor/codemirror.js').Text} doc which never changes */
  constructor(doc) { this.#doc = doc; }

  get length() { return this.#doc.length; }

  /** As `slice` of a string, for positions within the text. */
  slice(from, to = this.length) {
    if (to - from > NEAR) return this.#doc.sliceString(from, to);
    if (from < this.#nearFrom || to > this.#nearFrom + this.#near.length) {
      this.#nearFrom = Math.max(0, from - NEAR);
      this.#near = this.#doc.sliceString(this.#nearFrom, Math.min(this.length, to + 4 * NEAR));
    }
    return this.#near.slice(from - this.#nearFrom, to - this.#nearFrom);
  }

  /** The whole of it, made once. */
  toString() { return this.#whole ??= this.#doc.sliceString(0); }
}
