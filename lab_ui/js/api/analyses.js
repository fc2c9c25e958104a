/** Analyses of corpora: start one, list those that are kept, read results, rows of frequencies and figures. */
import { download, request } from './client.js';

/**
 * @typedef {import('./jobs.js').Job} Job
 *
 * @typedef {Object} LanguageResult one tokenizer on the documents of one language
 * @property {string} language
 * @property {string|null} script
 * @property {number} documents
 * @property {number} bytes
 * @property {number} words
 * @property {number} tokens
 * @property {number|null} bytes_per_token
 * @property {number|null} fertility
 * @property {number|null} continued_word_rate
 * @property {number|null} unknown_rate
 * @property {number|null} unknown_character_rate
 * @property {number|null} premium
 * @property {Object<string, string>} not_measured reasons by metric
 *
 * @typedef {Object} FrequencyRow
 * @property {number} rank from 1
 * @property {number} id
 * @property {string} token as the vocabulary spells it
 * @property {string|null} text null: its bytes are not whole characters
 * @property {string} bytes hex
 * @property {number} count
 * @property {number} share of all tokens, 0 to 1
 * @property {number} cumulative share of this and the more frequent ones, 0 to 1
 * @property {boolean} unknown whether it is the unknown token
 *
 * @typedef {Object} TokenizerResult one tokenizer on the whole corpus
 * @property {string} tokenizer
 * @property {string} name
 * @property {number} tokens
 * @property {number} types
 * @property {number} vocab_size
 * @property {number} never_seen
 * @property {number|null} bytes_per_token
 * @property {number|null} fertility
 * @property {number|null} unknown_tokens
 * @property {number|null} unknown_characters
 * @property {number|null} unknown_rate
 * @property {number|null} unknown_character_rate
 * @property {number|null} vocabulary_utilisation
 * @property {number|null} gini
 * @property {(Object<string, number> & {share_above: Object<string, number>})|null} lengths of documents in tokens
 * @property {LanguageResult[]} languages
 * @property {FrequencyRow[]} frequencies the first rows
 * @property {Object<string, string>} not_measured reasons by metric
 *
 * @typedef {Object} CorpusFacts
 * @property {string} id
 * @property {string} title
 * @property {number} documents
 * @property {number} bytes
 * @property {number} characters
 * @property {string} sha256
 * @property {string[]} languages
 * @property {boolean} is_parallel
 * @property {Object<string, number>} cleaning
 * @property {number|null} sampled share of the bytes that were counted; null: all
 *
 * @typedef {{id: number, made_at: string, corpus: string, title: string, tokenizers: string[]}} AnalysisLine one of the
 *   list
 *
 * @typedef {Object} Analysis
 * @property {number} id
 * @property {string} made_at ISO 8601
 * @property {number} elapsed_s
 * @property {CorpusFacts} corpus
 * @property {{reference_language: string|null, alpha: number, context_lengths: number[], sample_bytes: number|null}}
 *   settings
 * @property {{cluster: string|null}} versions who counted it; null: one process
 * @property {string} command repeats it
 * @property {TokenizerResult[]} tokenizers
 * @property {Object<string, string>} not_measured reasons by metric that no tokenizer has
 */

/** @param {number|string} id @param {string} [rest] */
const addressOf = (id, rest = '') => `analyses/${encodeURIComponent(id)}${rest}`;

/** @param {string} tokenizer @param {number} offset @param {number} limit */
const pageOf = (tokenizer, offset, limit) =>
  new URLSearchParams({ tokenizer, offset: String(offset), limit: String(limit) });

/**
 * Starts an analysis.
 * @param {{corpus: string, tokenizers: string[], reference_language?: string, sample_bytes?: number}} analysis
 * @returns {Promise<Job>}
 */
export const startAnalysis = analysis => request('POST', 'analyses', { json: analysis });

/** @param {AbortSignal} [signal] @returns {Promise<AnalysisLine[]>} the newest first */
export async function listAnalyses(signal) {
  /** @type {{analyses: AnalysisLine[]}} */
  const { analyses } = await request('GET', 'analyses', { signal });
  return analyses;
}

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<Analysis>} */
export const getAnalysis = (id, signal) => request('GET', addressOf(id), { signal });

/** @param {number} id @returns {Promise<null>} */
export const removeAnalysis = id => request('DELETE', addressOf(id));

/**
 * Returns rows of the frequencies of one tokenizer, the most frequent first.
 * @param {number} id
 * @param {{tokenizer: string, offset: number, limit: number, search?: string}} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<{total: number, rows: FrequencyRow[]}>}
 */
export const frequencyRows = (id, { tokenizer, offset, limit, search = '' }, signal) =>
  request(
    'GET',
    addressOf(
      id,
      `/frequencies?${pageOf(tokenizer, offset, limit)}${search ? `&search=${encodeURIComponent(search)}` : ''}`,
    ),
    { signal },
  );

/**
 * Returns entries of the vocabulary that do not occur, by id.
 * @param {number} id
 * @param {{tokenizer: string, offset: number, limit: number}} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<{total: number, rows: import('./types.js').TokenHead[]}>}
 */
export const unseenEntries = (id, { tokenizer, offset, limit }, signal) =>
  request('GET', addressOf(id, `/never_seen?${pageOf(tokenizer, offset, limit)}`), { signal });

/**
 * Returns one chart of an analysis, drawn with these letters.
 * @param {number} id @param {string} name @param {string[]} letters of its tokenizers
 * @returns {Promise<Object>} CHART of docs/reference/http-api.md
 */
export const analysisFigure = (id, name, letters) =>
  request('GET', addressOf(id, `/figures/${name}?letters=${letters.join('')}`));

/**
 * Lists the charts of an analysis, with the reason for each that it has no values for.
 * @param {number} id
 * @returns {Promise<{name: string, title: string|null, reason: string|null}[]>}
 */
export async function listFigures(id) {
  /** @type {{figures: {name: string, title: string|null, reason: string|null}[]}} */
  const { figures } = await request('GET', addressOf(id, '/figures'));
  return figures;
}

/**
 * METRIC of docs/reference/http-api.md.
 * @typedef {{name: string, title: string, unit: string, denominator: string|null, aggregation: string, how_to_read:
 *   string}} Metric
 */

/** @returns {Promise<Metric[]>} every metric in words */
export async function listMetrics() {
  /** @type {{metrics: Metric[]}} */
  const { metrics } = await request('GET', 'analyses/metrics');
  return metrics;
}

/**
 * Repeats an analysis on the corpus as it is now.
 * @param {number} id @returns {Promise<Job>}
 */
export const repeatAnalysis = id => request('POST', addressOf(id, '/run'));

/**
 * Saves an analysis as a file.
 * @param {number} id @param {string} format @returns {Promise<{name: string, data: Blob}>}
 */
export const analysisFile = (id, format) => download(addressOf(id, `/file?format=${format}`));

/**
 * @typedef {{tokenizer: string, language: string|null, metric: string, unit: string, before: number|null, after:
 *   number|null, difference: number|null}} MetricChange null: not measured; no language: of the whole corpus
 * @typedef {{same_text: boolean, settings: {name: string, before: string, after: string}[], added_tokenizers: string[],
 *   removed_tokenizers: string[], changed_tokenizers: string[], compared: number, metrics: MetricChange[]}}
 *   AnalysisChanges
 */

/**
 * Returns what differs between two analyses: only settings and metrics that are not the same.
 * @param {number} before @param {number} after @returns {Promise<AnalysisChanges>}
 */
export const compareAnalyses = (before, after) => request('GET', addressOf(before, `/compare/${after}`));
