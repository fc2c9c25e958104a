/**
 * A WebSocket that carries the edits of one text and their answers. A request for every key costs 4 ms, most of it
 * headers on both sides; a message 1 ms. If there is no connection, edits go as requests (`documents`).
 */
import { decodeFrame } from './frame.js';
import { LabError, ROOT, badAnswer } from './client.js';

/**
 * @template Header
 * @typedef {{resolve: (answer: import('./types.js').Frame<Header>) => void, reject: (error: Error) => void, end: () =>
 *   void}} Pending the edit that has no answer yet; `end` stops listening to its signal
 */

/** @template Header of the answers */
export class EditLine {
  /** @type {WebSocket|null} */
  #socket;
  /** @type {Pending<Header>|null} */
  #pending = null;

  /** @param {string} path below the API's root */
  constructor(path) {
    const address = new URL(`${ROOT}/${path}`, document.baseURI);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = opened(address);
    this.#socket = socket;
    if (!socket) return;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.#answer(data);
    // Whether the edit was applied is unknown: the text has to be opened again.
    socket.onclose = () => this.#fail(new LabError('document_gone', 'The connection to the backend ended.'));
  }

  /** Whether an edit can be sent. At most one is pending. */
  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {{version: number, start_utf16: number, end_utf16: number, text: string}} edit
   * @param {AbortSignal} signal stops waiting for the answer
   * @returns {Promise<import('./types.js').Frame<Header>>}
   * @throws {LabError}
   */
  send(edit, signal) {
    return new Promise((resolve, reject) => {
      const stop = () => this.#stop();
      // The signal outlives this edit, so the listener must go.
      this.#pending = { resolve, reject, end: () => signal.removeEventListener('abort', stop) };
      signal.addEventListener('abort', stop, { once: true });
      this.#socket?.send(JSON.stringify(edit));
    });
  }

  /** One that is being made is closed when it is there: a browser reports one that is given up as an error. */
  close() {
    const socket = this.#socket;
    if (!socket) return;
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  /** Closes the connection too, so that the late answer is not taken for that of another edit. */
  #stop() {
    this.#fail(new DOMException('stopped', 'AbortError'));
    this.close();
  }

  /** @param {ArrayBuffer|string} data */
  #answer(data) {
    const pending = this.#settled();
    if (!pending) return;
    try {
      if (typeof data !== 'string') {
        pending.resolve(decodeFrame(data));
        return;
      }
      const { code, message, hint } = JSON.parse(data).error;
      pending.reject(new LabError(code, message, hint));
    } catch (error) {
      pending.reject(badAnswer(error));
    }
  }

  /** @param {Error} error */
  #fail(error) {
    this.#settled()?.reject(error);
  }

  /** Takes the pending edit, if there is one. */
  #settled() {
    const pending = this.#pending;
    this.#pending = null;
    pending?.end();
    return pending;
  }
}

/**
 * @param {URL} address
 * @returns {WebSocket|null} null: older WebKits throw if `connect-src 'self'` does not cover `ws:` for them
 */
function opened(address) {
  try {
    return new WebSocket(address);
  } catch {
    return null;
  }
}
