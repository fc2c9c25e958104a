/** Saved sessions: save, list, open, run again, to and from files. Names and notes of all kept results. */
import { download, request } from './client.js';
/** @import {Label, Session, SessionChanges, SessionSummary} from './schema.d.ts' */

/** @returns {Promise<SessionSummary[]>} the newest first */
export async function listSessions() {
  /** @type {{sessions: SessionSummary[]}} */
  const { sessions } = await request('GET', 'sessions');
  return sessions;
}

/**
 * @param {{name: string, tokenizers: string[], text: string, addSpecialTokens: boolean, specials: string, view:
 *   Object}} session
 * @returns {Promise<{id: number}>}
 */
export const saveSession = ({ addSpecialTokens, ...session }) =>
  request('POST', 'sessions', { json: { ...session, add_special_tokens: addSpecialTokens } });

/** @param {number} id @returns {Promise<Session>} */
export const openSession = id => request('GET', `sessions/${id}`);

/** Encodes the text again. @param {number} id @returns {Promise<SessionChanges>} */
export const runSession = id => request('POST', `sessions/${id}/run`);

/** @param {number} id @returns {Promise<null>} */
export const deleteSession = id => request('DELETE', `sessions/${id}`);

/** @param {number} id @returns {Promise<{name: string, data: Blob}>} a file for a colleague */
export const sessionFile = id => download(`sessions/${id}/file`);

/**
 * Saves the session of a file, which may be long: only the backend reads it.
 * @param {Blob} file @returns {Promise<{id: number}>}
 */
export const openSessionFile = file => request('POST', 'sessions/file', { body: file });

/**
 * @typedef {'analysis'|'benchmark'|'training'|'session'} ResultKind
 */

/** @param {AbortSignal} [signal] @returns {Promise<Label[]>} the names and notes that somebody gave to results */
export async function listLabels(signal) {
  /** @type {{labels: Label[]}} */
  const { labels } = await request('GET', 'labels', { signal });
  return labels;
}

/**
 * @param {Omit<Label, 'name'> & {name: string|null}} label in place of the one before; `name` null: that stays
 * @returns {Promise<Label>}
 */
export const putLabel = ({ kind, id, name, note }) => request('PUT', `labels/${kind}/${id}`, { json: { name, note } });
