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
 * @typedef {{step: string, pretokens: {text: string, span: Span, added: number|null}[]}} TracedStep
 * @typedef {{rank: number, pair: [number, number], id: number, span: Span, score: number|null}} TracedMerge
 * @typedef {{rank: number, pair: [number, number], by: number, score: number|null}} BlockedMerge
 * @typedef {{byte: number, pair: [number, number], blocked: BlockedMerge[]}} MergeBoundary
 * @typedef {{model: 'bpe', whole: boolean, symbols: TracedToken[], merges: TracedMerge[], boundaries: MergeBoundary[]}}
 *   BpeSteps
 * @typedef {{tokens: TracedToken[], score: number}} LatticePath
 * @typedef {LatticePath & {span: Span, left_out: number}} AlternativePath
 * @typedef {{text: string, span: Span, n_best: (LatticePath & {probability: number})[],
 *   boundaries: {byte: number, character: number, probability: number}[]}} LatticeUnit
 * @typedef {{model: 'unigram', nodes: {id: number|null, span: Span, score: number}[], best: LatticePath,
 *   runner_up: LatticePath|null, without: [number, AlternativePath|null][], units: LatticeUnit[]}} UnigramSteps
 * @typedef {{model: 'word_piece', too_long: boolean,
 *   tries: {byte: number, candidates: string[], tried: number, found: number|null}[]}} WordPieceSteps
 * @typedef {{model: 'added'|'word_level'|'words'|'characters'}} PlainSteps
 * @typedef {{text: string, span: Span, alignment: Span[], split_by: string|null, branch: string|null, user_defined:
 *   Span[], steps: BpeSteps|UnigramSteps|WordPieceSteps|PlainSteps, tokens: TracedToken[]}} Pretoken
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
