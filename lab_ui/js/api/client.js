/** Sends requests to the backend. Every failure becomes a LabError with a message and a hint for the reader. */
import { isAbort } from '../util/abort.js';
import { decodeFrame } from './frame.js';

export const ROOT = 'api/v1';
const LONG_BODY = 60_000; // characters
const SLICE = 1 << 18; // UTF-16 units that are made JSON in one go
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
 * Sends a request. The caller names the type of the answer, which nothing checks.
 * @template Answer
 * @param {string} method @param {string} path below the API's root
 * @param {{json?: Object, body?: Blob, form?: FormData, signal?: AbortSignal, frame?: boolean, keepalive?: boolean}}
 *   [options] `body`: JSON, as `longBody` makes it; `frame`: as typed arrays; `keepalive`: the request outlives the
 *   page, with at most 64 kB
 * @returns {Promise<Answer>} parsed JSON, a frame, or null for an empty answer
 * @throws {LabError}
 */
export async function request(method, path, { json, body, form, signal, frame = false, keepalive = false } = {}) {
  /** @type {Object<string, string>} */
  const headers = { Accept: frame ? 'application/octet-stream' : 'application/json' };
  if (json || body) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(`${ROOT}/${path}`, {
      method,
      headers,
      body: json ? bodyOf(JSON.stringify(json)) : (body ?? form),
      signal,
      keepalive,
    });
    if (!response.ok) throw await failure(response);
    return await contentOf(response, frame);
  } catch (error) {
    if (isAbort(error) || error instanceof LabError) throw error;
    if (error instanceof RangeError || error instanceof SyntaxError) throw badAnswer(error);
    throw backendGone();
  }
}

/**
 * @param {string} path below the API's root @param {Object|null} [json] the body of a POST; null: a GET
 * @returns {Promise<{name: string, data: Blob}>} a file
 * @throws {LabError}
 */
export async function download(path, json = null) {
  try {
    const response = await fetch(
      `${ROOT}/${path}`,
      json
        ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) }
        : { method: 'GET' },
    );
    if (!response.ok) throw await failure(response);
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'export';
    return { name, data: await response.blob() };
  } catch (error) {
    throw error instanceof LabError ? error : backendGone(); // it can go in the middle of a file, too
  }
}

/**
 * Returns a body, a long one as a Blob: as a string, `fetch` blocks the page for three times as long per megabyte and
 * sends it 40 ms later.
 * @param {string} text
 */
const bodyOf = text => (text.length < LONG_BODY ? text : new Blob([encoder.encode(text)]));

/**
 * Makes JSON with a long text in it, in slices: ten megabytes at once would block the page for longer than a frame.
 * @param {Object} fields all but the text @param {{length: number, slice: (from: number, to: number) => string}} text
 * @param {import('../util/yielder.js').Yielder} yielder
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>} `fields` and the field `text`
 */
export async function longBody(fields, text, yielder, signal) {
  /** @type {BlobPart[]} */
  const parts = [`${JSON.stringify(fields).slice(0, -1)},"text":"`];
  // A surrogate pair split between two slices is escaped as two halves, which JSON joins again.
  for (let from = 0; from < text.length; from += SLICE) {
    parts.push(encoder.encode(JSON.stringify(text.slice(from, Math.min(text.length, from + SLICE))).slice(1, -1)));
    await yielder.maybeYield(signal);
  }
  return new Blob([...parts, '"}']);
}

/**
 * @param {Response} response @param {boolean} frame
 * @returns {Promise<any>} of the type that the caller of `request` names: here it cannot be known
 */
async function contentOf(response, frame) {
  if (response.status === 204) return null;
  return frame ? decodeFrame(await response.arrayBuffer()) : response.json();
}

/** @param {unknown} error why the answer cannot be read */
export const badAnswer = error =>
  new LabError(
    'bad_answer',
    `The lab's backend sent an answer that cannot be read: ${error instanceof Error ? error.message : error}`,
    'Reload the page; if it stays, the page and the backend come from different versions.',
  );

const backendGone = () =>
  new LabError(
    'backend_gone',
    "The lab's backend does not answer.",
    'It may have been closed. Start the lab again; the text stays in this window until you close it.',
  );

/** @param {Response} response @returns {Promise<LabError>} */
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
