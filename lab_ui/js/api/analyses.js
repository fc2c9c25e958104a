/** Analyses of corpora: start one, list those that are kept, read results, rows of frequencies and figures. */
import { download, request } from './client.js';
/**
 * @import {AnalysisChanges, AnalysisRow, CorpusResult, Figure, FrequencyRow, Job, Metric,
 *   TokenHead} from './schema.d.ts'
 */

/** @typedef {CorpusResult & {id: number}} Analysis one that is kept */

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

/** @param {AbortSignal} [signal] @returns {Promise<AnalysisRow[]>} the newest first */
export async function listAnalyses(signal) {
  /** @type {{analyses: AnalysisRow[]}} */
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
 * @returns {Promise<{total: number, rows: TokenHead[]}>}
 */
export const unseenEntries = (id, { tokenizer, offset, limit }, signal) =>
  request('GET', addressOf(id, `/never_seen?${pageOf(tokenizer, offset, limit)}`), { signal });

/**
 * Returns one chart of an analysis, drawn with these letters.
 * @param {number} id @param {string} name @param {string[]} letters of its tokenizers
 * @returns {Promise<Figure>}
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
 * Returns what differs between two analyses: only settings and metrics that are not the same.
 * @param {number} before @param {number} after @returns {Promise<AnalysisChanges>}
 */
export const compareAnalyses = (before, after) => request('GET', addressOf(before, `/compare/${after}`));

/**
 * The chart of what changed between two analyses.
 * @param {number} before @param {number} after @param {string[]} letters of the tokenizers of the later one
 * @returns {Promise<Figure[]>} none if no ratio differs
 */
export async function changeFigures(before, after, letters) {
  /** @type {{figures: Figure[]}} */
  const { figures } = await request('GET', addressOf(before, `/compare/${after}/figures?letters=${letters.join('')}`));
  return figures;
}
