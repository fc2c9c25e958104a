/** Playlists of lessons and texts; see docs/reference/exercises.md, "Playlists". */
import { request } from './client.js';
/** @import {CheckedPlaylist, KeptPlaylist, Playlist} from './schema.d.ts' */

/**
 * Those of the lab: the one that comes with it, unless one of its name was saved, then those that were saved.
 * @param {AbortSignal} signal
 * @returns {Promise<(Playlist & {id: number|null, isChanged: boolean})[]>} `id` null: it comes with the lab;
 *   `isChanged`: it was saved in the place of that one
 */
export async function playlists(signal) {
  /** @type {{playlists: KeptPlaylist[]}} */
  const { playlists: kept } = await request('GET', 'playlists', { signal });
  const own = kept.filter(({ id }) => id !== null);
  const isReplaced = (/** @type {KeptPlaylist} */ { playlist }) =>
    own.some(each => each.playlist.name === playlist.name);
  const bundled = kept.filter(({ id }) => id === null).map(({ playlist }) => playlist.name);
  return kept
    .filter(each => each.id !== null || !isReplaced(each))
    .map(({ id, playlist }) => ({ ...playlist, id, isChanged: id !== null && bundled.includes(playlist.name) }));
}

/** Keeps a playlist in place of one of the same name. @param {Playlist} json @returns {Promise<KeptPlaylist>} */
export const savePlaylist = json => request('POST', 'playlists', { json });

/** @param {number} id @returns {Promise<null>} */
export const removePlaylist = id => request('DELETE', `playlists/${id}`);

/** Reads the file of a playlist, and tries its parts. @param {Blob} body @param {AbortSignal} signal
 * @returns {Promise<CheckedPlaylist>} */
export const checkPlaylist = (body, signal) => request('POST', 'playlists/check', { body, signal });
