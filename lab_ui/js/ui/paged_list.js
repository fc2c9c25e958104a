/** A long list whose rows are read, a page at a time, when they come into the window. */
import { PagedRows } from '../api/paged_rows.js';

/**
 * @template Row
 * @typedef {(offset: number, limit: number) => Promise<{total: number, rows: Row[]}|null>} Load null: it is no longer
 *   wanted
 */

/** @template Row */
export class PagedList {
  #list;
  #size;
  #fail;
  /** @type {PagedRows<Row>|null} */
  #rows = null;
  /** How many times rows were asked for from the first on. */
  #asked = 0;

  /**
   * @param {import('./virtual_list.js').VirtualList} list @param {number} size rows of a page
   * @param {(error: Error) => void} [fail] gets what went wrong while reading
   */
  constructor(list, size, fail = () => {}) {
    this.#list = list;
    this.#size = size;
    this.#fail = fail;
    // A page that could not be read is asked for again when rows come into the window.
    list.addEventListener('scroll', () => this.#rows?.retry(), { passive: true });
  }

  /**
   * Reads other rows, and shows them from the first on.
   * @param {Load<Row>} load
   * @returns {Promise<number|null>} how many there are; null: others were asked for meanwhile
   */
  async show(load) {
    const asked = ++this.#asked;
    const first = await load(0, this.#size).catch(error => {
      if (asked === this.#asked) throw error;
      return null; // why rows failed that nobody waits for any more
    });
    if (!first || asked !== this.#asked) return null; // an answer that came late
    this.hold(first.rows, load);
    this.#list.scrollTop = 0;
    this.#list.chosen = -1;
    this.#list.count = first.total;
    return first.total;
  }

  /**
   * Takes a first page; the others are read anew. Pages under way are of the rows before.
   * @param {Row[]} first @param {(offset: number, limit: number) => Promise<{rows: Row[]}|null>} load
   */
  hold(first, load) {
    const rows = new PagedRows(first, this.#size, load, {
      loaded: () => this.#rows === rows && this.#list.redraw(),
      fail: this.#fail,
    });
    this.#rows = rows;
  }

  /** @param {number} place @returns {Row|undefined} undefined: it is being read */
  at(place) {
    return this.#rows?.at(place);
  }

  /** @param {number} place @returns {Row|undefined} undefined: it has not been read, and is not asked for */
  read(place) {
    return this.#rows?.read(place);
  }

  /** @param {(row: Row) => boolean} test @returns {number} the place of a row that has been read, -1 without one */
  placeOf(test) {
    return this.#rows?.placeOf(test) ?? -1;
  }
}
