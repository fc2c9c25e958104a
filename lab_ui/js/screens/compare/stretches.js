/**
 * A compared text as rows: each stretch on which tokenizers differ, and between two of them one stretch on which all
 * agree. The rows follow each other without a gap, so every token starts in exactly one of them.
 */
import { firstWhere } from '../../util/lower_bound.js';

/**
 * @typedef {{number: number, from8: number, to8: number, from16: number, to16: number}} Stretch
 *   `number`: of the divergence, -1 where all agree; bytes, and UTF-16 units that cover whole characters
 */
export class Stretches {
  #divergences;
  #rows;
  #bytes;
  #units;

  /**
   * @param {import('../../text/divergences.js').Divergences} divergences
   * @param {number} bytes of the text
   * @param {number} units of it in UTF-16
   */
  constructor(divergences, bytes, units) {
    this.#divergences = divergences;
    this.#bytes = bytes;
    this.#units = units;
    this.#rows = new Uint32Array(divergences.length);
    const starts = divergences.start8.all();
    const ends = divergences.end8.all();
    let row = 0;
    let reached = 0;
    for (let n = 0; n < divergences.length; n++) {
      if (starts[n] > reached) row++;
      this.#rows[n] = row++;
      reached = ends[n];
    }
    /** How many there are. */
    this.length = row + (reached < bytes ? 1 : 0);
  }

  /** @param {number} row @returns {Stretch} */
  at(row) {
    const { start8, end8, start16, end16, length } = this.#divergences;
    const n = this.#firstFrom(row);
    if (n < length && this.#rows[n] === row)
      return { number: n, from8: start8.at(n), to8: end8.at(n), from16: start16.at(n), to16: end16.at(n) };
    const from16 = n ? end16.at(n - 1) : 0;
    const to16 = n < length ? start16.at(n) : this.#units;
    return {
      number: -1,
      from8: n ? end8.at(n - 1) : 0,
      to8: n < length ? start8.at(n) : this.#bytes,
      from16,
      to16: Math.max(from16, to16),
    };
  }

  /** @param {number} number of a divergence @returns {number} its row, -1 for none */
  rowOf(number) {
    return number < 0 ? -1 : (this.#rows[number] ?? -1);
  }

  /** @param {number} pos UTF-16 @returns {number} the row that holds it */
  rowAt(pos) {
    const n = this.#divergences.firstEndingAfter(pos);
    if (n >= this.#divergences.length) return Math.max(0, this.length - 1);
    return this.#divergences.start16.at(n) <= pos ? this.#rows[n] : Math.max(0, this.#rows[n] - 1);
  }

  /**
   * @param {import('../../text/token_spans.js').TokenSpans} tokens
   * @param {Stretch} stretch
   * @returns {{first: number, end: number}} those that start in it, as `placed` counts them
   */
  tokensIn(tokens, { from8, to8 }) {
    return {
      first: from8 ? tokens.firstStartingAt(from8) : 0,
      end: to8 < this.#bytes ? tokens.firstStartingAt(to8) : tokens.placedCount,
    };
  }

  /** Number of the first divergence whose row is not before `row`. @param {number} row */
  #firstFrom(row) {
    return firstWhere(this.#rows.length, n => this.#rows[n] >= row);
  }
}
