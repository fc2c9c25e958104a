/** What Learn shows, and how its address says it. */
import { LONGEST_TRACED } from '../../api/explain.js';
import { placeOf, placeWords } from '../../app/lesson_link.js';
import { seedOf } from '../../lessons/exercises_view.js';
import { MOST_PLACED } from '../../lessons/place_view.js';
import { COUNT, LESSONS, PLACE } from '../../lessons/scenes/index.js';
import { words } from '../../lessons/words/index.js';
import { count } from '../../util/format.js';
import { canBeKept } from './settings.js';
/** @import {SheetKind} from '../../api/exercises.js' */
/** @import {Way} from '../../lessons/lesson_view.js' */

/** Sheets of exercises in the list of lessons, which any tokenizer but a plug-in can do. */
export const EXERCISES = { name: 'exercises', group: 'check', model: '', example: '' };
/** @type {SheetKind[]} */
const SHEETS = ['mixed', 'misconceptions', 'before', 'after'];

/**
 * @typedef {{lesson: string, way: Way, tokenizer: string|null, sample: string|null, at: number|null,
 *   from: import('../../lessons/lesson_view.js').From|null, kind: SheetKind, seed: number, playlist: string|null,
 *   learn?: number|null}} LearnState `tokenizer`: its id, null for the one in use; `sample`: the text, null for the
 *   lesson's example; `at`: the step, null for that of `from`, the place of another screen that led here; `kind` and
 *   `seed` of the exercises, the seed also of what a lesson draws; `playlist`: the name of the one that is shown
 *   instead; `learn`: the tokens that a part of a playlist learns
 */

/** @param {LearnState} state @returns {URLSearchParams} */
export function paramsOf({ lesson, way, tokenizer, sample, at, from, kind, seed, playlist }) {
  if (playlist !== null) return new URLSearchParams({ playlist });
  const params = new URLSearchParams({ lesson, ...(tokenizer && { tokenizer }) });
  if (lesson === EXERCISES.name) {
    params.set('kind', kind);
    params.set('seed', String(seed));
    return params;
  }
  if (seed && lessonOf(lesson).draws) params.set('seed', String(seed));
  if (way === 'do') params.set('way', way);
  if (sample !== null) params.set('sample', sample);
  if (from) {
    params.set('place', placeWords(from.place));
    if (from.isPart) params.set('part', '1');
  }
  if (at || (from && at !== null)) params.set('at', String(at));
  return params;
}

/** The inverse of `paramsOf`; ignores unknown values. @param {URLSearchParams} params @returns {LearnState} */
export function stateOf(params) {
  const place = placeOf(params.get('place'));
  const at = /^\d{1,6}$/.test(params.get('at') ?? '') ? Number(params.get('at')) : place ? null : 0;
  return {
    lesson: lessonOf(params.get('lesson') ?? '').name,
    way: params.get('way') === 'do' ? 'do' : 'watch',
    tokenizer: params.get('tokenizer'),
    sample: params.get('sample'),
    at,
    from: place && { place, isPart: params.get('part') === '1' },
    kind: SHEETS.find(kind => kind === params.get('kind')) ?? SHEETS[0],
    seed: seedOf(params.get('seed') ?? '') ?? 0,
    playlist: params.get('playlist'),
  };
}

/** What the list of lessons calls it: a lesson, or `exercises KIND`. @param {LearnState} state */
export const nameOf = ({ lesson, kind }) => (lesson === EXERCISES.name ? `${lesson} ${kind}` : lesson);

/** The inverse of `nameOf`. @param {string} name @returns {Partial<LearnState>} */
export function opened(name) {
  const [lesson, kind] = name.split(' ');
  return {
    lesson,
    way: 'watch',
    sample: null,
    at: 0,
    from: null,
    playlist: null,
    ...(kind && { kind: /** @type {SheetKind} */ (kind) }),
  };
}

/** @param {{lesson: string}} state */
export const isExercises = ({ lesson }) => lesson === EXERCISES.name;
/** @param {{lesson: string}} state */
export const isPlaced = ({ lesson }) => lesson === PLACE.name || isCounted({ lesson });
/** @param {{lesson: string}} state */
export const isCounted = ({ lesson }) => lesson === COUNT.name;

/** Whether two states are of the same lesson or sheet, with its text. @param {LearnState} a @param {LearnState} b */
export const sameWork = (a, b) =>
  a.lesson === b.lesson &&
  a.playlist === b.playlist &&
  a.tokenizer === b.tokenizer &&
  a.sample === b.sample &&
  placeKey(a) === placeKey(b) &&
  a.kind === b.kind &&
  a.seed === b.seed;

