/** The stretches on which tokenizers differ, in the order of the text. */
import { firstWhere } from './first_where.js';
import { shift, spliced } from './spare_arrays.js';

export class Divergences {
  #counts; #columns; #own = false;

  constructor(arrays, kinds, columns) {
    this.kinds = kinds;
    this.start8 = arrays['divergences/start_utf8'];
    this.end8 = arrays['divergences/end_utf8'];
    this.start16 = arrays['divergences/start_utf16'];
    this.end16 = arrays['divergences/end_utf16'];
    this.kind = arrays['divergences/kind'];
    this.#counts = arrays['divergences/counts'];
    this.#columns = columns;
  }

  /**
   * Puts others in the place of those that start in a range of the old text, and moves those behind.
   * @param {[number, number]} range UTF-16 @param {Object} arrays those that came @param {{shift8: number, shift16: number}} shifts
   */
  splice([from, to], arrays, { shift8, shift16 }) {
    const first = this.#firstFrom(from), last = this.#firstFrom(to), wide = this.#columns;
    const put = (old, name, by, width = 1) => {
      const insert = arrays[`divergences/${name}`], all = spliced(old, first * width, (last - first) * width, insert, this.#own);
      if (by) shift(all, first + insert.length, all.length, by);
      return all;
    };
    this.start8 = put(this.start8, 'start_utf8', shift8);
    this.end8 = put(this.end8, 'end_utf8', shift8);
    this.start16 = put(this.start16, 'start_utf16', shift16);
    this.end16 = put(this.end16, 'end_utf16', shift16);
    this.kind = put(this.kind, 'kind', 0);
    this.#counts = put(this.#counts, 'counts', 0, wide);
    this.#own = true;
  }

  /** Those of a part of a text, as those of the text. @param {{utf8: number, utf16: number}} base where the part starts @returns {this} */
  movedBy({ utf8, utf16 }) {
    for (const name of ['start8', 'end8']) this[name] = this[name].map(place => place + utf8);
    for (const name of ['start16', 'end16']) this[name] = this[name].map(place => place + utf16);
    return this;
  }

  get length() { return this.start16.length; }

  /** @param {number} kind less than 0: any @returns {Uint32Array<ArrayBuffer>} the numbers of those of a kind; ten megabytes of text have a million */
  numbersOf(kind) {
    const numbers = new Uint32Array(this.length);
    let found = 0;
    for (let n = 0; n < numbers.length; n++) if (kind < 0 || this.kind[n] === kind) numbers[found++] = n;
    return numbers.slice(0, found);
  }

  /** @param {number} n @param {number} column number of the tokenizer @returns {number} its tokens on that stretch */
  count(n, column) { return this.#counts[n * this.#columns + column]; }

  /** @returns {boolean} whether [from, to) in UTF-16 touches a divergence */
  touches(from, to) {
    const n = this.firstEndingAfter(from);
    return n < this.length && this.start16[n] < to;
  }

  /** @param {number} pos UTF-16 @returns {number} number of the first that ends after it */
  firstEndingAfter(pos) { return firstWhere(this.length, n => this.end16[n] > pos); }

  /** Number of the first that starts there or behind it. */
  #firstFrom(pos) { return firstWhere(this.length, n => this.start16[n] >= pos); }
}

const none = Object.fromEntries(['start_utf8', 'end_utf8', 'start_utf16', 'end_utf16', 'kind', 'counts'].map(name => [`divergences/${name}`, new Uint32Array(0)]));

/** Those of a single tokenizer. */
export const NO_DIVERGENCES = new Divergences(none, [], 1);
