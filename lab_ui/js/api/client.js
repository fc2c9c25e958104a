/** Talks to the backend. Every failure becomes a LabError with a message and a hint, in words for the person. */
import { decodeFrame } from './frame.js';

export const ROOT = 'api/v1';
const LONG_BODY = 60_000; // characters
const PIECE = 1 << 18; // UTF-16 units that are made JSON in one go
const encoder = new TextEncoder();

export class LabError extends Error {
  /** @param {string} code @param {string} message @param {string} [hint] */
  constructor(code, message, hint = '') {
    super(message);
    this.name = 'LabError';
    this.code = code;
    this.hint = hint ?? '';
  }
}

/**
 * @param {string} method @param {string} path below the API's root
 * @param {{json?: Object, body?: Blob, form?: FormData, signal?: AbortSignal, frame?: boolean}} [options] `body`: JSON
 *   that `longBody` made; `frame`: ask for typed arrays
 * @returns {Promise<any>} parsed JSON, a frame, or null for an empty answer
 * @throws {LabError}
 */
export async function request(method, path, { json, body, form, signal, frame = false } = {}) {
  const headers = { Accept: frame ? 'application/octet-stream' : 'application/json' };
  if (json || body) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(`${ROOT}/${path}`, {
      method,
      headers,
      body: json ? bodyOf(JSON.stringify(json)) : (body ?? form),
      signal,
    });
    if (!response.ok) throw await failure(response);
    if (response.status === 204) return null;
    return frame ? decodeFrame(await response.arrayBuffer()) : await response.json();
  } catch (error) {
    if (error.name === 'AbortError' || error instanceof LabError) throw error;
    if (error instanceof RangeError || error instanceof SyntaxError)
      throw new LabError(
        'bad_answer',
        `The lab's backend sent an answer that cannot be read: ${error.message}`,
        'Reload the page; if it stays, the page and the backend come from different versions.',
      );
    throw backendGone();
  }
}

/**
 * @param {string} path below the API's root @param {Object} json
 * @returns {Promise<{name: string, data: Blob}>} a file
 * @throws {LabError}
 */
export async function download(path, json) {
  let response;
  try {
    response = await fetch(`${ROOT}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
  } catch {
    throw backendGone();
  }
  if (!response.ok) throw await failure(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'export';
  return { name, data: await response.blob() };
}

/**
 * A long body goes as a Blob: handed to `fetch` as a string, a megabyte holds the page for three times as long and is
 * under way 40 ms longer.
 */
const bodyOf = text => (text.length < LONG_BODY ? text : new Blob([encoder.encode(text)]));

/**
 * JSON with a long text in it, made in pieces: ten megabytes would hold the page for longer than a frame.
 * @param {Object} fields beside the text @param {{length: number, slice: (from: number, to: number) => string}} text
 * @param {import('../util/breath.js').Breath} breath
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>} the text is its field `text`
 */
export async function longBody(fields, text, breath, signal) {
  /** @type {BlobPart[]} */
  const parts = [`${JSON.stringify(fields).slice(0, -1)},"text":"`];
  // A pair of surrogates that is cut in two is escaped as two halves, which make one character again.
  for (let from = 0; from < text.length; from += PIECE) {
    parts.push(encoder.encode(JSON.stringify(text.slice(from, Math.min(text.length, from + PIECE))).slice(1, -1)));
    await breath.turn(signal);
  }
  return new Blob([...parts, '"}']);
}

const backendGone = () =>
  new LabError(
    'backend_gone',
    "The lab's backend does not answer.",
    'It may have been closed. Start the lab again; the text stays in this window until you close it.',
  );

async function failure(response) {
  const { status } = response;
  try {
    const { error } = await response.json();
    return new LabError(error.code, error.message, error.hint);
  } catch {
    if (status === 401)
      return new LabError(
        'unauthorized',
        'This page has no access to the backend.',
        'Open the address that the lab printed when it started; it carries the key.',
      );
    if (status === 413)
      return new LabError(
        'too_large',
        'The text is larger than the backend takes.',
        'Cut it into parts, or encode the file with the command line.',
      );
    return new LabError(
      'internal',
      `The backend answered with status ${status}.`,
      'The terminal that runs the lab may say more.',
    );
  }
}
