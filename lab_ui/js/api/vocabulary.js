/** Vocabularies: searches, one token, the audit, files, a smaller vocabulary. */
import { ROOT, request } from './client.js';
import { searchParameters } from './vocabulary_query.js';
/** @import {Audit, TokenDetail, TruncatedVocabulary, VocabularyPage} from './schema.d.ts' */

/**
 * @typedef {'reachable'|'unreachable'|'undecided'} Verdict
 */

/** @param {string} tokenizer @param {string} rest */
const path = (tokenizer, rest) => `vocabulary/${encodeURIComponent(tokenizer)}/${rest}`;

/**
 * Returns one page of the matches, and counts of all of them.
 * @param {string} tokenizer
 * @param {import('./vocabulary_query.js').VocabularyQuery} query
 * @param {number} offset
 * @param {number} limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<VocabularyPage>}
 */
export const searchVocabulary = (tokenizer, query, offset, limit, signal) =>
  request('GET', path(tokenizer, `search?${searchParameters(query)}&offset=${offset}&limit=${limit}`), { signal });

/**
 * @param {string} tokenizer @param {number} id @param {AbortSignal} [signal]
 * @returns {Promise<TokenDetail>}
 */
export const vocabularyToken = (tokenizer, id, signal) => request('GET', path(tokenizer, `token/${id}`), { signal });

/** @param {string} tokenizer @param {AbortSignal} [signal] @returns {Promise<Audit>} */
export const auditVocabulary = (tokenizer, signal) => request('GET', path(tokenizer, 'audit'), { signal });

/**
 * @param {string} tokenizer
 * @param {number|null} size all tokens for null
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<TruncatedVocabulary>}
 */
export const truncateVocabulary = (tokenizer, size, text, signal) =>
  request('POST', path(tokenizer, 'truncate'), { json: { text, ...(size === null ? {} : { size }) }, signal });

/**
 * Returns the address of a search's matches as a file.
 * @param {string} tokenizer
 * @param {import('./vocabulary_query.js').VocabularyQuery} query
 * @param {'csv'|'json'} format
 */
export const exportAddress = (tokenizer, query, format) =>
  `${ROOT}/${path(tokenizer, `export?${searchParameters(query)}&format=${format}`)}`;
