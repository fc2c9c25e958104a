/** The lanes under the text: grey where all agree, a tokenizer's own two shades where they differ, by turns. */
import { colourOf } from '../../text/token_colour.js';
import { memoize } from '../../util/memoize.js';
import { classAt } from './agreement.js';
import { withoutTrailingSpace } from './spaces.js';

/** @typedef {import('../../editor/painter.js').LaneSource & {name: string, colour: (token: number) => string}} Lane */

/**
 * A lane for each tokenizer of an answer, with its name and letter.
 * @param {import('../../text/session_types.js').Answer} answer
 * @param {import('../../app/context.js').Context} context
 * @param {import('../../app/tokenizers/spellings.js').Spellings} spellings
 */
export function lanesOf(answer, { catalog, settings }, spellings) {
  const ignoreSpaces = settings.get('ignoreSpaces');
  return answer.tokenizers.map((id, n) =>
    laneOf({ id, name: catalog.nameOf(id), letter: catalog.letterOf(id) }, answer, n, ignoreSpaces, spellings),
  );
}

/**
 * @param {{id: string, name: string, letter: string}} tokenizer
 * @param {import('../../text/session_types.js').Answer} answer
 * @param {number} n of the tokenizer in the answer
 * @param {boolean} ignoreSpaces
 * @param {import('../../app/tokenizers/spellings.js').Spellings} spellings
 * @returns {Lane}
 */
function laneOf(tokenizer, { tokens, divergences, text }, n, ignoreSpaces, spellings) {
  const spans = tokens[n];
  const lane = { ...tokenizer, tokens: spans, spelling: spellings.of(tokenizer.id, spans) };
  if (!divergences?.length) {
    /** @param {number} i */
    const shade = i => `g${spans.turn(i, 2)}`;
    return { ...lane, shade, colour: i => colourOf(shade(i)) };
  }
  /** @param {number} from @param {number} to */
  const slice = (from, to) => text.slice(from, to);
  // The boundary at its start says how many tokenizers have it. Of two, the colour says so.
  const boundary =
    tokens.length > 2
      ? memoize((/** @type {number} */ i) => `boundary-${classAt(tokens, n, i, text, ignoreSpaces)}`)
      : undefined;
  const shade = memoize((/** @type {number} */ i) => {
    const from = spans.start16.at(i);
    const to = spans.end16.at(i);
    const counted = ignoreSpaces ? withoutTrailingSpace(from, to, slice) : { from, to };
    const differs = counted.to > counted.from && divergences.touches(counted.from, counted.to);
    return `${differs ? 'd' : 'g'}${spans.turn(i, 2)}`;
  });
  return { ...lane, shade, boundary, colour: i => colourOf(shade(i)) };
}
