/** Saves what Learn shows: the figure of a step, or a page that works alone. Not here: the files themselves. */
import { words } from '../../lessons/words/index.js';
import { saveFigure } from './figure_file.js';
import { saveHandout, saveSheet } from './handout_file.js';

/** @typedef {import('../../app/context.js').Context} Context */
/** @typedef {import('./lesson_work.js').LessonWork} LessonWork */
/** @typedef {import('./learn_state.js').LearnState} LearnState */

/**
 * Saves the figure as it is shown, with its caption.
 * @param {Context} context @param {LessonWork} work @param {LearnState} state @param {'pdf'|'png'|'svg'} format
 */
export function saveLessonFigure({ activity, status }, work, { lesson }, format) {
  const { at } = work.view.player;
  const saved = saveFigure(work.picture, words.lessons[lesson].title, `${lesson}-${at}`, format);
  activity.track(saved.catch(error => status.showError(error)));
}

/**
 * Saves the lesson or the sheet as it is shown.
 * @param {Context} context @param {LessonWork} work @param {LearnState} state
 * @param {boolean} folder for a web server, in place of one file
 */
export function saveLessonHandout({ activity, status }, work, state, folder) {
  const { question, current, sheet, tokenizer, view } = work;
  const { kind, seed, way } = state;
  if (!question && current !== sheet) return status.showError(new Error(words.handout.none));
  const saved = question
    ? saveHandout({ ...question, way, at: view.player.at }, folder)
    : saveSheet({ tokenizer, kind, seed }, folder);
  activity.track(
    saved.then(
      name => status.progress(`${name} is saved`),
      error => status.showError(error),
    ),
  );
}
