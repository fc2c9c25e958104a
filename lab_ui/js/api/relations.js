/** Two tokenizers beside each other: what they share, what differs, ids of one as ids of the other. */
import { request } from './client.js';

/**
 * @param {string} a
 * @param {string} b
 * @param {string} text
 * @param {string} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Object>}
 */
export const compatibility = (a, b, text, specials, signal) =>
  request('POST', 'compatibility', { json: { a, b, text, specials }, signal });

/** @param {string} a @param {string} b @param {AbortSignal} signal @returns {Promise<Object>} */
export const differenceOf = (a, b, signal) => request('POST', 'difference', { json: { a, b }, signal });

/**
 * @param {string} from
 * @param {string} to
 * @param {string} text
 * @param {string} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Object>}
 */
export const transfer = (from, to, text, specials, signal) =>
  request('POST', 'transfer', { json: { from, to, text, specials }, signal });
