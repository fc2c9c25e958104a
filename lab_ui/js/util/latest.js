/**
 * Keeps only the newest of several requests for the same thing. Starting one aborts the one before it. An answer that
 * arrives all the same is dropped, so that a stale one is never drawn.
 */
import { isAbort } from './abort.js';

export class Latest {
  #number = 0;
  /** @type {AbortController|null} */
  #abort = null;

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} ask
   * @returns {Promise<T|null>} null if a newer request replaced it, or `stop` was called
   */
  async run(ask) {
    const number = ++this.#number;
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const answer = await ask(abort.signal);
      return number === this.#number ? answer : null;
    } catch (error) {
      if (number !== this.#number || isAbort(error)) return null;
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
