/** What is measured on request: the effects of small edits, and whether reference libraries give the same IDs. */
import { request } from './client.js';

/**
 * @typedef {{kind: string, edits: number, moved_outside: number|null, moved_outside_share: number|null, reach_bytes:
 *   {mean: number, p95: number, max: number}|null, count_changed_share: number|null, relative_tokens: number|null}}
 *   KindRobustness
 * @typedef {{corpus: string, sentences: number, tokenizers: {tokenizer: string, kinds: KindRobustness[],
 *   noise: {level: number, relative_tokens: number|null}[]}[]}} Robustness
 */

/**
 * Starts to measure how far small edits change tokens.
 * @param {{tokenizers: string[], corpus: string}} query
 * @returns {Promise<import('./jobs.js').Job>} its result is a Robustness
 */
export const startRobustness = query => request('POST', 'analyses/robustness', { json: query });

/**
 * @typedef {{name: string, version: string|null, install: string|null, misfit: string|null}} Reference
 * @typedef {{source: string, documents: number, bytes: number, equal: number, different: number}} ComparedTexts
 * @typedef {{text: string, ours: number[], theirs: number[]|null, problem: string|null}} Difference
 * @typedef {{reference: string, version: string, compared: ComparedTexts[], smallest: Difference[]}} Against
 * @typedef {{tokenizer: string, against: Against[], same: boolean|null}} Conformance
 */

/**
 * @param {string} tokenizer an id
 * @returns {Promise<{references: Reference[], last: {created_at: string, result: Conformance}|null}>}
 */
export const listReferences = tokenizer => request('GET', `conformance/${encodeURIComponent(tokenizer)}`);

/**
 * Starts to compare the IDs of generated texts with those of every reference library that can be asked.
 * @param {string} tokenizer an id
 * @returns {Promise<import('./jobs.js').Job>} its result is a Conformance
 */
export const startConformance = tokenizer => request('POST', 'conformance', { json: { tokenizer } });
