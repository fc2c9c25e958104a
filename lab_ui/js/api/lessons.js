/**
 * Every step of an algorithm on a text, and marks for what learners do; see docs/reference/lessons.md and exercises.md.
 */
import { request } from './client.js';

/**
 * @param {string} name of the lesson
 * @param {{tokenizer: string, text: string, specials: import('./types.js').Specials, learn?: number,
 *   seed?: number}} json
 *   `learn`: tokens of a lesson on training; `seed`: of what a lesson draws
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

/**
 * Marks a guess of where tokens end.
 * @param {{tokenizer: string, text: string, guess: number[], specials: import('./types.js').Specials}} json `guess`:
 *   bytes
 * @param {AbortSignal} signal
 * @returns {Promise<import('./schema.d.ts').MarkedBoundaries>}
 */
export const placeBoundaries = (json, signal) => request('POST', 'lessons/boundaries', { json, signal });
