/** What is measured on a sample of a corpus: the effects of small edits. */
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
