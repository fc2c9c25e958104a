/**
 * A sheet of exercises, one task at a time, and the score at its end. Gets `show`; reports `answer` (detail: `{at,
 * answer}`), `seed` (detail: the number), `again`, `save` (detail: the learner's name), `file` (detail: the file),
 * `drawn` (detail: the task) and, in a class, `unvoted` (detail: a task whose answer nobody guessed).
 */
import { dialog } from '../ui/dialog.js';
import { closest, drawnOnce, focused, h, setText } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';
import { field, mark } from '../ui/form.js';
import { roving } from '../ui/roving.js';
import { Seen } from '../util/seen.js';
import { PlaceView } from './place_view.js';
import { words } from './words/index.js';
/** @import {Marks, Sheet} from '../api/schema.d.ts' */

/** @typedef {Sheet['tasks'][number]} Task */
/** @typedef {Sheet['tasks'][number]['given'][number]} Line */
/** @typedef {{sheet: Sheet, marks: Marks|null}} Work a sheet and what was answered; null: nothing yet */

const SIGNS = { right: '✓', wrong: '✕', open: '' };
/** Kinds whose question does not say the text. */
const WITH_TEXT = new Set(['count']);

export class ExercisesView extends LabElement {
  /** @type {Work|null} */
  #work = null;
  /** The task that is shown; as many as there are: the score. */
  #at = 0;
  /** In a class: keys that vote for the choices. @type {string[]} */
  #keys = [];
  /** Tasks whose answer was shown without a guess. @type {Set<number>} */
  #unvoted = new Set();
  #seed = h('input', {
    type: 'text',
    inputMode: 'numeric',
    class: 'search-field mono',
    id: 'exercise-seed',
    onchange: event => this.#onSeed(event),
  });
  #open = h('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    'data-role': 'result-file',
    onchange: () => {
      const file = this.#open.files?.[0];
      this.#open.value = ''; // the same file may be chosen again
      if (file) this.emit('file', file);
    },
  });
  #bar = h('form', { class: 'exercise-bar', onsubmit: event => this.#onSeed(event) });
  #save = button(words.exercises.save, () => this.#dialog.showModal());
  #file = h('p', { class: 'exercise-file', role: 'status' });
  #marks = h('div', { class: 'exercise-marks', role: 'group', 'aria-label': words.exercises.tasks });
  #stop = roving(this.#marks, 'button');
  #score = h('span', { class: 'dim number' });
  #place = h('p', { class: 'dim' });
  #question = h('h3', { class: 'lesson-task', id: 'exercise-question', tabIndex: -1 });
  #text = h('p', { class: 'exercise-text mono' });
  #given = h('div', {});
  #choices = h('div', { class: 'exercise-lines', role: 'radiogroup', 'aria-labelledby': 'exercise-question' });
  #boundaries = new PlaceView();
  #placed = new Seen();
  #verdict = h('p', { class: 'lesson-verdict', role: 'status' });
  #next = h('button', { type: 'submit', class: 'button primary', 'data-role': 'exercise-next' });
  #task = h(
    'form',
    { onsubmit: event => this.#onSubmit(event) },
    this.#place,
    this.#question,
    this.#text,
    this.#given,
    this.#choices,
    this.#boundaries,
    this.#verdict,
    this.#next,
  );
  #results = h('ol', { class: 'exercise-results' });
  #total = h('h3', { class: 'lesson-task', tabIndex: -1 });
  #end = h(
    'div',
    { hidden: true },
    this.#total,
    this.#results,
    button(words.exercises.again, () => this.emit('again')),
  );
  #leftOut = h('div', { class: 'dim' });
  #name = h('input', { type: 'text', id: 'learner-name', maxLength: 200, autocomplete: 'off' });
  #dialog = dialog(
    { label: words.exercises.saveTitle, class: 'exercise-dialog' },
    h(
      'form',
      {
        onsubmit: event => {
          event.preventDefault();
          this.#dialog.close();
          this.emit('save', this.#name.value.trim());
        },
      },
      field(words.exercises.name, this.#name),
      h('p', { class: 'dim' }, words.exercises.saveNote),
      h('button', { type: 'submit', class: 'button primary' }, words.exercises.saveNow),
    ),
  );

  render() {
    this.role = 'region';
    this.ariaLabel = words.exercises.sheet;
    this.#boundaries.isPart = true;
    this.#seed.setAttribute('autocomplete', 'off');
    this.#bar.append(
      h('label', { for: 'exercise-seed', class: 'dim' }, words.exercises.seed),
      this.#seed,
      button(words.exercises.fresh, () => this.renew()),
      h('span', { class: 'grow' }),
      this.#save,
      button(words.exercises.open, () => this.#open.click()),
      this.#open,
    );
    this.append(
      this.#bar,
      h(
        'div',
        { class: 'lesson-page' },
        this.#file,
        h('div', { class: 'exercise-head' }, this.#marks, this.#score),
        this.#task,
        this.#end,
        this.#leftOut,
      ),
      this.#dialog,
    );
    this.#marks.addEventListener('click', event => {
      const at = closest(event, '[data-key]')?.dataset.key;
      if (at !== undefined) this.go(Number(at));
    });
  }

  /**
   * Shows a sheet: its first open task or its score, or another answer of the sheet that is shown.
   * @param {Work} work
   */
  show(work) {
    const isOther = this.#work?.sheet !== work.sheet;
    const isCleared = this.#work?.marks && !work.marks;
    const held = this.#task.contains(focused());
    this.#work = work;
    if (isOther) {
      this.#unvoted.clear();
      this.#seed.value = String(work.sheet.seed);
      mark(this.#seed, false);
      setText(this.#file, '');
    }
    if (isOther || isCleared) this.#at = this.#openFrom(0);
    this.#draw();
    if (isCleared) this.focusWork();
    else if (held && !this.#task.contains(focused())) this.#next.focus(); // what was pressed is gone
  }

  /** Without other sheets and files. @param {boolean} isAlone */
  set isAlone(isAlone) {
    this.#bar.hidden = isAlone;
  }

  /** What a file of results is. @param {string} said */
  set fileWords(said) {
    setText(this.#file, said);
  }

  /** Asks for tasks of a seed that was not there yet. */
  renew() {
    this.emit('seed', (this.#work?.sheet.seed ?? 0) + 1);
  }

  /**
   * What is asked, in a class: the task, its choices, and once it is revealed the right one. Null: nothing of choices.
   * @returns {import('./lesson_view.js').LessonView['question']}
   */
  get question() {
    const choices = this.#work?.sheet.tasks[this.#at]?.choices;
    if (!choices) return null;
    const found = this.#markOf(this.#at);
    return {
      at: this.#at,
      choices: choices.map(({ text }, n) => ({ key: String(n), label: text })),
      right: found && String(found.solution),
    };
  }

  get at() {
    return this.#at;
  }
  /** Whether an answer is to be revealed. */
  get isCovered() {
    return !this.#markOf(this.#at);
  }
  get canGoOn() {
    return this.isCovered || this.#at + 1 < this.#size;
  }
  /** @returns {string} where it stands */
  get place() {
    return words.exercises.place(this.#at + 1, this.#size);
  }

  /**
   * Goes on as a clicker does: to the answer, else to the next task.
   * @param {string|null} said the choice that the class made @returns {boolean} false: this is the end
   */
  goOn(said) {
    const task = this.#work?.sheet.tasks[this.#at];
    if (this.#markOf(this.#at)) {
      if (this.#at + 1 >= this.#size) return false;
      this.go(this.#at + 1);
    } else if (task?.choices && said === null) {
      this.#unvoted.add(this.#at);
      this.emit('unvoted', this.#at);
    } else this.emit('answer', { at: this.#at, answer: task?.choices ? Number(said) : this.#boundaries.guess });
    return true;
  }

  /** @returns {boolean} false: this is the first task */
  goBack() {
    if (!this.#at) return false;
    this.go(this.#at - 1);
    return true;
  }

  /** Draws it for a class. @param {number} zoom of figures, at most @param {string[]} keys that vote for choices */
  present(zoom, keys) {
    this.#keys = keys;
    this.#boundaries.present(zoom);
    this.#draw();
  }

  /** @param {number} by tasks */
  step(by) {
    if (this.#work) this.go(Math.min(this.#size, Math.max(0, this.#at + by)));
  }

  /** @param {number} at a task, or the score behind the last */
  go(at) {
    this.#at = at;
    this.#draw();
  }

  focusWork() {
    const task = this.#work?.sheet.tasks[this.#at];
    if (!task) this.#total.focus();
    else if (this.#markOf(this.#at)) this.#next.focus();
    else if (task.choices) this.#choices.querySelector('input')?.focus();
    else this.#boundaries.focusWork();
  }

  get #size() {
    return this.#work?.sheet.tasks.length ?? 0;
  }

  /** @param {number} at @returns {Marks['marks'][number]|null} null: it is open */
  #markOf(at) {
    const found = this.#work?.marks?.marks[at];
    return found && found.right !== null ? found : null;
  }

  /** @param {number} at @returns {'right'|'wrong'|'open'} */
  #stateOf(at) {
    const found = this.#markOf(at);
    return !found ? 'open' : found.right ? 'right' : 'wrong';
  }

  /** The first open task from one on, round the sheet; the score if none is open. @param {number} from */
  #openFrom(from) {
    const order = Array.from({ length: this.#size }, (_, n) => (from + n) % this.#size);
    return order.find(at => !this.#markOf(at)) ?? this.#size;
  }

  /** @param {SubmitEvent} event */
  #onSubmit(event) {
    event.preventDefault();
    const task = this.#work?.sheet.tasks[this.#at];
    if (!task) return;
    if (this.#markOf(this.#at)) {
      this.go(this.#openFrom(this.#at + 1));
      this.focusWork();
      return;
    }
    const chosen = this.#choices.querySelector('input:checked');
    if (task.choices && !chosen) {
      this.#say('', words.exercises.none);
      return;
    }
    const answer = task.choices ? Number(/** @type {HTMLInputElement} */ (chosen).value) : this.#boundaries.guess;
    this.emit('answer', { at: this.#at, answer });
  }

  /** Asks for the tasks of the seed that was typed. @param {Event} event */
  #onSeed(event) {
    event.preventDefault();
    const seed = seedOf(this.#seed.value);
    mark(this.#seed, seed === null);
    if (seed === null) setText(this.#file, words.exercises.seedProblem);
    else this.emit('seed', seed);
  }

  #draw() {
    if (!this.#work) return;
    const { sheet, marks } = this.#work;
    drawnOnce(
      this.#marks,
      sheet.tasks.map((_, at) => [this.#stateOf(at), at === this.#at]),
      () => sheet.tasks.map((_, at) => this.#markButton(at)),
    );
    this.#stop(/** @type {HTMLElement|undefined} */ (this.#marks.children[this.#at]));
    const score = { right: marks?.right ?? 0, answered: marks?.answered ?? 0, of: sheet.tasks.length };
    setText(this.#score, words.exercises.score(score));
    const task = sheet.tasks[this.#at];
    this.#task.hidden = !task;
    this.#end.hidden = Boolean(task) || !sheet.tasks.length;
    this.#save.disabled = !score.answered;
    if (task) this.#drawTask(task);
    else this.#drawEnd(words.exercises.score(score));
    drawnOnce(this.#leftOut, sheet.left_out, () =>
      sheet.left_out.map(({ kind, reason }) =>
        h('p', {}, words.exercises.leftOut(words.exercises.kinds[kind] ?? kind, reason)),
      ),
    );
    this.emit('drawn', this.#at);
  }

  /** @param {number} at */
  #markButton(at) {
    const state = this.#stateOf(at);
    return h(
      'button',
      {
        type: 'button',
        'data-key': at,
        'data-state': state,
        'aria-current': at === this.#at ? 'step' : null,
        'aria-label': words.exercises.mark(at + 1, words.exercises.states[state]),
      },
      `${at + 1}${SIGNS[state] && ` ${SIGNS[state]}`}`,
    );
  }

  /** @param {Task} task */
  #drawTask(task) {
    const marked = this.#markOf(this.#at);
    drawnOnce(this.#given, task.given, () =>
      task.given.length
        ? [
            h('h4', { class: 'dim' }, words.exercises.given),
            h('ul', { class: 'exercise-lines' }, ...task.given.map(each => h('li', {}, ...lineOf(each)))),
          ]
        : [],
    );
    setText(this.#place, words.exercises.place(this.#at + 1, this.#size));
    setText(this.#question, task.question);
    this.#text.hidden = !WITH_TEXT.has(task.kind);
    setText(this.#text, task.text);
    this.#choices.hidden = !task.choices;
    const isUnvoted = this.#unvoted.has(this.#at);
    const whose = isUnvoted ? '' : this.#keys.length ? words.exercises.theirs : words.exercises.yours;
    drawnOnce(this.#choices, [task, this.#at, marked, this.#keys], () =>
      (task.choices ?? []).map((line, n) => choice(line, n, marked, { whose, key: this.#keys[n] })),
    );
    this.#boundaries.hidden = task.choices !== null;
    if (!task.choices && !this.#placed.again([task, this.#at, marked])) {
      this.#boundaries.text = task.text;
      if (marked?.boundaries) {
        this.#boundaries.guess = /** @type {number[]} */ (marked.answer);
        this.#boundaries.show(marked.boundaries);
      }
    }
    if (marked) {
      const said = [marked.reason ?? '', words.exercises.truths[task.kind] ?? ''].filter(Boolean).join(' ');
      this.#say(isUnvoted ? 'answer' : marked.right ? 'right' : 'wrong', said);
    } else this.#say('', '');
    const isLast = this.#openFrom(0) === this.#size;
    setText(this.#next, marked ? (isLast ? words.exercises.toScore : words.exercises.next) : words.exercises.check);
  }

  /** @param {'right'|'wrong'|'answer'|''} kind @param {string} said */
  #say(kind, said) {
    this.#verdict.dataset.kind = kind;
    this.#verdict.classList.toggle('nothing', !said && !kind);
    drawnOnce(this.#verdict, [this.#at, kind, said], () => [
      kind ? h('b', {}, words.exercises[kind]) : null,
      kind ? ' ' : null,
      said,
    ]);
  }

  /** @param {string} score */
  #drawEnd(score) {
    setText(this.#total, score);
    const tasks = this.#work?.sheet.tasks ?? [];
    drawnOnce(
      this.#results,
      tasks.map((task, at) => [task.kind, task.text, this.#stateOf(at)]),
      () =>
        tasks.map((task, at) => {
          const state = this.#stateOf(at);
          return h(
            'li',
            { 'data-state': state },
            h('b', {}, `${SIGNS[state]} ${words.exercises.answered[state]}`.trim()),
            ` ${words.exercises.truths[task.kind] ?? words.exercises.kinds[task.kind]}`,
          );
        }),
    );
    if (this.#task.contains(focused())) this.#total.focus();
  }
}

/** @param {string} written @returns {number|null} null: no whole number that a seed can be */
export function seedOf(written) {
  const seed = /^\d{1,16}$/.test(written.trim()) ? Number(written) : NaN;
  return Number.isSafeInteger(seed) ? seed : null;
}

/** @param {string} label @param {() => void} onclick */
function button(label, onclick) {
  return h('button', { type: 'button', class: 'button framed', onclick }, label);
}

/** @param {Line} line */
const lineOf = ({ text, note }) => [
  h('bdi', { class: 'mono' }, text),
  note === null ? null : h('span', { class: 'dim number' }, note),
];

/**
 * @param {Line} line @param {number} n @param {Marks['marks'][number]|null} marked
 * @param {{whose: string, key?: string}} around `whose`: what is said of the answer that was given
 */
function choice(line, n, marked, { whose, key }) {
  const state = !marked ? '' : n === marked.solution ? 'right' : n === marked.answer ? 'wrong' : '';
  const { solution } = words.exercises;
  const said = [state === 'right' && `${SIGNS.right} ${solution}`, n === marked?.answer && whose].filter(Boolean);
  const input = h('input', {
    type: 'radio',
    name: 'exercise-choice',
    value: String(n),
    disabled: marked !== null,
    checked: n === marked?.answer,
  });
  return h(
    'label',
    { 'data-state': state },
    input,
    key && h('kbd', {}, key),
    h('span', {}, ...lineOf(line)),
    said.length > 0 && h('b', {}, `${state === 'wrong' ? `${SIGNS.wrong} ` : ''}${said.join(', ')}`),
  );
}

customElements.define('exercises-view', ExercisesView);
