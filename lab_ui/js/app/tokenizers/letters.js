/** Letters of the tokenizers of a result: those of the bar, and free ones for tokenizers that are not in use. */
import { LETTERS } from '../../text/slots.js';

/** Of many tokenizers: more than the bar holds. */
const ALL = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * @param {string[]} ids
 * @param {(id: string) => string} letterOf "?" if it has none
 * @returns {string[]} "?" for tokenizers beyond the alphabet
 */
export function lettersOf(ids, letterOf) {
  const own = ids.map(letterOf);
  const free = ALL.filter(letter => !own.includes(letter));
  return own.map(letter => (LETTERS.includes(letter) ? letter : (free.shift() ?? letter)));
}
