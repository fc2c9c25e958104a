/**
 * What the address of a handout says after `#`: which subject, its text, and where a lesson stands. A link to it shows
 * the same.
 *
 * @typedef {{text: string, way?: 'watch'|'do', at?: number, seed?: number}} Place what is shown of a subject
 */
import { hasHalfCharacter } from '../util/utf8.js';

/** Longer texts, and those with half of a character, are not in an address. */
const LONGEST_TEXT = 2000;

/**
 * @param {string} name of the subject @param {Place} place @param {string} [own] the text that it begins with
 * @returns {string} the part with `#`
 */
export function addressOf(name, { text, way, at, seed }, own) {
  const query = new URLSearchParams({ show: name });
  const isSaid = text.length <= LONGEST_TEXT && !hasHalfCharacter(text);
  if (isSaid) query.set('text', text);
  if (way) query.set('way', way);
  // Without a text the reader gets the subject's own. Step and draws of another text say nothing of it.
  if (!isSaid && text !== own) return `#${query}`;
  if (at !== undefined) query.set('at', String(at));
  if (seed !== undefined) query.set('seed', String(seed));
  return `#${query}`;
}

/** @param {string} hash @returns {{show: string|null} & Partial<Place>} only what it says and what can be */
export function readAddress(hash) {
  const query = new URLSearchParams(hash.slice(1));
  const text = query.get('text');
  const way = query.get('way');
  const [at, seed] = ['at', 'seed'].map(name => query.get(name)).map(value => (value === null ? NaN : Number(value)));
  return {
    show: query.get('show'),
    ...(text !== null && { text }),
    ...((way === 'watch' || way === 'do') && { way }),
    ...(isCount(at) && { at }),
    ...(isCount(seed) && { seed }),
  };
}

/** @param {number} value */
const isCount = value => Number.isSafeInteger(value) && value >= 0;
