/** The recipe: its edits from top to bottom, each with a switch and its effect, and what adds, saves and opens them. */
import { fileChooser } from '../../../ui/form.js';
import { actionButton, h, listen, setText } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { OrderedList } from '../../../ui/ordered_list.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { asSentence, count } from '../../../util/format.js';
import { progressBar, writeProgress } from '../../../ui/job_progress.js';
import { effectWords, givenWords } from '../edit_words.js';
/** @import {EditKind, EditProgress} from '../../../api/schema.d.ts' */

/** @typedef {import('../../../api/edits.js').Edit} Edit */
/** @typedef {import('../../../api/schema.d.ts').Edited} Edited */

export class RecipePanel {
  #list = new OrderedList();
  #add = new MenuButton();
  #base = h('p', { class: 'workshop-end' });
  #result = h('p', { class: 'workshop-end' });
  #first = h('p', { class: 'dim' }, 'No edit yet. Add one: the draft changes, the files of the tokenizer stay.');
  /** By name in recipes. @type {Object<string, EditKind>} */
  #kinds = {};
  #problem = h('p', { class: 'warning', role: 'alert', 'data-role': 'edit-problem', hidden: true });
  #undo = actionButton('Undo', () => this.#host.undo(), { title: 'Undo (u)' });
  #redo = actionButton('Redo', () => this.#host.redo(), { title: 'Redo (Shift+U)' });
  #host;

  /**
   * @param {{undo: () => void, redo: () => void, add: (kind: string) => void, open: (at: number) => void,
   *   turn: (at: number, on: boolean) => void, move: (from: number, to: number) => void, remove: (at: number) => void,
   *   save: () => void, read: (file: File) => void}} host
   */
  constructor(host) {
    this.#host = host;
    const file = fileChooser('recipe-file', ([one]) => host.read(one), { accept: '.toml' });
    this.element = h(
      'section',
      { class: 'workshop-recipe', 'aria-label': 'Edits' },
      h('div', { class: 'workshop-head' }, h('h2', {}, 'Edits, applied from top to bottom'), this.#undo, this.#redo),
      this.#base,
      this.#first,
      this.#list,
      this.#problem,
      this.#result,
      h(
        'div',
        { class: 'workshop-acts' },
        this.#add,
        actionButton('Save recipe', () => host.save()),
        actionButton('Open recipe…', () => file.click()),
        file,
      ),
    );
    this.#add.label = 'Add an edit';
    this.#add.hook = 'add-edit';
    listen(this.#list, 'entry', at => host.open(at));
    listen(this.#list, 'moved', ({ from, to }) => host.move(from, to));
    listen(this.#list, 'takenout', at => host.remove(at));
  }

  /** @param {Object<string, EditKind>} kinds by name in recipes */
  set kinds(kinds) {
    this.#kinds = kinds;
    this.#add.panel.replaceChildren(
      ...Object.entries(kinds).map(([kind, { name, options }]) =>
        this.#add.item(Object.keys(options).length ? `${name}…` : name, () => this.#host.add(kind), {
          hook: `add-${kind}`,
        }),
      ),
    );
  }

  /**
   * @param {{edits: Edit[], done: Edited|null, name: string, letters: string[], progress: EditProgress|null,
   *   canUndo: boolean, canRedo: boolean}} shown `done`: null until it is known
   */
  show({ edits, done, name, letters, progress, canUndo, canRedo }) {
    this.#undo.disabled = !canUndo;
    this.#redo.disabled = !canRedo;
    this.#first.hidden = edits.length > 0;
    setText(this.#base, `${letters[0]}  ${name}${done ? `  ${count(done.vocab_size_before)} tokens` : ''}`);
    setText(this.#result, edits.length && done ? `${letters[1]}  draft  ${count(done.vocab_size)} tokens` : '');
    this.#list.show(
      edits.map((edit, at) => ({
        name: this.#nameOf(edit),
        note: '',
        action: 'Change edit',
        fields: [
          this.#about(edit, done?.steps[at], done?.problem?.number === at + 1, progress?.edit === at + 1 && progress),
          this.#switch(edit, at),
        ],
      })),
    );
    this.#problem.hidden = !done?.problem;
    if (done?.problem) {
      const { number, message, hint } = done.problem;
      setText(this.#problem, `Edit ${number}: ${asSentence(message)} ${asSentence(hint)}`);
    }
  }

  /**
   * @param {Edit} edit @param {import('../../../api/schema.d.ts').StepEffect|undefined} effect
   * @param {boolean} failed @param {EditProgress|null|false|undefined} progress of this edit, where it is under way
   */
  #about(edit, effect, failed, progress) {
    const bar = progress ? progressBar(this.#nameOf(edit)) : null;
    if (bar && progress) writeProgress(bar, { done: progress.done_bytes, total: progress.total_bytes });
    return h(
      'div',
      { class: 'workshop-effect' },
      h('bdi', { class: 'clip dim' }, givenWords(edit, this.#kinds[edit.kind])),
      bar ?? h('span', { class: failed ? 'warning' : 'faint' }, failed ? 'refused' : effectWords(effect)),
    );
  }

  /** @param {Edit} edit */
  #nameOf = ({ kind }) => this.#kinds[kind]?.name ?? kind;

  /** @param {Edit} edit @param {number} at */
  #switch(edit, at) {
    const control = new ToggleSwitch();
    control.label = `Apply edit ${at + 1}: ${this.#nameOf(edit)}`;
    control.quiet = true;
    control.checked = edit.on !== false;
    listen(control, 'valuechange', on => this.#host.turn(at, on));
    return control;
  }
}
