/** Two tokenizers side by side: what they share, what differs, ids of one as ids of the other. */
import { request } from './client.js';

/**
 * @typedef {import('./types.js').Specials} Specials
 * @typedef {{only_a: number, both: number, only_b: number}} VocabularyParts
 */

/**
 * How far tokenizer b can replace a. Shares are 0 to 1, null if not measured; the figures of the text are null without
 * one.
 * @typedef {Object} Compatibility
 * @property {string} a
 * @property {string} b
 * @property {{ordinary: VocabularyParts, special: VocabularyParts, all: VocabularyParts}} vocabularies
 * @property {number} size_a
 * @property {number} size_b
 * @property {number} shared_tokens
 * @property {number} same_ids
 * @property {number|null} jaccard
 * @property {number|null} share_of_a
 * @property {number|null} share_of_b
 * @property {{text: string, a: number|null, b: number|null}[]} specials
 * @property {{copied: number, composed: number, mean_parts: number|null, fresh: number}} rows
 * @property {number|null} agreement
 * @property {[number, number]|null} counts
 * @property {number|null} divergences
 */

/**
 * Counts of all entries, and the first of each kind.
 * @template Shown
 * @typedef {{kept: number, removed_count: number, added_count: number, removed: Shown[], added: Shown[]}} EntryChanges
 */

/**
 * What turns tokenizer a into b. Stages have the form of tokenizer.json.
 * @typedef {Object} Difference
 * @property {string} a
 * @property {string} b
 * @property {boolean} same
 * @property {{stage: string, a: unknown, b: unknown}[]} stages
 * @property {EntryChanges<string> & {changed_count: number, changed: string[]}} vocabulary
 * @property {EntryChanges<[string, string]> & {first_difference: number|null}|null} merges
 * @property {EntryChanges<string> & {changed_count: number, changed: string[]}} added_tokens
 * @property {{counts: [number, number], agreement: number, divergences: number}|null} effect
 */

/**
 * Ids of one tokenizer converted to another.
 * @typedef {Object} Transfer
 * @property {string} from
 * @property {string} to
 * @property {string} text
 * @property {number} from_count
 * @property {number} to_count
 * @property {number[]} from_ids
 * @property {number[]} to_ids
 * @property {boolean} lossless
 * @property {{kind: 'special'|'bytes'|'unknown'|'text'|'source', what: string, where: number|null}[]} losses
 */

/**
 * @param {string} a
 * @param {string} b
 * @param {string} text
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Compatibility>}
 */
export const compatibility = (a, b, text, specials, signal) =>
  request('POST', 'compatibility', { json: { a, b, text, specials }, signal });

/** @param {string} a @param {string} b @param {AbortSignal} signal @returns {Promise<Difference>} */
export const differenceOf = (a, b, signal) => request('POST', 'difference', { json: { a, b }, signal });

/**
 * @param {string} from
 * @param {string} to
 * @param {string} text
 * @param {Specials} specials
 * @param {AbortSignal} signal
 * @returns {Promise<Transfer>}
 */
export const transfer = (from, to, text, specials, signal) =>
  request('POST', 'transfer', { json: { from, to, text, specials }, signal });
