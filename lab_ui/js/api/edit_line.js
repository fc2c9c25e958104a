/**
 * A connection that stays open, on which edits of one text go and their answers come. A request for every key costs 4
 * ms, most of it headers on both sides; a message 1 ms. Where it cannot be had, edits go as requests (`documents`).
 */
import { decodeFrame } from './frame.js';
import { LabError, ROOT } from './client.js';

export class EditLine {
  /** @type {WebSocket|null} */
  #socket = null;
  #asked = null;

  /** @param {string} path below the API's root */
  constructor(path) {
    const address = new URL(`${ROOT}/${path}`, document.baseURI);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = (this.#socket = opened(address));
    if (!socket) return;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.#answer(data);
    // What became of the edit is not known: the text has to be opened again.
    socket.onclose = () =>
      this.#settle(({ reject }) => reject(new LabError('document_gone', 'The connection to the backend ended.')));
  }

  /** Whether an edit can be sent. One at a time is under way. */
  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {Object} edit
   * @param {AbortSignal} signal gives up waiting
   * @returns {Promise<{header: Object, arrays: Object}>}
   * @throws {LabError}
   */
  send(edit, signal) {
    return new Promise((resolve, reject) => {
      const stop = () => this.#stop();
      // the signal lives for many edits
      this.#asked = { resolve, reject, end: () => signal.removeEventListener('abort', stop) };
      signal.addEventListener('abort', stop, { once: true });
      this.#socket.send(JSON.stringify(edit));
    });
  }

  close() {
    this.#socket?.close();
  }

  /** The answer that still comes must not be taken for that of another edit. */
  #stop() {
    this.#settle(({ reject }) => reject(new DOMException('stopped', 'AbortError')));
    this.close();
  }

  #answer(data) {
    this.#settle(({ resolve, reject }) => {
      try {
        if (typeof data !== 'string') {
          resolve(decodeFrame(data));
          return;
        }
        const { code, message, hint } = JSON.parse(data).error;
        reject(new LabError(code, message, hint));
      } catch (error) {
        reject(
          new LabError(
            'bad_answer',
            `The lab's backend sent an answer that cannot be read: ${error.message}`,
            'Reload the page; if it stays, the page and the backend come from different versions.',
          ),
        );
      }
    });
  }

  #settle(tell) {
    const asked = this.#asked;
    this.#asked = null;
    if (!asked) return;
    asked.end();
    tell(asked);
  }
}

/**
 * @param {URL} address
 * @returns {WebSocket|null} null: older WebKits throw where `connect-src 'self'` does not cover `ws:` for them
 */
function opened(address) {
  try {
    return new WebSocket(address);
  } catch {
    return null;
  }
}
