/**
 * A gap buffer of numbers, for edits that stay near one place, as those of a text do. The entries after the gap lie at
 * the end of the memory. A number added to all of them is kept apart and added when they are read. An edit costs what
 * it inserts and its distance from the edit before, however long the list is. The tests compare with building a new
 * list.
 *
 * @typedef {Uint32Array|Uint8Array} Numbers
 */

const SPARE = 4096; // entries that the list may grow by before it is copied

export class GapArray {
  /** @type {Numbers} */
  #array;
  /** @type {number} */
  #gap;
  #hole = 0;
  #shift = 0;
  #own = false;

  /** @param {Numbers} array is read, never written to */
  constructor(array) {
    this.#array = array;
    this.#gap = array.length;
    this.length = array.length;
  }

  /** @param {number} i @returns {number} undefined outside of the list, as of an array */
  at(i) {
    if (i < this.#gap) return this.#array[i];
    if (i < this.length) return (this.#array[i + this.#hole] + this.#shift) >>> 0;
    return this.#array[this.#array.length];
  }

  /**
   * Replaces entries.
   * @param {number} first @param {number} removed how many @param {Numbers} insert what replaces them
   * @param {number} [by] is added to every entry after them, may be negative
   * @param {number} [still] number of entries at the end that keep their value
   */
  splice(first, removed, insert, by = 0, still = 0) {
    if (!this.#own || this.#hole + removed < insert.length) this.#grow(insert.length);
    this.#moveGap(first);
    this.#hole += removed - insert.length;
    this.#array.set(insert, first);
    this.#gap += insert.length;
    this.length += insert.length - removed;
    this.#shift += by;
    for (let n = this.#array.length - still; by && n < this.#array.length; n++) this.#array[n] -= by;
  }

  /** @returns {Numbers} a copy, which does not change when the list is edited */
  all() {
    const array = this.#array;
    const gap = this.#gap;
    const all = emptyLike(array, this.length);
    all.set(array.subarray(0, gap));
    all.set(array.subarray(gap + this.#hole), gap);
    if (this.#shift) for (let n = gap; n < all.length; n++) all[n] += this.#shift;
    return all;
  }

  /**
   * Moves the gap. Entries it passes change sides, so the shift is subtracted from them or added to them.
   * @param {number} to
   */
  #moveGap(to) {
    const array = this.#array;
    const gap = this.#gap;
    const hole = this.#hole;
    const shift = this.#shift;
    this.#gap = to;
    if (!this.#own) return; // never edited: there is no hole and no shift
    if (to < gap) array.copyWithin(to + hole, to, gap);
    else array.copyWithin(gap, gap + hole, to + hole);
    if (!shift) return;
    for (let n = to + hole; n < gap + hole; n++) array[n] -= shift;
    for (let n = gap; n < to; n++) array[n] += shift;
  }

  /** @param {number} by */
  #grow(by) {
    const array = emptyLike(this.#array, this.length + by + SPARE);
    const hole = array.length - this.length;
    array.set(this.#array.subarray(0, this.#gap));
    array.set(this.#array.subarray(this.#gap + this.#hole), this.#gap + hole);
    this.#array = array;
    this.#hole = hole;
    this.#own = true;
  }
}

/** @param {Numbers} array @param {number} length @returns {Numbers} zeros, as wide as those of the array */
const emptyLike = (array, length) => (array instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length));
