/** The stretches on which tokenizers differ, in the order of the text. */
import { firstWhere } from '../util/lower_bound.js';
import { GapArray } from './gap_array.js';

/** @typedef {import('../api/types.js').Arrays} Arrays */

export class Divergences {
  #counts;
  #columns;

  /**
   * @param {Arrays} arrays those of a frame
   * @param {string[]} kinds their names
   * @param {number} columns one per tokenizer
   * @param {{utf8: number, utf16: number}} [base] where the text that was compared starts, if it is an excerpt
   */
  constructor(arrays, kinds, columns, base = { utf8: 0, utf16: 0 }) {
    /** @param {string} name @param {number} [by] */
    const list = (name, by = 0) => {
      const array = arrays[`divergences/${name}`];
      return new GapArray(by ? array.map(place => place + by) : array);
    };
    this.kinds = kinds;
    this.start8 = list('start_utf8', base.utf8);
    this.end8 = list('end_utf8', base.utf8);
    this.start16 = list('start_utf16', base.utf16);
    this.end16 = list('end_utf16', base.utf16);
    this.kind = list('kind');
    this.#counts = list('counts');
    this.#columns = columns;
  }

  /**
   * Replaces those that start in a range of the old text. Those after it move without being written: a text of ten
   * megabytes has a million.
   * @param {import('../api/types.js').Span} range UTF-16
   * @param {Arrays} arrays the new ones
   * @param {{shift8: number, shift16: number}} shifts
   */
  splice([from, to], arrays, { shift8, shift16 }) {
    const first = this.#firstFrom(from);
    const removed = this.#firstFrom(to) - first;
    const wide = this.#columns;
    /** @param {GapArray} list @param {string} name @param {number} by @param {number} [width] */
    const put = (list, name, by, width = 1) =>
      list.splice(first * width, removed * width, arrays[`divergences/${name}`], by);
    put(this.start8, 'start_utf8', shift8);
    put(this.end8, 'end_utf8', shift8);
    put(this.start16, 'start_utf16', shift16);
    put(this.end16, 'end_utf16', shift16);
    put(this.kind, 'kind', 0);
    put(this.#counts, 'counts', 0, wide);
  }

  get length() {
    return this.start16.length;
  }

  /**
   * @param {number} kind negative: any
   * @returns {Uint32Array<ArrayBuffer>} the numbers of the divergences of a kind; ten megabytes of text have a million
   */
  numbersOf(kind) {
    const numbers = new Uint32Array(this.length);
    const kinds = this.kind.all();
    let found = 0;
    for (let n = 0; n < numbers.length; n++) if (kind < 0 || kinds[n] === kind) numbers[found++] = n;
    return numbers.slice(0, found);
  }

  /** @param {number} n @param {number} column number of the tokenizer @returns {number} its tokens on that stretch */
  count(n, column) {
    return this.#counts.at(n * this.#columns + column);
  }

  /** Whether [from, to) touches a divergence. @param {number} from @param {number} to both UTF-16 */
  touches(from, to) {
    const n = this.firstEndingAfter(from);
    return n < this.length && this.start16.at(n) < to;
  }

  /** @param {number} pos UTF-16 @returns {number} number of the first that ends after it */
  firstEndingAfter(pos) {
    return firstWhere(this.length, n => this.end16.at(n) > pos);
  }

  /** Number of the first that starts there or after it. @param {number} pos UTF-16 */
  #firstFrom(pos) {
    return firstWhere(this.length, n => this.start16.at(n) >= pos);
  }
}

const none = Object.fromEntries(
  ['start_utf8', 'end_utf8', 'start_utf16', 'end_utf16', 'kind', 'counts'].map(name => [
    `divergences/${name}`,
    new Uint32Array(0),
  ]),
);

/** Those of a single tokenizer. */
export const NO_DIVERGENCES = new Divergences(none, [], 1);
