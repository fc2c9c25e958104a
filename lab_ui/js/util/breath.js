/** Long work in the page, done in pieces, so that a frame can be drawn and a key taken between them. */

const PIECE_MS = 10;

export class Breath {
  #since = performance.now();

  /**
   * Goes on at once while the piece is short, and after what waits otherwise.
   * @param {AbortSignal} [signal] ends the work, with an AbortError
   * @returns {Promise<void>}
   */
  async turn(signal) {
    if (performance.now() - this.#since < PIECE_MS) return;
    await nextTask();
    signal?.throwIfAborted();
    this.#since = performance.now();
  }
}

/** A message comes after the frame that is due, and is not held back as a timer is. */
const nextTask = () =>
  new Promise((/** @type {(value?: any) => void} */ resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
