/** Vocabularies: searches, one token, the audit, files, a smaller vocabulary. */
import { ROOT, request } from './client.js';
import { searchParameters } from './vocabulary_query.js';

/**
 * @typedef {import('./types.js').TokenHead} TokenHead
 * @typedef {import('./types.js').VocabularyToken} VocabularyToken
 * @typedef {'reachable'|'unreachable'|'undecided'} Verdict
 * @typedef {VocabularyToken & {length: number, characters: number|null, kind: string, script: string,
 *   merged_into_count: number, reachable: Verdict|null, parts: [TokenHead, TokenHead]|null}} VocabularyRow ROW of
 *   docs/reference/http-api.md
 *
 * @typedef {{name: string, count: number}} FacetCount
 * @typedef {{tokenizer: string, count: number, total: number, offset: number, tokens: VocabularyRow[], facets: {kinds:
 *   FacetCount[], scripts: FacetCount[], verdicts: FacetCount[]|null}, lengths: number[], elapsed_ns: number}}
 *   VocabularyPage
 *
 * @typedef {TokenHead & {rank: number|null, left: number|null, right: number|null}} MergeNode `left` and `right`:
 *   indexes of the nodes
 * @typedef {{method: string, explanation: string, nodes: MergeNode[], competing_tokens: TokenHead[]}} Origin the last
 *   node is the token
 * @typedef {{rank: number, left: TokenHead, right: TokenHead, made: TokenHead}} VocabularyMerge
 * @typedef {{verdict: Verdict, reason: string, explanation: string, text: string|null}} Reachability
 *
 * @typedef {{reason: string, verdict: Verdict, explanation: string, count: number}} AuditReason
 * @typedef {{tokenizer: string, count: number, verdicts: Object<string, number>, reasons: AuditReason[], elapsed_ns:
 *   number}} Audit
 *
 * @typedef {{tokenizer: string, sizes: [number, number], size: number, token_count: number, whole_count: number,
 *   kept_count: number, unknown_count: number, text_bytes: number, built_ns: number, tokens: (TokenHead & {span_utf16:
 *   import('./types.js').Span})[]}} TruncatedVocabulary a text under the vocabulary truncated to `size` tokens
 */

/**
 * One token with all its relatives.
 * @typedef {Object} VocabularyDetail
 * @property {string} tokenizer
 * @property {VocabularyRow} token
 * @property {number|null} merge_count
 * @property {Reachability} reachability
 * @property {Origin} origin
 * @property {{tokens: (TokenHead|null)[], score: number}|null} segmentation_without the best segmentation without it;
 *   null is an unknown character
 * @property {{count: number, merges: VocabularyMerge[]}} merged_into
 * @property {{count: number, tokens: TokenHead[]}} containing_tokens
 * @property {TokenHead[]} variants
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
 * @returns {Promise<VocabularyDetail>}
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
