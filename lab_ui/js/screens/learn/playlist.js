/** A playlist in the page: parts of the hour, and the states of Learn that they show. */
/** @import {PlaylistPart} from '../../api/schema.d.ts' */
/** @import {LearnState} from './learn_state.js' */

/** The state that a part shows. @param {PlaylistPart} part @returns {LearnState} */
export const stateOfPart = ({ show, way, tokenizer, text, sheet, seed, step }) => ({
  lesson: show,
  way,
  tokenizer,
  sample: text === '' ? null : text,
  at: step,
  kind: sheet,
  seed,
});

/** The minutes at which each part begins, and those at which the last one ends. @param {PlaylistPart[]} parts */
export function minutesOf(parts) {
  const times = [0];
  for (const { minutes } of parts) times.push(times[times.length - 1] + minutes);
  return times;
}
