/** Benchmarks: start a run, list, read, compare and save runs, their charts, the machine and the engines. */
import { download, request } from './client.js';

/**
 * @typedef {import('./jobs.js').Job} Job
 * @typedef {'warm'|'cold'|'first_pass'} Temperature
 * @typedef {'whole'|'documents'|'batch'} Shape
 * @typedef {'ids'|'spans'|'lists'} Output
 * @typedef {'ok'|'inexact'|'missing'|'unsupported'|'failed'|'timed_out'|'cancelled'} RowState
 *
 * @typedef {{tokenizer: string, engine: string}} Subject
 * @typedef {{kind: 'corpus'|'file'|'text', name: string, text?: string|null}} TextSource
 *
 * @typedef {Object} BenchmarkOptions what a run is started with; the backend chooses what is left out
 * @property {Subject[]} subjects
 * @property {TextSource} source
 * @property {string} [baseline] key of the subject that ratios divide by
 * @property {string} [title]
 * @property {Temperature} [temperature]
 * @property {Shape} [shape]
 * @property {Output} [output]
 * @property {number} [threads]
 * @property {number} [rounds]
 * @property {number} [max_bytes]
 * @property {number} [time_limit_s]
 *
 * @typedef {{median: number, low: number, high: number, minimum: number, maximum: number, spread: number, samples:
 *   number}} Throughput MB/s
 * @typedef {{median: number, low: number, high: number, differs: boolean}} Ratio to the baseline
 * @typedef {{document: number, bytes: number, tokens: number, time_ns: number, excerpt: string, is_whole: boolean}}
 *   SlowestDocument `document`: counted from 1
 * @typedef {{document: number, token: number, expected: number|null, found: number|null, text: string}} FirstDifference
 * @typedef {{reference: string, documents: number, differing: number, first_difference: FirstDifference|null}}
 *   Exactness
 * @typedef {{tokenizer: string, path: 'fast'|'stages', cache: {hits: number, misses: number}|null, fused: string[],
 *   absent: string[], problem: string|null, [time: string]: any}} StageTimes
 *
 * @typedef {Object} BenchmarkRow a subject of a run. Null: not measured
 * @property {string} key
 * @property {string} engine
 * @property {string|null} engine_version
 * @property {string} tokenizer
 * @property {RowState} state
 * @property {string|null} message
 * @property {string|null} [output] what the engine printed last
 * @property {string|null} install the command that installs the engine
 * @property {string|null} read_from
 * @property {number|null} rank
 * @property {Exactness|null} exactness
 * @property {Throughput|null} throughput_mb_per_s
 * @property {Ratio|null} ratio
 * @property {number|null} documents_per_s
 * @property {{p50: number, p95: number, p99: number, maximum: number, calls: number}|null} latency_ns
 * @property {number|null} import_ns
 * @property {number|null} load_ns
 * @property {number|null} first_call_ns
 * @property {number|null} loaded_bytes
 * @property {number|null} resident_bytes
 * @property {number|null} peak_bytes
 * @property {number|null} tokens
 * @property {number|null} bytes_per_token
 * @property {number|null} cores_used
 * @property {StageTimes|null} stages
 * @property {SlowestDocument[]|null} slowest_documents
 *
 * @typedef {Object} Environment
 * @property {string|null} cpu
 * @property {number|null} cores
 * @property {number} logical_cpus
 * @property {number} usable_cpus
 * @property {string|null} governor
 * @property {number|null} frequency_mhz
 * @property {number|null} load_average
 * @property {number|null} memory_bytes
 * @property {string} system
 * @property {string} python
 * @property {string} lab
 * @property {string|null} commit
 * @property {string} build
 * @property {string[]} warnings
 *
 * @typedef {{samples: number, spread: number, range_5_95: number, warning: string|null}} Noise shares
 *
 * @typedef {Object} Benchmark
 * @property {number|null} id
 * @property {string} title
 * @property {string} created_at ISO 8601
 * @property {'running'|'done'|'cancelled'|'interrupted'} state
 * @property {BenchmarkOptions & {temperature: Temperature, shape: Shape, output: Output, threads: number, rounds:
 *   number}} settings
 * @property {string} command repeats it
 * @property {Environment} environment
 * @property {Noise|null} noise
 * @property {{title: string, sha256: string, bytes: number, characters: number, documents: number, left_out_bytes:
 *   number}} text
 * @property {string|null} baseline key of a row
 * @property {BenchmarkRow[]} rows in the order they were asked for
 * @property {number} rounds_done
 * @property {number} elapsed_s
 * @property {string[]} notes
 *
 * @typedef {Object} BenchmarkLine a run in the list
 * @property {number} id
 * @property {string} title
 * @property {string} created_at
 * @property {Benchmark['state']} state
 * @property {Temperature} temperature
 * @property {Shape} shape
 * @property {Output} output
 * @property {number} threads
 * @property {string} text_title
 * @property {number|null} noise_spread
 * @property {string|null} baseline
 * @property {string|null} winner key of rank 1
 * @property {Ratio|null} winner_ratio
 *
 * @typedef {{name: string, title: string, description: string, subjects: Subject[], baseline: string}}
 *   Preset `baseline`: key of a subject
 * @typedef {{name: string, title: string, version: string|null, install: string|null, misfit: string|null}} Engine
 *   `misfit`: why it cannot read the tokenizer
 *
 * @typedef {{key: string, quantity: 'ratio'|'throughput', before: number|null, after: number|null, change: number|null,
 *   low: number|null, high: number|null, verdict: 'faster'|'slower'|'within_noise'|'not_comparable', reason:
 *   string|null}} Difference `change`, `low`, `high`: shares
 * @typedef {Object} BenchmarkChanges
 * @property {number} before
 * @property {number} after
 * @property {boolean} same_text
 * @property {boolean} same_machine
 * @property {{name: string, before: string, after: string}[]} settings
 * @property {number|null} noise
 * @property {Difference[]} rows
 * @property {string[]} added
 * @property {string[]} removed
 */

