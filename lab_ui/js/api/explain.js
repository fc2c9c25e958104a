/** Why a text has a boundary at a place, and what every stage did with it; see docs/reference/trace.md. */
import { request } from './client.js';

/**
 * @typedef {import('./types.js').Span} Span
 * @typedef {import('./types.js').Specials} Specials
 * @typedef {{tokenizer: string, text_bytes: number, boundaries: number[], places: import('./types.js').Place[],
 *   left_out: number}} Explanation
 * @typedef {{span_utf8: Span, span_utf16: Span, text: string}} TextChange what the model sees in place of a span
 *
 * @typedef {{id: number, span: Span|null}} TracedToken `span` null: the postprocessor added it
 * @typedef {{step: string, pieces: {text: string, span: Span, added: number|null}[]}} TracedStep
 * @typedef {{text: string, span: Span, alignment: Span[], cut_by: string|null, branch: string|null, user_defined:
 *   Span[], steps: {model: string}, tokens: TracedToken[]}} Pretoken `steps` has the fields of its model, too
 * @typedef {{text_bytes: number, normalizer: TracedStep[], pretokenizer: TracedStep[], pretokens: Pretoken[], tokens:
 *   TracedToken[]}} Trace
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
