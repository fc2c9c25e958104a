/** The lanes of the base and the draft: grey where their boundaries agree, two shades of each where not. */
import { LETTERS } from '../../text/slots.js';
import { colourOf } from '../../text/token_colour.js';

/**
 * The letters of the base and of the draft, which gets the first that is free, as a tokenizer that is added would.
 * @param {import('../../app/tokenizers/catalog.js').Catalog} catalog @param {string} base
 * @returns {[base: string, draft: string]}
 */
export function lettersOf(catalog, base) {
  const taken = catalog.chosen.map(id => catalog.letterOf(id));
  const own = catalog.letterOf(base);
  const others = LETTERS.filter(letter => letter !== own);
  return [own, others.find(letter => !taken.includes(letter)) ?? others[others.length - 1]];
}

/**
 * @param {import('../../text/session_types.js').Answer} answer
 * @param {import('../../app/tokenizers/spellings.js').Spellings} spellings
 * @param {string[]} letters
 * @returns {import('../../editor/painter.js').LaneSource[]}
 */
export const lanesOf = ({ tokenizers, tokens, divergences }, spellings, letters) =>
  tokenizers.map((id, n) => {
    const spans = tokens[n];
    /** @param {number} i */
    const shade = i => {
      const differs = divergences?.touches(spans.start16.at(i), spans.end16.at(i)) ?? false;
      return `${differs ? 'd' : 'g'}${spans.turn(i, 2)}`;
    };
    const colour = (/** @type {number} */ i) => colourOf(shade(i));
    return {
      id,
      letter: letters[n],
      tokens: spans,
      shade,
      colour,
      spelling: spellings.of(id, spans),
    };
  });
