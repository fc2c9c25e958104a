/** Trainings of tokenizers: start, pause, keep, resume and delete one; read its steps, its curve and its log. */
import { download, request } from './client.js';

/**
 * TRAINING of docs/reference/http-api.md.
 * @typedef {'running'|'paused'|'done'|'kept'|'failed'|'cancelled'|'interrupted'} TrainingState
 * @typedef {{kind: 'practice'|'corpus'|'path'|'text', name?: string|null, path?: string|null, text?: string|null,
 *   column?: string|null}}
 *   TrainingSource
 *
 * @typedef {Object} TrainingBody what is trained on what
 * @property {string|null} name
 * @property {TrainingSource[]} sources
 * @property {{share?: number|null, source?: TrainingSource|null}|null} held_out null: no part is held out
 * @property {string|null} preset
 * @property {Object<string, any>} options that differ from those of the preset
 * @property {number|null} sample_bytes null: everything is read
 * @property {number|null} threads null: as many as the machine has
 * @property {'replace'|'skip'} invalid what becomes of bytes that are not UTF-8
 *
 * @typedef {'waiting'|'running'|'done'} StageState
 *
 * @typedef {Object} TrainingStage
 * @property {string} name
 * @property {string} title
 * @property {StageState} state
 * @property {number|null} share of the stage that is done, 0 to 1
 * @property {string|null} rate in words
 * @property {number|null} elapsed_s
 * @property {number|null} left_s
 *
 * @typedef {{name: string, bytes: number, held_out: boolean}} TrainingFile
 * @typedef {{title: string, bytes: number, files: TrainingFile[], invalid_sequences: number|null,
 *   split_words?: number|null}} TrainingCorpus `split_words`: words of more than 4,096 bytes
 * @typedef {{title: string, bytes: number, tokens: number, bytes_per_token: number|null,
 *   unknown_rate: number|null}} HeldOut `unknown_rate`: null before the end, and without an unknown token
 *
 * @typedef {Object} Training
 * @property {number} id
 * @property {string} name
 * @property {TrainingState} state
 * @property {string|null} job id of the job that runs it
 * @property {string} made_at ISO 8601
 * @property {TrainingBody} body
 * @property {Object<string, any>} options all of them
 * @property {TrainingCorpus} corpus
 * @property {TrainingStage[]} stages
 * @property {number|null} done null: not begun
 * @property {number|null} total
 * @property {string|null} unit of `done` and `total`: merges, tokens or iterations
 * @property {number|null} vocab_size
 * @property {HeldOut|null} held_out
 * @property {number|null} left_s
 * @property {number} elapsed_s
 * @property {number|null} memory_bytes
 * @property {{seconds: number|null, memory_bytes: number|null}|null} estimate
 * @property {string|null} ended why it ended, in words
 * @property {string[]} [warnings] what makes the result worse than it could be, with what to do
 * @property {string|null} tokenizer id of the tokenizer that it made
 * @property {{code: string, message: string, hint: string}|null} error
 * @property {number} version grows with every change
 * @property {boolean} can_resume it has ended early and has a checkpoint
 *
 * @typedef {{text: string|null, bytes: string}} Piece a token; `bytes` in hex; `text` null: not whole characters
 *
 * @typedef {Object} StepRow a merge, an iteration or a token: which fields there are depends on the algorithm
 * @property {number} [rank]
 * @property {Piece} [left]
 * @property {Piece} [right]
 * @property {Piece} [token]
 * @property {number} [id]
 * @property {number} [count]
 * @property {number|null} [score]
 * @property {number|null} [held_out_tokens]
 * @property {number} [iteration]
 * @property {string} [stage]
 * @property {number} [tokens]
 * @property {number|null} [loss]
 *
 * @typedef {{tokenizer: string, title: string, vocab_size: number, bytes_per_token: number|null,
 *   unknown_rate: number|null, lossy: string|null}} CurveReference `unknown_rate`: share of unknown tokens; `lossy`:
 *   why decoding may not give the text back
 * @typedef {{figures: import('./types.js').Figure[], missing: {name: string, title: string|null, reason:
 *   string|null}[], references: CurveReference[]}} TrainingFigures `missing`: charts without values; `references`:
 *   other tokenizers on the same held-out text
 * @typedef {{tokenizers: string[], letters: string[], width?: number, height?: number}} Drawing px; names of marks are
 *   placed for it
 *
 * @typedef {{name: string, title: string, words: string, options: Object<string, any>}} TrainingPreset
 * @typedef {{name: string, title: string, bytes: number}} PracticeCorpus
 * @typedef {{presets: TrainingPreset[], algorithms?: string[], practice: PracticeCorpus[]}} TrainingOptions
 *
 * @typedef {{text_bytes: number, seconds: number|null, memory_bytes: number|null, basis: string}} TrainingEstimate
 * @typedef {{at: string, words: string}} LogLine
 * @typedef {'newest'|'first'} StepOrder
 */

