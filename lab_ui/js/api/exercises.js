/** Sheets of exercises, marks, progress and files of results; see docs/reference/exercises.md. */
import { download, request } from './client.js';
/** @import {CheckedFile, KeptSheet, Marks, Sheet} from './schema.d.ts' */

/**
 * @typedef {Sheet['kind']} SheetKind
 * @typedef {{tokenizer: string, kind: SheetKind, seed: number}} SheetKey what makes the tasks
 * @typedef {Marks['marks'][number]['answer']} Answer the number of a choice, or bytes; null: not answered
 */

/** @param {SheetKey} key @param {AbortSignal} signal @returns {Promise<Sheet>} tasks without answers */
export const exercises = ({ tokenizer, kind, seed }, signal) =>
  request('GET', `exercises?${new URLSearchParams({ tokenizer, kind, seed: String(seed) })}`, { signal });

/**
 * @param {SheetKey & {answers: Answer[], keep: boolean}} json `keep`: as the progress on this sheet
 * @param {AbortSignal} signal
 * @returns {Promise<Marks>}
 */
export const markAnswers = (json, signal) => request('POST', 'exercises/marks', { json, signal });

/** @param {AbortSignal} signal @returns {Promise<KeptSheet[]>} what was answered, the newest first */
export async function exerciseProgress(signal) {
  /** @type {{sheets: KeptSheet[]}} */
  const { sheets } = await request('GET', 'exercises/progress', { signal });
  return sheets;
}

/** @param {SheetKey & {answers: Answer[], name: string}} json @returns {Promise<{name: string, data: Blob}>} */
export const resultFile = json => download('exercises/file', json);

/** Marks the answers of a file again. @param {Blob} file @returns {Promise<CheckedFile>} */
export const checkResultFile = file => request('POST', 'exercises/check', { body: file });