/** @param {number} id @param {string} [rest] */
const addressOf = (id, rest = '') => `benchmarks/${id}${rest}`;

/** @param {AbortSignal} [signal] @returns {Promise<BenchmarkLine[]>} the newest first */
export async function listBenchmarks(signal) {
  /** @type {{benchmarks: BenchmarkLine[]}} */
  const { benchmarks } = await request('GET', 'benchmarks', { signal });
  return benchmarks;
}

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<Benchmark>} so far, if it runs */
export const getBenchmark = (id, signal) => request('GET', addressOf(id), { signal });

/** @param {BenchmarkOptions} options @returns {Promise<Job>} */
export const startBenchmark = options => request('POST', 'benchmarks', { json: options });

/** Runs the same settings again. @param {number} id @returns {Promise<Job>} */
export const repeatBenchmark = id => request('POST', addressOf(id, '/run'), { json: {} });

/** @param {number} id @returns {Promise<null>} */
export const removeBenchmark = id => request('DELETE', addressOf(id));

/** @param {number} before @param {number} after @returns {Promise<BenchmarkChanges>} */
export const compareBenchmarks = (before, after) => request('GET', addressOf(before, `/compare/${after}`));

/** @param {string} tokenizer of the presets that need one @param {AbortSignal} [signal] @returns {Promise<Preset[]>} */
export async function listPresets(tokenizer, signal) {
  /** @type {{presets: Preset[]}} */
  const { presets } = await request('GET', `benchmarks/presets?tokenizer=${encodeURIComponent(tokenizer)}`, { signal });
  return presets;
}

/** @param {string} tokenizer @param {AbortSignal} [signal] @returns {Promise<Engine[]>} */
export async function listEngines(tokenizer, signal) {
  /** @type {{engines: Engine[]}} */
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
 * @returns {Promise<Object>} CHART of docs/reference/http-api.md
 */
export const benchmarkFigure = (id, name, letters) =>
  request('GET', addressOf(id, `/figures/${name}?letters=${letters.join('')}`));
