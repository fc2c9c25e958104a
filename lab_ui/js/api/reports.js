/** Saved sessions: save, list, open, run again. */
import { request } from './client.js';

/**
 * @typedef {{id: number, name: string, saved_at: string, text_characters: number, beginning: string, counts:
 *   Object<string, number>}} ReportLine in the list; `counts`: tokens by tokenizer
 * @typedef {{id: number, name: string, saved_at: string, text: string, add_special_tokens: boolean, specials:
 *   import('./types.js').Specials, view: Object<string, any>, results: {tokenizer: string, sha256: string|null, count:
 *   number}[]}} Report `view`: what the page saved with it
 * @typedef {{tokenizer: string, count_before: number, count_now: number|null, same: boolean|null, first_difference:
 *   number|null, files_changed: boolean|null, problem: string|null}} ReportChange
 */

/** @returns {Promise<ReportLine[]>} the newest first */
export async function listReports() {
  /** @type {{sessions: ReportLine[]}} */
  const { sessions } = await request('GET', 'sessions');
  return sessions;
}

/**
 * @param {{name: string, tokenizers: string[], text: string, addSpecialTokens: boolean, specials: string, view:
 *   Object}} session
 * @returns {Promise<number>} its id
 */
export async function saveReport({ addSpecialTokens, ...session }) {
  /** @type {{id: number}} */
  const { id } = await request('POST', 'sessions', { json: { ...session, add_special_tokens: addSpecialTokens } });
  return id;
}

/** @param {number} id @returns {Promise<Report>} */
export const openReport = id => request('GET', `sessions/${id}`);

/** Encodes the text again. @param {number} id @returns {Promise<ReportChange[]>} one per tokenizer */
export async function runReport(id) {
  /** @type {{changes: ReportChange[]}} */
  const { changes } = await request('POST', `sessions/${id}/run`);
  return changes;
}

/** @param {number} id @returns {Promise<null>} */
export const deleteReport = id => request('DELETE', `sessions/${id}`);
