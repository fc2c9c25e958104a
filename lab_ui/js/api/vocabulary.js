/** Vocabularies: searches, one token, the audit, files, a smaller vocabulary. */
import { ROOT, request } from './client.js';
import { parametersOf } from './vocabulary_query.js';

const path = (tokenizer, rest) => `vocabulary/${encodeURIComponent(tokenizer)}/${rest}`;

/**
 * One page of what is found, and counts of all of it; see docs/reference/http-api.md.
 * @param {string} tokenizer
 * @param {import('./vocabulary_query.js').VocabularyQuery} query
 * @param {number} offset
 * @param {number} limit
 * @param {AbortSignal} [signal]
 */
export const searchVocabulary = (tokenizer, query, offset, limit, signal) =>
  request('GET', path(tokenizer, `search?${parametersOf(query)}&offset=${offset}&limit=${limit}`), { signal });

/** @param {string} tokenizer @param {number} id @param {AbortSignal} [signal] */
export const vocabularyToken = (tokenizer, id, signal) => request('GET', path(tokenizer, `token/${id}`), { signal });

/** @param {string} tokenizer @param {AbortSignal} [signal] */
export const auditVocabulary = (tokenizer, signal) => request('GET', path(tokenizer, 'audit'), { signal });

/**
 * @param {string} tokenizer
 * @param {number|null} size all tokens for null
 * @param {string} text
 * @param {AbortSignal} [signal]
 */
export const cutVocabulary = (tokenizer, size, text, signal) =>
  request('POST', path(tokenizer, 'cut'), { json: { text, ...(size === null ? {} : { size }) }, signal });

/**
 * Where the file of a search is.
 * @param {string} tokenizer
 * @param {import('./vocabulary_query.js').VocabularyQuery} query
 * @param {'csv'|'json'} format
 */
export const exportAddress = (tokenizer, query, format) =>
  `${ROOT}/${path(tokenizer, `export?${parametersOf(query)}&format=${format}`)}`;
