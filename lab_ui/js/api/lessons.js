/** Every step of an algorithm on a text; see docs/reference/lessons.md. */
import { request } from './client.js';

/**
 * @param {string} name of the lesson
 * @param {{tokenizer: string, text: string, specials: import('./types.js').Specials}} json
 * @param {AbortSignal} signal
 * @returns {Promise<{facts: any, frames: Uint8Array, ends: Uint32Array}>} `frames`: JSON objects one after the other;
 *   `ends`: where each of them ends
 */
export async function lesson(name, json, signal) {
  /** @type {import('./types.js').Frame<any>} */
  const { header, arrays } = await request('POST', `lessons/${name}`, { json, signal, frame: true });
  return {
    facts: header,
    frames: /** @type {Uint8Array} */ (arrays.frames),
    ends: /** @type {Uint32Array} */ (arrays.ends),
  };
}
