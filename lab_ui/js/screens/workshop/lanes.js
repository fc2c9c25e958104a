/** The lanes of the base (A) and the draft (B): grey where their boundaries agree, two shades of each where not. */
import { colourOf } from '../../text/token_colour.js';

export const LETTERS = ['A', 'B'];

/**
 * @param {import('../../text/session_types.js').Answer} answer
 * @param {import('../../app/tokenizers/spellings.js').Spellings} spellings
 * @returns {import('../../editor/painter.js').LaneSource[]}
 */
export const lanesOf = ({ tokenizers, tokens, divergences }, spellings) =>
  tokenizers.map((id, n) => {
    const spans = tokens[n];
    /** @param {number} i */
    const shade = i => {
      const differs = divergences?.touches(spans.start16.at(i), spans.end16.at(i)) ?? false;
      return `${differs ? 'd' : 'g'}${spans.turn(i, 2)}`;
    };
    const colour = (/** @type {number} */ i) => colourOf(shade(i));
    return { id, letter: LETTERS[n], tokens: spans, shade, colour, spelling: spellings.of(id, spans) };
  });
