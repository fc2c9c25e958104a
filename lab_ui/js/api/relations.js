/** Two tokenizers: what they share, what differs, ids of one as ids of the other. */
import { request } from './client.js';
/** @import {Retokenization, TokenizerDiff, VocabularyOverlap} from './schema.d.ts' */

/**
 * @typedef {import('./types.js').Specials} Specials
 */

/**
 * Counts of all entries, and the first of each kind.
 * @template Shown
 * @typedef {{kept: number, removed_count: number, added_count: number, removed: Shown[], added: Shown[]}} EntryChanges
 */

/**
 * @param {string} a
 * @param {string} b
 * @param {string} text
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<VocabularyOverlap>}
 */
export const vocabularyOverlap = (a, b, text, specials, signal) =>
  request('POST', 'vocabulary_overlap', { json: { a, b, text, specials }, signal });

/** @param {string} a @param {string} b @param {AbortSignal} signal @returns {Promise<TokenizerDiff>} */
export const tokenizerDiff = (a, b, signal) => request('POST', 'diff', { json: { a, b }, signal });

/**
 * @param {string} source
 * @param {string} target
 * @param {string} text
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Retokenization>}
 */
export const retokenize = (source, target, text, specials, signal) =>
  request('POST', 'retokenize', { json: { source, target, text, specials }, signal });
