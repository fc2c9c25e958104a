/** The rows of a long list, by their place: the first page is here, the others are read when a row of them is drawn. */
import { EntryLoader } from './entry_loader.js';

/** @template Row */
export class PagedRows {
  #size;
  #loader;
  /** @type {Map<number, Row[]>} */
  #pages;

  /**
   * @param {Row[]} first page
   * @param {number} size rows of a page
   * @param {(offset: number, limit: number) => Promise<{rows: Row[]}|null>} load null: it is no longer wanted
   * @param {{loaded: () => void, fail: (error: Error) => void}} options `loaded` is called when rows were read that
   *   `at` was asked for, `fail` gets why they could not be read
   */
  constructor(first, size, load, { loaded, fail }) {
    this.#size = size;
    this.#pages = new Map([[0, first]]);
    const read = async (/** @type {number} */ page) => {
      const answer = await load(page * size, size);
      if (answer) this.#pages.set(page, answer.rows);
      return answer !== null;
    };
    this.#loader = new EntryLoader(async pages => {
      try {
        return (await Promise.all(pages.map(read))).every(Boolean);
      } catch (error) {
        fail(/** @type {Error} */ (error));
        return false;
      }
    }, loaded);
  }

  /** @param {number} place @returns {Row|undefined} undefined: it is being read */
  at(place) {
    const row = this.read(place);
    if (!row) this.#loader.want(Math.floor(place / this.#size));
    return row;
  }

  /** @param {number} place @returns {Row|undefined} undefined: it has not been read, and is not asked for */
  read(place) {
    return this.#pages.get(Math.floor(place / this.#size))?.[place % this.#size];
  }

  /** @param {(row: Row) => boolean} test @returns {number} the place of a row that has been read, -1 without one */
  placeOf(test) {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex(test);
      if (at >= 0) return page * this.#size + at;
    }
    return -1;
  }

  /** Lets rows that could not be read be asked for again. */
  retry() {
    this.#loader.retry();
  }
}
