/** Sessions that are kept: saved, listed, opened, run again. */
import { request } from './client.js';

/** @returns {Promise<Object[]>} the newest first */
export const listReports = async () => (await request('GET', 'reports')).reports;

/**
 * @param {{name: string, tokenizers: string[], text: string, addSpecialTokens: boolean, specials: string, view:
 *   Object}} session
 * @returns {Promise<number>} its id
 */
export const saveReport = async ({ addSpecialTokens, ...session }) =>
  (await request('POST', 'reports', { json: { ...session, add_special_tokens: addSpecialTokens } })).id;

/** @param {number} id @returns {Promise<Object>} with its text */
export const openReport = id => request('GET', `reports/${id}`);

/** @param {number} id @returns {Promise<Object[]>} what became different since */
export const runReport = async id => (await request('POST', `reports/${id}/run`)).changes;

/** @param {number} id */
export const deleteReport = id => request('DELETE', `reports/${id}`);