/** @param {number} id @param {string} [rest] */
const addressOf = (id, rest = '') => `trainings/${id}${rest}`;

/** @param {AbortSignal} [signal] @returns {Promise<Training[]>} the newest first */
export async function listTrainings(signal) {
  /** @type {{trainings: Training[]}} */
  const { trainings } = await request('GET', 'trainings', { signal });
  return trainings;
}

/** @param {AbortSignal} [signal] @returns {Promise<TrainingOptions>} presets and practice corpora */
export const trainingOptions = signal => request('GET', 'trainings/options', { signal });

/**
 * Estimates time and memory of a training before it starts.
 * @param {TrainingBody} body @param {AbortSignal} [signal] @returns {Promise<TrainingEstimate>}
 */
export const estimateTraining = (body, signal) => request('POST', 'trainings/estimate', { json: body, signal });

/** @param {TrainingBody} body @returns {Promise<Training>} the training, which runs */
export const startTraining = body => request('POST', 'trainings', { json: body });

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<Training>} */
export const getTraining = (id, signal) => request('GET', addressOf(id), { signal });

/**
 * Returns some of the steps that were made.
 * @param {number} id @param {{offset: number, limit: number, order: StepOrder}} query @param {AbortSignal} [signal]
 * @returns {Promise<{total: number, rows: StepRow[]}>}
 */
export const trainingSteps = (id, { offset, limit, order }, signal) =>
  request('GET', addressOf(id, `/steps?offset=${offset}&limit=${limit}&order=${order}`), { signal });

/**
 * Returns the charts as they are now.
 * @param {number} id @param {Drawing} drawing @param {AbortSignal} [signal]
 * @returns {Promise<TrainingFigures>}
 */
export function trainingFigures(id, { tokenizers, letters, ...box }, signal) {
  const query = new URLSearchParams({
    tokenizers: tokenizers.join(),
    letters: letters.join(''),
    .../** @type {any} */ (box),
  });
  return request('GET', addressOf(id, `/figures?${query}`), { signal });
}

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<LogLine[]>} the oldest first */
export async function trainingLog(id, signal) {
  /** @type {{lines: LogLine[]}} */
  const { lines } = await request('GET', addressOf(id, '/log'), { signal });
  return lines;
}

/** Pauses a training, which keeps its memory. @param {number} id @returns {Promise<Training>} */
export const pauseTraining = id => request('POST', addressOf(id, '/pause'));

/** @param {number} id of one that is paused @returns {Promise<Training>} */
export const continueTraining = id => request('POST', addressOf(id, '/continue'));

/** Ends a training and keeps the tokenizer as it is. @param {number} id @returns {Promise<Training>} */
export const keepTraining = id => request('POST', addressOf(id, '/keep'));

/** Goes on from the last checkpoint. @param {number} id of one that was interrupted @returns {Promise<Training>} */
export const resumeTraining = id => request('POST', addressOf(id, '/resume'));

/**
 * Cancels a training that runs, which stays in the list; deletes one that has ended.
 * @param {number} id @returns {Promise<null>}
 */
export const removeTraining = id => request('DELETE', addressOf(id));

/**
 * Puts a copy of the tokenizer as it is now into the catalog.
 * @param {number} id @param {{name?: string}} [options] @returns {Promise<import('./types.js').Entry>}
 */
export const takeTokenizer = (id, options = {}) => request('POST', addressOf(id, '/tokenizer'), { json: options });

/** @param {number} id @param {string} format @returns {Promise<{name: string, data: Blob}>} the tokenizer's file */
export const trainingFile = (id, format) => download(addressOf(id, `/file?format=${encodeURIComponent(format)}`));

/**
 * @typedef {{format: string, title: string, problem: string|null}} TrainingFormat `problem`: why it cannot hold the
 *   tokenizer; null: it can
 * @param {number} id @param {AbortSignal} [signal] @returns {Promise<TrainingFormat[]>}
 */
export async function trainingFormats(id, signal) {
  /** @type {{formats: TrainingFormat[]}} */
  const { formats } = await request('GET', addressOf(id, '/formats'), { signal });
  return formats;
}

/**
 * @typedef {'html'|'md'|'tex'|'csv'|'json'} ReportFormat
 * @param {number} id @param {ReportFormat} format @param {string[]} tokenizers that are measured, too
 * @returns {Promise<{name: string, data: Blob}>} options, figures, curve, steps and the command that repeats it
 */
export const trainingReport = (id, format, tokenizers) =>
  download(addressOf(id, `/report?format=${format}&tokenizers=${tokenizers.map(encodeURIComponent).join(',')}`));
