/**
 * Of several requests for the same thing only the newest counts: starting one ends the one before it, and an answer
 * that arrives all the same is thrown away, so that a stale one is never drawn.
 */
export class Latest {
  #number = 0;
  #abort = null;

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} ask
   * @returns {Promise<T|null>} null where a newer request took its place, or `stop` was called
   */
  async run(ask) {
    const number = ++this.#number;
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    try {
      const answer = await ask(abort.signal);
      return number === this.#number ? answer : null;
    } catch (error) {
      if (number !== this.#number || error.name === 'AbortError') return null;
      throw error;
    } finally {
      if (number === this.#number) this.#abort = null;
    }
  }

  get running() {
    return this.#abort !== null;
  }

  stop() {
    this.#number++;
    this.#abort?.abort();
    this.#abort = null;
  }
}
