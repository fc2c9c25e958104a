/** Why a text has a boundary at a place, and what every stage did with it; see docs/reference/trace.md. */
import { request } from './client.js';
/** @import {Explanation, TextChange, Trace} from './schema.d.ts' */

/**
 * @typedef {import('./types.js').Span} Span
 * @typedef {import('./types.js').Specials} Specials
 */

/** The longest text that is traced, in characters; a text has no more characters than UTF-16 code units. */
export const LONGEST_TRACED = 10_000;

/**
 * @param {string} tokenizer
 * @param {string} text
 * @param {number} at byte
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Explanation>} of one place
 */
export const explain = (tokenizer, text, at, specials, signal) =>
  request('POST', 'explain', { json: { tokenizer, text, at, specials }, signal });

/**
 * Lists where the model sees another text than was written.
 * @param {string} tokenizer @param {string} text @param {Specials} specials @param {AbortSignal} signal
 * @returns {Promise<{tokenizer: string, text_bytes: number, changes: TextChange[]}>}
 */
export const changes = (tokenizer, text, specials, signal) =>
  request('POST', 'normalization_changes', { json: { tokenizer, text, specials }, signal });

/**
 * @param {string} tokenizer
 * @param {string} text
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Trace>}
 */
export const trace = (tokenizer, text, specials, signal) =>
  request('POST', 'trace', { json: { tokenizer, text, specials }, signal });
