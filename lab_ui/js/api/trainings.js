/** Trainings of tokenizers: start, pause, keep, resume and delete one; read its steps, its curve and its log. */
import { download, request } from './client.js';

/**
 * @import {CatalogEntry, LogLine, TrainingChoices, TrainingFigures, TrainingForecast,
 *   TrainingFormat} from './schema.d.ts'
 */

/**
 * @typedef {import('./schema.d.ts').Training & {options: import('./schema.d.ts').TrainingOptions, body: TrainingBody}}
 *   Training
 * @typedef {Training['state']} TrainingState
 * @typedef {TrainingBody['sources'][number]} TrainingSource
 * @typedef {Partial<import('./schema.d.ts').TrainingOptions>} OwnOptions those that differ from the preset
 * @typedef {Required<import('./schema.d.ts').TrainingBody> & {options: OwnOptions}} TrainingBody
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
 * @typedef {'newest'|'first'} StepOrder
 * @typedef {{tokenizers: string[], letters: string[], width?: number, height?: number}} Drawing px; names of marks are
 *   placed for it
 */

/** @param {number} id @param {string} [rest] */
const addressOf = (id, rest = '') => `trainings/${id}${rest}`;

/** @param {AbortSignal} [signal] @returns {Promise<Training[]>} the newest first */
export async function listTrainings(signal) {
  /** @type {{trainings: Training[]}} */
  const { trainings } = await request('GET', 'trainings', { signal });
  return trainings;
}

/** @param {AbortSignal} [signal] @returns {Promise<TrainingChoices>} presets and practice corpora */
export const trainingOptions = signal => request('GET', 'trainings/options', { signal });

/**
 * Estimates time and memory of a training before it starts.
 * @param {TrainingBody} body @param {AbortSignal} [signal] @returns {Promise<TrainingForecast>}
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

/**
 * The beginning of its text.
 * @param {number} id @returns {Promise<import('./schema.d.ts').TrainingBeginning>}
 */
export const trainingBeginning = id => request('GET', addressOf(id, '/beginning'));

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
 * @param {number} id @param {{name?: string}} [options] @returns {Promise<CatalogEntry>}
 */
export const takeTokenizer = (id, options = {}) => request('POST', addressOf(id, '/tokenizer'), { json: options });

/** @param {number} id @param {string} format @returns {Promise<{name: string, data: Blob}>} the tokenizer's file */
export const trainingFile = (id, format) => download(addressOf(id, `/file?format=${encodeURIComponent(format)}`));

/**
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
