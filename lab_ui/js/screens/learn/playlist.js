/** A playlist in the page: parts of the hour, and the states of Learn that they show. */
import { learnFor } from '../../app/lesson_link.js';
import { entryOf, isExercises, isPlaced } from './learn_state.js';
import { words } from '../../lessons/words/index.js';
/** @import {PlaylistPart} from '../../api/schema.d.ts' */
/** @import {LearnState} from './learn_state.js' */

/** The state that a part shows. @param {PlaylistPart} part @returns {LearnState} */
export const stateOfPart = ({ show, way, tokenizer, text, sheet, seed, step, learn }) => ({
  lesson: show,
  way,
  tokenizer,
  sample: text === '' ? null : text,
  at: step,
  learn,
  from: null,
  kind: sheet,
  seed,
  playlist: null,
});

/** The minutes at which each part begins, and those at which the last one ends. @param {PlaylistPart[]} parts */
export function minutesOf(parts) {
  const times = [0];
  for (const { minutes } of parts) times.push(times[times.length - 1] + minutes);
  return times;
}

/** The longest text that a summary has, in characters. */
const LONGEST = 40;

/**
 * The part that shows what is open.
 * @param {LearnState} state @param {{title: string, tokenizer: string, text: string}} shown
 * @returns {PlaylistPart}
 */
export const partOf = (state, { title, tokenizer, text }) => ({
  title,
  minutes: 5,
  show: state.lesson,
  way: isExercises(state) || isPlaced(state) ? 'do' : state.way,
  tokenizer,
  text: isExercises(state) ? '' : text,
  step: isExercises(state) ? 0 : (state.at ?? 0),
  learn: learnFor(state.from?.place ?? null) ?? null,
  sheet: state.kind,
  seed: state.seed,
  note: '',
});

/** What a part shows, in a few words. @param {PlaylistPart} part */
export function summaryOf(part) {
  const title = entryOf(stateOfPart(part)).title || part.show;
  const text = Array.from(part.text.trim());
  const said = text.length > LONGEST ? `${text.slice(0, LONGEST).join('')}…` : text.join('');
  return [title, part.tokenizer, said && `“${said}”`].filter(Boolean).join(' · ');
}

/** @param {string} name @param {PlaylistPart[]} parts @returns {import('../../api/schema.d.ts').Playlist} */
export const playlistOf = (name, parts) => ({
  kind: 'playlist of the Tokenization Laboratory',
  version: 1,
  name,
  parts,
});

/** The fields of its file. @param {import('../../api/schema.d.ts').Playlist} playlist */
export const fileOf = ({ name, parts }) => playlistOf(name, parts);

/** What is said of a playlist that an address names and this lab does not have. @param {string} name */
export const missing = name =>
  Object.assign(new Error(`${words.lecture.missing}: ${name}`), { hint: words.lecture.missingHint });

/** What two playlists show is the same. @param {{parts: PlaylistPart[]}} a @param {{parts: PlaylistPart[]}} b */
export const sameParts = (a, b) => JSON.stringify(a.parts) === JSON.stringify(b.parts);
