/** Occurrences of a token or a word in a corpus, and the segmentations of a word. */
import { request } from './client.js';

/**
 * @typedef {{id: number}|{token: string}|{word: string}} Query a token by its id or as the vocabulary spells it, or a
 *   word
 *
 * @typedef {Object} Occurrence
 * @property {number} document of the corpus, from 1
 * @property {string|null} language null: the corpus names none
 * @property {string} before text of the same document
 * @property {string} text whole characters
 * @property {string} after
 * @property {boolean} is_partial whether the token holds only some bytes of its first or last character
 *
 * @typedef {Object} Concordance a page
 * @property {{id: number|null, text: string|null, bytes: string}} found `id`: null for a word
 * @property {Occurrence[]} occurrences
 * @property {string|null} next the start of the next page; null: the end of the corpus was reached
 * @property {number} searched_bytes that this page read
 *
 * @typedef {Object} Segmentations of a word
 * @property {number} occurrences
 * @property {number} distinct how many there are; at most 100 of them are listed
 * @property {{ids: number[], tokens: string[], count: number, share: number, example: Occurrence}[]} segmentations
 * @property {boolean} more whether a part of the corpus was not searched
 * @property {number} searched_bytes
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
 * @returns {Promise<Segmentations>}
 */
export const segmentations = (query, signal) => request('POST', 'concordance/segmentations', { json: query, signal });
