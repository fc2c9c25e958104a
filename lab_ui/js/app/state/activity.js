/**
 * Whether everything that was asked for is drawn. `data-state` of the root is `busy` while anything is under way and
 * `ready` otherwise, which tests wait for. Assistive tools learn it from `aria-busy`, if it takes long.
 */
const LONG_MS = 500;

export class Activity {
  #running = 0;
  #root;
  #main;
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {HTMLElement} root @param {Pick<HTMLElement, 'ariaBusy'>} [main] whose content changes */
  constructor(root, main = { ariaBusy: null }) {
    this.#root = root;
    this.#main = main;
    this.#root.dataset.state = 'busy';
  }

  /** @returns {Promise<void>} settles when nothing is under way any more */
  whenReady() {
    return new Promise(resolve => {
      if (this.#running) this.#waiting.push(resolve);
      else resolve();
    });
  }

  /**
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>} settles as `work` does: what it fails with is the caller's to handle, and is reported as an
   *   uncaught error (`frame/uncaught.js`) if nobody does
   */
  track(work) {
    if (!this.#running++)
      this.#timer = setTimeout(() => {
        this.#main.ariaBusy = 'true';
      }, LONG_MS);
    this.#root.dataset.state = 'busy';
    const done = () => {
      if (--this.#running > 0) return;
      clearTimeout(this.#timer);
      this.#main.ariaBusy = null;
      this.#root.dataset.state = 'ready';
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    return work.finally(done);
  }
}
