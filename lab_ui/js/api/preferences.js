/** What the page remembers between starts, kept by the backend. Saved a moment after the last change. */
import { LabError, request } from './client.js';

const WAIT_MS = 300;

export class Preferences {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {Object|null} what is not saved yet */
  #latest = null;
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

  /** @param {Object} preferences at most 64 kB as JSON */
  save(preferences) {
    this.#latest = preferences;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), WAIT_MS);
  }

  /**
   * Saves at once what is not saved yet.
   * @param {{isClosing?: boolean}} [options] isClosing: the page closes, and the request outlives it
   */
  async flush({ isClosing = false } = {}) {
    clearTimeout(this.#timer);
    if (isClosing) return this.#put({ isClosing });
    this.#saving = this.#saving.then(() => this.#put({ isClosing }));
    return this.#saving;
  }

  /** @param {{isClosing: boolean}} options never throws */
  async #put({ isClosing }) {
    const json = this.#latest;
    if (!json) return;
    this.#latest = null;
    try {
      await request('PUT', 'preferences', { json, keepalive: isClosing });
      this.#shown = '';
    } catch (error) {
      // Without a backend every other part of the lab says so.
      if (!(error instanceof LabError) || error.code === 'backend_gone' || error.message === this.#shown) return;
      this.#shown = error.message;
      this.#showError(error);
    }
  }
}
