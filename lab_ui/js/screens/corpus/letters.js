/** Letters of the tokenizers of an analysis: those of the bar, and free ones for tokenizers that are not in use. */
import { LETTERS } from '../../text/slots.js';

/**
 * @param {string[]} ids
 * @param {(id: string) => string} letterOf "?" if it has none
 * @returns {string[]}
 */
export function lettersOf(ids, letterOf) {
  const own = ids.map(letterOf);
  const free = LETTERS.filter(letter => !own.includes(letter));
  return own.map(letter => (LETTERS.includes(letter) ? letter : (free.shift() ?? letter)));
}
