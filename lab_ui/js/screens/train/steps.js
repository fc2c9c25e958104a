/**
 * The steps of a training that were read so far, by their place from the first one. While a training runs, the newest
 * are read again and again; the others when a row of the table asks for them. Knows nothing of the page.
 */
import { EntryLoader } from '../../api/entry_loader.js';
import { isAbort } from '../../util/abort.js';

export const PAGE = 200;

/**
 * @typedef {import('../../api/trainings.js').StepRow} StepRow
 * @typedef {import('../../api/trainings.js').StepOrder} StepOrder
 * @typedef {{offset: number, limit: number, order: StepOrder}} Query
 * @typedef {(query: Query) => Promise<{total: number, rows: StepRow[]}>} Read
 */
export class Steps {
  #read;
  #fail;
  #loader;
  /** @type {Map<number, StepRow>} */
  #rows = new Map();
  /** Steps that were made, as far as is known. */
  total = 0;

  /**
   * @param {Read} read @param {() => void} changed called when rows were read that `at` was asked for
   * @param {(error: Error) => void} fail gets why they could not be read
   */
  constructor(read, changed, fail) {
    this.#read = read;
    this.#fail = fail;
    this.#loader = new EntryLoader(pages => this.#readPages(pages), changed);
  }

  /** @param {number} place from 0 @returns {StepRow|null} null: it is being read */
  at(place) {
    const row = this.#rows.get(place) ?? null;
    if (!row) this.#loader.want(Math.floor(place / PAGE));
    return row;
  }

  /** Lets rows that could not be read be asked for again. */
  retry() {
    this.#loader.retry();
  }

  /** Reads the newest steps. @returns {Promise<boolean>} whether there are others than before */
  async readNewest() {
    const { total, rows } = await this.#read({ offset: 0, limit: PAGE, order: 'newest' });
    const isOther = total !== this.total;
    if (total < this.total) this.#rows.clear(); // it was resumed from a checkpoint, and makes them again
    this.total = total;
    rows.forEach((row, n) => this.#rows.set(total - 1 - n, row));
    return isOther;
  }

  /** @param {number[]} pages */
  async #readPages(pages) {
    try {
      for (const page of pages) {
        const offset = page * PAGE;
        const { rows } = await this.#read({ offset, limit: PAGE, order: 'first' });
        rows.forEach((row, n) => this.#rows.set(offset + n, row));
      }
      return true;
    } catch (error) {
      if (!isAbort(error)) this.#fail(/** @type {Error} */ (error));
      return false;
    }
  }
}
