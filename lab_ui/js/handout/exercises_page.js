/** A sheet of exercises in a handout. The lab has marked every choice, so the page needs neither lab nor engine. */
import { ExercisesView } from '../lessons/exercises_view.js';
import { words } from '../lessons/words/index.js';
import { h, listen } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';

/** @typedef {import('./contents.js').SheetContents} SheetContents */

/** The mark of a task that was not answered. @type {SheetContents['marks'][number][number]} */
const OPEN = { kind: 'count', answer: null, right: null, solution: null, reason: null, boundaries: null };

export class ExercisesPage extends LabElement {
  #view = new ExercisesView();
  /** @type {SheetContents} */
  #contents;
  /** By task: the choice that was made. @type {(number|null)[]} */
  #answers = [];

  /** @param {SheetContents} contents */
  start(contents) {
    const { title, rule } = sheetWords(contents);
    document.title = title;
    this.#contents = contents;
    this.#view.isAlone = true;
    this.append(h('div', { class: 'handout-head' }, h('h1', {}, title), h('p', { class: 'dim' }, rule)), this.#view);
    listen(this.#view, 'answer', ({ at, answer }) => this.#show(this.#answers.with(at, answer)));
    listen(this.#view, 'again', () => this.#show(this.#none));
    this.#show(this.#none);
  }

  get #none() {
    return this.#contents.sheet.tasks.map(() => null);
  }

  /** @param {(number|null)[]} answers */
  #show(answers) {
    this.#answers = answers;
    const { sheet, marks: every } = this.#contents;
    const marks = answers.map((answer, n) => (answer === null ? OPEN : every[n][answer]));
    const [right, answered] = [marks.filter(mark => mark.right), marks.filter(mark => mark.right !== null)];
    const given = { ...sheet, right: right.length, answered: answered.length, of: marks.length, marks };
    this.#view.show({ sheet, marks: answered.length ? given : null });
  }
}

/** What a sheet is called. @param {SheetContents} contents */
export function sheetWords({ sheet: { kind } }) {
  const { sheets, kinds } = words.exercises;
  return sheets[kind] ?? { title: kinds[kind], rule: sheets.mixed.rule };
}

customElements.define('exercises-page', ExercisesPage);
