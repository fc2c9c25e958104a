/** A text as the editor had it at one moment, read by parts: for texts too long to be made one string at every key. */
const PIECE = 1 << 18;
const HIGH = /[\ud800-\udbff]/;
const LOW = /[\udc00-\udfff]/;
const NEAR = 2000; // UTF-16 units: short parts are asked for by the hundred, one beside the other

export class TextSlice {
  #doc;
  #whole = null;
  #near = '';
  #nearFrom = 0;

  /** @param {import('../../vendor/codemirror.js').Text} doc which never changes */
  constructor(doc) {
    this.#doc = doc;
  }

  get length() {
    return this.#doc.length;
  }

  /** As `slice` of a string, for positions within the text. */
  slice(from, to = this.length) {
    if (to - from > NEAR) return this.#doc.sliceString(from, to);
    if (from < this.#nearFrom || to > this.#nearFrom + this.#near.length) {
      this.#nearFrom = Math.max(0, from - NEAR);
      this.#near = this.#doc.sliceString(this.#nearFrom, Math.min(this.length, to + 4 * NEAR));
    }
    return this.#near.slice(from - this.#nearFrom, to - this.#nearFrom);
  }

  /** How many bytes its first `to` UTF-16 units are in UTF-8. @param {number} to between two characters */
  bytesBefore(to) {
    let bytes = 0;
    for (let from = 0; from < to; from += PIECE)
      bytes += utf8Length(this.#doc.sliceString(from, Math.min(to, from + PIECE)));
    return bytes;
  }

  /** The nearest place that is not within a pair of surrogates, and not behind it. @param {number} at UTF-16 */
  betweenCharacters(at) {
    return LOW.test(this.#doc.sliceString(at, at + 1)) && HIGH.test(this.#doc.sliceString(at - 1, at)) ? at - 1 : at;
  }

  /** The whole of it, made once. */
  toString() {
    return (this.#whole ??= this.#doc.sliceString(0));
  }
}

/** A pair cut in two counts the same, as each half of it counts for two. */
function utf8Length(text) {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
