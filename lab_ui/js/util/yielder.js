/** Yields to the main thread during long work, so that a frame can be drawn and a key taken in between. */

const SLICE_MS = 10;

export class Yielder {
  #since = performance.now();

  /**
   * Returns at once while the present slice of work is short, else after the tasks that wait.
   * @param {AbortSignal} [signal] ends the work, with an AbortError
   * @returns {Promise<void>}
   */
  async maybeYield(signal) {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTask();
    signal?.throwIfAborted();
    this.#since = performance.now();
  }
}

/** A message arrives after the frame that is due, and is not delayed as a timer is. @returns {Promise<void>} */
const nextTask = () =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
