/**
 * Loads the entries that rows want while they are drawn, those of one drawing together. An entry that failed to load is
 * not requested again before `retry`: rows that are redrawn after a failure would request it for ever.
 */
export class EntryLoader {
  #load;
  #loaded;
  /** @type {Set<number>} */
  #wanted = new Set();
  /** @type {Set<number>} */
  #loading = new Set();
  /** @type {Set<number>} */
  #failed = new Set();

  /**
   * @param {(keys: number[]) => Promise<boolean>} load fetches entries; false: it failed
   * @param {() => void} loaded called when more are loaded
   */
  constructor(load, loaded) {
    this.#load = load;
    this.#loaded = loaded;
  }

  /** @param {number} key of an entry that is missing */
  want(key) {
    if (this.#loading.has(key) || this.#failed.has(key)) return;
    if (!this.#wanted.size) queueMicrotask(() => this.#request());
    this.#wanted.add(key);
  }

  /** Lets what failed be requested again. */
  retry() {
    this.#failed.clear();
  }

  async #request() {
    const keys = [...this.#wanted];
    this.#wanted.clear();
    for (const key of keys) this.#loading.add(key);
    const isLoaded = await this.#load(keys);
    for (const key of keys) {
      this.#loading.delete(key);
      if (!isLoaded) this.#failed.add(key);
    }
    if (isLoaded) this.#loaded();
  }
}
