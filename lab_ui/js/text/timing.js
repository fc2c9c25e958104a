/** Delays that can be aborted, debounced and throttled. The clock is passed in by tests. */

const LONG = 60_000; // UTF-16 units; above that a burst of keys is throttled
const PAUSE_MS = 120;
const BURST_MS = 400;

/**
 * @typedef {Object} Clock
 * @property {() => number} now
 * @property {(callback: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */

/** @type {Clock} the page's own clock */
export const PAGE_CLOCK = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(timer),
};

/**
 * @param {number} ms
 * @param {AbortSignal} signal ends the wait at once, with an AbortError; it may live for many waits
 * @param {Clock} [clock]
 * @returns {Promise<void>}
 */
export const delay = (ms, signal, clock = PAGE_CLOCK) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clock.clearTimeout(timer);
      reject(new DOMException('stopped', 'AbortError'));
    };
    const timer = clock.setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** One action after a wait, unless another wait begins before. Cheaper than `delay`, for what every key puts off. */
export class Debounce {
  #clock;
  #timer = null;
  /** @type {((elapsed: boolean) => void)|null} */
  #settle = null;

  /** @param {Clock} [clock] */
  constructor(clock = PAGE_CLOCK) {
    this.#clock = clock;
  }

  /** @param {number} ms @returns {Promise<boolean>} false if another wait took its place, or `stop` was called */
  wait(ms) {
    this.stop();
    return new Promise(settle => {
      this.#settle = settle;
      this.#timer = this.#clock.setTimeout(() => this.#end(true), ms);
    });
  }

  stop() {
    this.#clock.clearTimeout(this.#timer);
    this.#end(false);
  }

  /** @param {boolean} elapsed */
  #end(elapsed) {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(elapsed);
  }
}

/**
 * When to send a whole text: a short one at every key; a long one that cannot be edited in the backend at the first
 * key, and then at the next pause in the typing.
 */
export class Throttle {
  #clock;
  #last = -Infinity;

  /** @param {Clock} [clock] */
  constructor(clock = PAGE_CLOCK) {
    this.#clock = clock;
  }

  /**
   * @param {number} length UTF-16
   * @param {AbortSignal} signal ends the wait at once
   * @returns {Promise<void>} settles when the text is to be sent
   */
  async ready(length, signal) {
    const now = this.#clock.now();
    const isBurst = now - this.#last < BURST_MS;
    this.#last = now;
    if (length >= LONG && isBurst) await delay(PAUSE_MS, signal, this.#clock);
  }
}
