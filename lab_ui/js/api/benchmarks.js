/** Benchmarks: start a run, list, read, compare and save runs, their charts, the machine and the engines. */
import { download, request } from './client.js';
/**
 * @import {BenchmarkBody, BenchmarkChanges, BenchmarkPreset, BenchmarkResult, BenchmarkSummary, EngineState,
 *   Environment, Figure, Job, Noise} from './schema.d.ts'
 */

/**
 * @typedef {'warm'|'cold'|'first_pass'} Temperature
 * @typedef {'whole'|'documents'|'batch'} Shape
 * @typedef {'ids'|'spans'|'lists'} Output
 * @typedef {'ok'|'inexact'|'missing'|'unsupported'|'failed'|'timed_out'|'cancelled'} RowState
 */

/** @param {number} id @param {string} [rest] */
const addressOf = (id, rest = '') => `benchmarks/${id}${rest}`;

/** @param {AbortSignal} [signal] @returns {Promise<BenchmarkSummary[]>} the newest first */
export async function listBenchmarks(signal) {
  /** @type {{benchmarks: BenchmarkSummary[]}} */
  const { benchmarks } = await request('GET', 'benchmarks', { signal });
  return benchmarks;
}

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<BenchmarkResult>} so far, if it runs */
export const getBenchmark = (id, signal) => request('GET', addressOf(id), { signal });

/** @param {BenchmarkBody} options @returns {Promise<Job>} */
export const startBenchmark = options => request('POST', 'benchmarks', { json: options });

/** Runs the same settings again. @param {number} id @returns {Promise<Job>} */
export const repeatBenchmark = id => request('POST', addressOf(id, '/run'), { json: {} });

/** @param {number} id @returns {Promise<null>} */
export const removeBenchmark = id => request('DELETE', addressOf(id));

/** @param {number} before @param {number} after @returns {Promise<BenchmarkChanges>} */
export const compareBenchmarks = (before, after) => request('GET', addressOf(before, `/compare/${after}`));

/**
 * @param {string} tokenizer of the presets that need one @param {AbortSignal} [signal]
 * @returns {Promise<BenchmarkPreset[]>}
 */
export async function listPresets(tokenizer, signal) {
  /** @type {{presets: BenchmarkPreset[]}} */
  const { presets } = await request('GET', `benchmarks/presets?tokenizer=${encodeURIComponent(tokenizer)}`, { signal });
  return presets;
}

/** @param {string} tokenizer @param {AbortSignal} [signal] @returns {Promise<EngineState[]>} */
export async function listEngines(tokenizer, signal) {
  /** @type {{engines: EngineState[]}} */
  const { engines } = await request('GET', `benchmarks/engines?tokenizer=${encodeURIComponent(tokenizer)}`, { signal });
  return engines;
}

/** @returns {Promise<{environment: Environment, noise: Noise}>} measured now; takes a second */
export const measureEnvironment = () => request('GET', 'benchmarks/environment');

/** @param {number} id @param {string} format @returns {Promise<{name: string, data: Blob}>} */
export const benchmarkFile = (id, format) => download(addressOf(id, `/file?format=${format}`));

/** @param {number} id @returns {Promise<{name: string, title: string|null, reason: string|null}[]>} */
export async function listBenchmarkFigures(id) {
  /** @type {{figures: {name: string, title: string|null, reason: string|null}[]}} */
  const { figures } = await request('GET', addressOf(id, '/figures'));
  return figures;
}

/**
 * @param {number} id @param {string} name @param {string[]} letters of its different tokenizers, in order
 * @returns {Promise<Figure>}
 */
export const benchmarkFigure = (id, name, letters) =>
  request('GET', addressOf(id, `/figures/${name}?letters=${letters.join('')}`));
