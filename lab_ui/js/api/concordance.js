/** Occurrences of a token or a word in a corpus, and the segmentations of a word. */
import { request } from './client.js';
/** @import {Concordance, WordSegmentations} from './schema.d.ts' */

/**
 * @typedef {{id: number}|{token: string}|{word: string}} Query a token by its id or as the vocabulary spells it, or a
 *   word
 */

const CONTEXT = 80; // characters before and after: half of a wide line

/**
 * @param {{tokenizer: string, corpus: string, start?: string|null} & Query} page `start`: the `next` of the page before
 * @param {AbortSignal} [signal] ends the search
 * @returns {Promise<Concordance>}
 */
export const concordance = (page, signal) =>
  request('POST', 'concordance', { json: { ...page, context: CONTEXT }, signal });

/**
 * @param {{tokenizer: string, corpus: string, word: string}} query @param {AbortSignal} [signal] ends the search
 * @returns {Promise<WordSegmentations>}
 */
export const segmentations = (query, signal) => request('POST', 'concordance/segmentations', { json: query, signal });