/** @param {LearnState} state */
const placeKey = ({ from }) => from && placeWords(from.place);

/** @param {string} name @returns {import('../../lessons/scenes/scene.js').LessonEntry} */
export const lessonOf = name => [...LESSONS, EXERCISES].find(lesson => lesson.name === name) ?? LESSONS[0];

/**
 * Whether a lesson can be shown with a tokenizer: it has the lesson's model. A plug-in has no steps to show.
 * @param {import('../../lessons/scenes/scene.js').LessonEntry} scene
 * @param {import('../../api/schema.d.ts').CatalogEntry|null} entry
 */
export const fits = ({ model }, entry) =>
  Boolean(entry?.stages && entry.source !== 'plug-in' && entry.stages.model.endsWith(model));

/** All that can be learned, in the order of the list, by the names of `nameOf`. */
export const entries = () => [
  ...LESSONS.map(({ name, group }) => ({ name, group, ...words.lessons[name] })),
  ...SHEETS.map(kind => ({
    name: nameOf({ ...stateOf(new URLSearchParams()), lesson: EXERCISES.name, kind }),
    group: EXERCISES.group,
    ...words.exercises.sheets[kind],
  })),
];

/** The entry of the list that a state is of. @param {LearnState} state */
export const entryOf = state => entries().find(({ name }) => name === nameOf(state)) ?? { title: '', rule: '' };

/** The act that opens “Add tokenizer”, searching for the model of a lesson. */
export const ADD = ' add';
/** Tokenizers that are offered where none in use fits. */
const MOST_OFFERED = 4;

/**
 * What is said where no tokenizer in use fits a lesson: a title, a sentence, and those that can be used.
 * @param {import('../../lessons/scenes/scene.js').LessonEntry} lesson
 * @param {import('../../api/schema.d.ts').CatalogEntry[]} entries of the catalog
 * @param {string} [missing] the tokenizer that an address asks for, which cannot be used
 * @returns {[string, string, import('../../ui/invitation.js').Act[]]}
 */
export function offerOf(lesson, entries, missing = '') {
  const offered = entries.filter(entry => entry.available && fits(lesson, entry)).slice(0, MOST_OFFERED);
  const needed = `This lesson needs ${lesson.model ? `a ${lesson.model} tokenizer` : 'a tokenizer that is no plug-in'}`;
  const title = missing ? `${missing} is not in this lab` : needed;
  const choose = missing ? 'Add it with “Add tokenizer”, or choose' : 'None of those in use is one. Choose';
  return [
    title,
    offered.length
      ? `${choose} one of these:`
      : `${missing ? `${needed}. ` : ''}None is here: add one with “Add tokenizer”.`,
    offered.length
      ? offered.map(({ id, name }) => ({ name: id, label: `Use ${name}` }))
      : [{ name: ADD, label: `Find a ${lesson.model && `${lesson.model} `}tokenizer…`, isPrimary: true }],
  ];
}

/**
 * Why there is no lesson on a text: a title and a sentence; null if there is one.
 * @param {string} text @param {import('../../lessons/scenes/scene.js').LessonEntry} lesson
 * @returns {[string, string]|null}
 */
export function refusalOf(text, { name, example }) {
  // A lesson without an example has texts of the lab.
  if (!text) return example ? ['There is no text', 'Type a word or a sentence above.'] : null;
  const most = isPlaced({ lesson: name }) ? MOST_PLACED : LONGEST_TRACED;
  const { length } = Array.from(text);
  return length > most ? ['This text is too long', words.view.tooLong(count(most), count(length))] : null;
}

/**
 * Texts by lesson, after one was typed: its example, or none, is not kept. The oldest ones make room for it.
 * @param {Object<string, string>} samples @param {string} name @param {string} sample
 */
export function withSample(samples, name, sample) {
  const { [name]: _, ...others } = samples;
  const own = { [name]: sample };
  if (!sample || sample === lessonOf(name).example || !canBeKept(own)) return others;
  const older = Object.entries(others);
  while (!canBeKept({ ...Object.fromEntries(older), ...own })) older.shift();
  return { ...Object.fromEntries(older), ...own };
}

/**
 * The best scores after another one.
 * @param {Object<string, [number, number]>} progress steps that were right and that were asked, by lesson
 * @param {string} name @param {{right: number, asked: number}} score
 * @returns {Object<string, [number, number]>}
 */
export function withScore(progress, name, { right, asked }) {
  const [best, of] = progress[name] ?? [0, 0];
  return !asked || (of && best / of >= right / asked) ? progress : { ...progress, [name]: [right, asked] };
}
