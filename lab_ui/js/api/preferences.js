/**
 * What the page remembers between starts, kept by the backend. What was changed is saved a moment after the last
 * change, and nothing else: another page of the lab may have changed other values.
 */
import { LabError, request } from './client.js';

const WAIT_MS = 300;

export class Preferences {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {Object<string, any>} what is not saved yet */
  #changes = {};
  /** The save under way: a later one waits for it, so that the older values cannot arrive last. */
  #saving = Promise.resolve();
  /** Why the last save was refused: shown once, not after every change. */
  #shown = '';
  #showError;

  /** @param {(error: LabError) => void} [showError] called if a save was refused */
  constructor(showError = () => {}) {
    this.#showError = showError;
  }

  /** @returns {Promise<Object<string, any>>} {} if there are none @throws {LabError} */
  load() {
    return request('GET', 'preferences');
  }

  /** @param {Object<string, any>} changes new values by name; all that are kept have at most 64 kB as JSON */
  save(changes) {
    Object.assign(this.#changes, changes);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), WAIT_MS);
  }

  /**
   * Saves at once what is not saved yet.
   * @param {{isClosing?: boolean}} [options] isClosing: the page closes, and the request outlives it
   */
  async flush({ isClosing = false } = {}) {
    clearTimeout(this.#timer);
    if (isClosing) return this.#send({ isClosing });
    this.#saving = this.#saving.then(() => this.#send({ isClosing }));
    return this.#saving;
  }

  /** @param {{isClosing: boolean}} options never throws */
  async #send({ isClosing }) {
    const json = this.#changes;
    if (!Object.keys(json).length) return;
    this.#changes = {};
    try {
      await request('PATCH', 'preferences', { json, keepalive: isClosing });
      this.#shown = '';
    } catch (error) {
      this.#changes = { ...json, ...this.#changes }; // sent again with the next change
      // Without a backend every other part of the lab says so.
      if (!(error instanceof LabError) || error.code === 'backend_gone' || error.message === this.#shown) return;
      this.#shown = error.message;
      this.#showError(error);
    }
  }
}
