/** A snapshot of the editor's text, read in slices: long texts are too slow to become one string at every key. */
import { isHighSurrogate, isLowSurrogate, utf8Length } from '../util/utf8.js';

/** @typedef {{length: number, slice: (from: number, to?: number) => string}} Sliced a text, or something like one */

const SLICE = 1 << 18;
const NEAR = 2000; // UTF-16 units: short slices are read by the hundred, next to each other

export class TextSlice {
  #doc;
  /** @type {string|null} */
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

  /** As `slice` of a string. @param {number} from @param {number} [to] both within the text */
  slice(from, to = this.length) {
    if (to - from > NEAR) return this.#doc.sliceString(from, to);
    if (from < this.#nearFrom || to > this.#nearFrom + this.#near.length) {
      this.#nearFrom = Math.max(0, from - NEAR);
      this.#near = this.#doc.sliceString(this.#nearFrom, Math.min(this.length, to + 4 * NEAR));
    }
    return this.#near.slice(from - this.#nearFrom, to - this.#nearFrom);
  }

  /** Counts the UTF-8 bytes of its first `to` UTF-16 units. @param {number} to between two characters */
  bytesBefore(to) {
    let bytes = 0;
    for (let from = 0; from < to; from += SLICE)
      bytes += utf8Length(this.#doc.sliceString(from, Math.min(to, from + SLICE)));
    return bytes;
  }

  /** Returns the place, or the one before it if it splits a surrogate pair. @param {number} at UTF-16 */
  betweenCharacters(at) {
    const unitAt = (/** @type {number} */ place) => this.#doc.sliceString(place, place + 1).charCodeAt(0);
    return at > 0 && isLowSurrogate(unitAt(at)) && isHighSurrogate(unitAt(at - 1)) ? at - 1 : at;
  }

  /** The whole text, made once. */
  toString() {
    this.#whole ??= this.#doc.sliceString(0);
    return this.#whole;
  }
}
