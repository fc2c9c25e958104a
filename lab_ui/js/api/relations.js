/** Two tokenizers: what they share, what differs, ids of one as ids of the other. */
import { request } from './client.js';

/**
 * @typedef {import('./types.js').Specials} Specials
 * @typedef {{only_a: number, both: number, only_b: number}} VocabularyParts
 */

/**
 * How far tokenizer b can replace a. Shares are 0 to 1, null if not measured; the figures of the text are null without
 * one.
 * @typedef {Object} VocabularyOverlap
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
 * @property {{text: string, a: number|null, b: number|null}[]} special_tokens
 * @property {{copied: number, averaged: number, mean_parts: number|null, new: number}} rows
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
 * @typedef {Object} TokenizerDiff
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
 * @typedef {Object} Retokenization
 * @property {string} source
 * @property {string} target
 * @property {string} text
 * @property {number[]} source_ids
 * @property {number[]} target_ids
 * @property {boolean} lossless
 * @property {{kind: 'special'|'bytes'|'unknown'|'text'|'source', message: string, index: number|null}[]} losses
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
