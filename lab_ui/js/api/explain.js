/** Why a text is cut where it is, and what every stage did with it; see docs/reference/trace.md. */
import { request } from './client.js';

/** The longest text that is traced, in characters; a text has no more characters than UTF-16 units. */
export const LONGEST_TRACED = 10_000;

/**
 * @param {string} tokenizer
 * @param {string} text
 * @param {number} at byte
 * @param {'parse'|'text'|'reject'} specials
 * @param {AbortSignal} signal
 * @returns {Promise<{cuts: number[], places: import('../text/boundary_facts.js').Place[]}>} one place
 */
export const explain = (tokenizer, text, at, specials, signal) =>
  request('POST', 'explain', { json: { tokenizer, text, at, specials }, signal });

/**
 * Where the model sees another text than was written.
 * @param {string} tokenizer @param {string} text @param {'parse'|'text'|'reject'} specials @param {AbortSignal} signal
 * @returns {Promise<{changes: {span_utf8: [number, number], span_utf16: [number, number], text: string}[]}>}
 */
export const changes = (tokenizer, text, specials, signal) =>
  request('POST', 'changes', { json: { tokenizer, text, specials }, signal });

/**
 * @param {string} tokenizer
 * @param {string} text
 * @param {'parse'|'text'|'reject'} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Object>} a trace
 */
export const trace = (tokenizer, text, specials, signal) =>
  request('POST', 'trace', { json: { tokenizer, text, specials }, signal });
