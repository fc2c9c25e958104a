/** Which marks a text shows under one tokenizer, in words. What a mark looks like is the screen's. */
import { addedCount } from './figures.js';

/**
 * @typedef {'tokens'|'unknown'|'added'|'shared'|'mixed'|'dropped'|'id'|'dots'|'changed'|'lost'} Mark
 * @typedef {{mark: Mark, label: string}} Entry
 * @typedef {{dotted: number, mixed: number, dropped: number}} Drawn how many of them are drawn
 */

/** From this number of ids without room on, a note says where they can be read. */
const NOTED = 2;

/**
 * Lists the marks that occur, in the order in which a reader meets them.
 * @param {import('../api/schema.d.ts').EncodingSummary|null} result null: no text was encoded
 * @param {Drawn} drawn
 * @param {{name: string, showIds: boolean, changes: boolean}} shown name of the tokenizer; whether ids are shown, and
 *   what the normalizer changes
 * @returns {Entry[]}
 */
export function legendEntries(result, drawn, { name, showIds, changes }) {
  if (!result?.text_bytes) return [];
  const own = result.text_token_count ?? result.count;
  /** @type {[boolean, Mark, string][]} */
  const entries = [
    [own > 1, 'tokens', 'Two tokens'],
    [result.unknown_count > 0, 'unknown', 'Not in the vocabulary'],
    [(addedCount(result) ?? 0) > 0, 'added', `Added by ${name}`],
    [(result.split_character_count ?? 0) > 0, 'shared', 'One character, several tokens'],
    [drawn.mixed > 0, 'mixed', 'Parts of two characters'],
    [drawn.dropped > 0, 'dropped', 'Dropped'],
    [showIds && own > 0, 'id', 'ID: the number of a token'],
    [showIds && drawn.dotted > 0, 'dots', 'ID hidden: point at the token'],
    [changes, 'changed', 'Added by the normalizer'],
    [changes, 'lost', 'Removed by the normalizer'],
  ];
  return entries.filter(([occurs]) => occurs).map(([, mark, label]) => ({ mark, label }));
}

/** Says where ids without room can be read. @param {number} dotted tokens in view @returns {string} "" for a few */
export const dotsNote = dotted =>
  dotted < NOTED ? '' : `No room for ${dotted} IDs. Enlarge the text, or choose View options > Table.`;
