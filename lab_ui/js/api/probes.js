/** What is measured on request: the effects of small edits, and whether reference libraries give the same IDs. */
import { request } from './client.js';
/** @import {Conformance, Job, ReferenceState} from './schema.d.ts' */

/**
 * Starts to measure how far small edits change tokens.
 * @param {{tokenizers: string[], corpus: string}} query
 * @returns {Promise<Job>} its result is a Robustness
 */
export const startRobustness = query => request('POST', 'analyses/robustness', { json: query });

/**
 * @param {string} tokenizer an id
 * @returns {Promise<{references: ReferenceState[], last: {created_at: string, result: Conformance}|null}>}
 */
export const listReferences = tokenizer => request('GET', `conformance/${encodeURIComponent(tokenizer)}`);

/**
 * Starts to compare the IDs of generated texts with those of every reference library that can be asked.
 * @param {string} tokenizer an id
 * @returns {Promise<Job>} its result is a Conformance
 */
export const startConformance = tokenizer => request('POST', 'conformance', { json: { tokenizer } });
