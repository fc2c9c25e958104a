/**
 * A list of numbers that is edited at one place for a while, as a text is: what stands behind that place lies at the
 * end of its memory, and what is added to all of it is added when it is read. An edit costs what it puts in and how far
 * it is from the one before, however long the list is. The plain way, in the tests, is to build a new list.
 */

const SPARE = 4096; // entries: what a list may grow by before it is copied

/** @template {Uint32Array|Uint8Array} T */
export class GapArray {
  #array;
  #gap;
  #hole = 0;
  #shift = 0;
  #own = false;

  /** @param {T} array is read, never written to */
  constructor(array) {
    this.#array = array;
    this.length = this.#gap = array.length;
  }

  /** @param {number} i @returns {number} undefined outside of the list */
  at(i) {
    if (i < this.#gap) return this.#array[i];
    return i < this.length ? (this.#array[i + this.#hole] + this.#shift) >>> 0 : undefined;
  }

  /**
   * @param {number} first @param {number} removed entries that go @param {T} insert what comes in their place
   * @param {number} [by] is added to every entry behind, may be negative
   * @param {number} [still] entries at the end it is not added to
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

  /** @returns {T} all of it, in one piece: a copy, which stays as it is when the list is edited */
  all() {
    const array = this.#array;
    const gap = this.#gap;
    const Type = /** @type {any} */ (array.constructor);
    const all = new Type(this.length);
    all.set(array.subarray(0, gap));
    all.set(array.subarray(gap + this.#hole), gap);
    if (this.#shift) for (let n = gap; n < all.length; n++) all[n] += this.#shift;
    return all;
  }

  /**
   * Moves the gap. Entries that it passes change sides, so that what is added when they are read is taken from them, or
   * added to them.
   */
  #moveGap(to) {
    const array = this.#array;
    const gap = this.#gap;
    const hole = this.#hole;
    const shift = this.#shift;
    this.#gap = to;
    if (!this.#own) return; // all of it is before the gap or nothing is added to what is behind
    if (to < gap) array.copyWithin(to + hole, to, gap);
    else array.copyWithin(gap, gap + hole, to + hole);
    if (!shift) return;
    for (let n = to + hole; n < gap + hole; n++) array[n] -= shift;
    for (let n = gap; n < to; n++) array[n] += shift;
  }

  #grow(by) {
    const Type = /** @type {any} */ (this.#array.constructor);
    const array = new Type(this.length + by + SPARE);
    const hole = array.length - this.length;
    array.set(this.#array.subarray(0, this.#gap));
    array.set(this.#array.subarray(this.#gap + this.#hole), this.#gap + hole);
    this.#array = array;
    this.#hole = hole;
    this.#own = true;
  }
}
