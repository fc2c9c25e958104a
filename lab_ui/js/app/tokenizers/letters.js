/** Letters of the tokenizers of a result: those of the bar, and free ones for tokenizers that are not in use. */
import { LETTERS } from '../../text/slots.js';

/** Of many tokenizers: more than the bar holds. */
const ALL = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * @param {string[]} ids
 * @param {{chosen: string[], letterOf: (id: string) => string}} catalog those in use, and "?" for what has no letter
 * @returns {string[]} "?" for tokenizers beyond the alphabet
 */
export function lettersOf(ids, catalog) {
  const own = ids.map(id => catalog.letterOf(id));
  const taken = [...own, ...catalog.chosen.map(id => catalog.letterOf(id))];
  const free = ALL.filter(letter => !taken.includes(letter));
  return own.map(letter => (LETTERS.includes(letter) ? letter : (free.shift() ?? letter)));
}
