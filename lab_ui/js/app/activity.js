/**
 * Whether everything that was asked for is drawn. `document.documentElement.dataset.state` says it to tests and to
 * assistive tools: `busy` while anything is under way, `ready` otherwise.
 */
export class Activity {
  #running = 0;
  #root;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#root.dataset.state = 'busy';
  }

  /** @template T @param {Promise<T>} work @returns {Promise<T>} the same promise */
  track(work) {
    this.#running++;
    this.#root.dataset.state = 'busy';
    const done = () => {
      if (--this.#running === 0) this.#root.dataset.state = 'ready';
    };
    work.then(done, done);
    return work;
  }
}
