/**
 * Entries that rows ask for while they are drawn. Those that are drawn together are asked for together. What could not
 * be had is not asked for again before `retry`: rows that are drawn again because of a failure would ask for ever.
 */
export class EntryLoader {
  #load;
  #loaded;
  #wanted = new Set();
  #asked = new Set();
  #failed = new Set();

  /**
   * @param {(keys: number[]) => Promise<boolean>} load fetches entries, false: they could not be had
   * @param {() => void} loaded called when there are more
   */
  constructor(load, loaded) {
    this.#load = load;
    this.#loaded = loaded;
  }

  /** @param {number} key of an entry that is not there */
  want(key) {
    if (this.#asked.has(key) || this.#failed.has(key)) return;
    if (!this.#wanted.size) queueMicrotask(() => this.#ask());
    this.#wanted.add(key);
  }

  /** What failed may be asked for again. */
  retry() {
    this.#failed.clear();
  }

  async #ask() {
    const keys = [...this.#wanted];
    this.#wanted.clear();
    for (const key of keys) this.#asked.add(key);
    const isLoaded = await this.#load(keys);
    for (const key of keys) {
      this.#asked.delete(key);
      if (!isLoaded) this.#failed.add(key);
    }
    if (isLoaded) this.#loaded();
  }
}
