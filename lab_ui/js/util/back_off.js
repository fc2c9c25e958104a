/** How long to wait before the next try: 1 s, 2 s, 4 s and so on, up to half a minute. */

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

export class BackOff {
  #next = FIRST_MS;

  /** @returns {number} ms */
  next() {
    const wait = this.#next;
    this.#next = Math.min(2 * wait, LONGEST_MS);
    return wait;
  }

  /** A try has succeeded: the next failure waits as the first one did. */
  reset() {
    this.#next = FIRST_MS;
  }
}
