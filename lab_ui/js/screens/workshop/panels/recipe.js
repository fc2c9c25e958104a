/** The recipe: its edits from top to bottom, each with a switch and its effect, and what adds, saves and opens them. */
import { fileChooser } from '../../../ui/form.js';
import { actionButton, h, listen, setText } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { OrderedList } from '../../../ui/ordered_list.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { asSentence, count } from '../../../util/format.js';
import { KINDS, effectWords, givenWords, nameOf } from '../edit_words.js';

/** @typedef {import('../../../api/edits.js').Edit} Edit */
/** @typedef {import('../../../api/schema.d.ts').Edited} Edited */

export class RecipePanel {
  #list = new OrderedList();
  #add = new MenuButton();
  #base = h('p', { class: 'workshop-end' });
  #result = h('p', { class: 'workshop-end' });
  #first = h('p', { class: 'dim' }, 'No edit yet. Add one: the draft B changes, the files of A stay as they are.');
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
    this.#add.panel.append(
      ...Object.entries(KINDS).map(([kind, [name]]) =>
        this.#add.item(`${name}…`, () => host.add(kind), { hook: `add-${kind}` }),
      ),
    );
    listen(this.#list, 'entry', at => host.open(at));
    listen(this.#list, 'moved', ({ from, to }) => host.move(from, to));
    listen(this.#list, 'takenout', at => host.remove(at));
  }

  /**
   * @param {{edits: Edit[], done: Edited|null, name: string, canUndo: boolean, canRedo: boolean}} shown `done`: null
   *   until it is known
   */
  show({ edits, done, name, canUndo, canRedo }) {
    this.#undo.disabled = !canUndo;
    this.#redo.disabled = !canRedo;
    this.#first.hidden = edits.length > 0;
    setText(this.#base, `A  ${name}${done ? `  ${count(done.vocab_size_before)} tokens` : ''}`);
    setText(this.#result, edits.length && done ? `B  draft  ${count(done.vocab_size)} tokens` : '');
    this.#list.show(
      edits.map((edit, at) => ({
        name: nameOf(edit.kind),
        note: '',
        action: 'Change edit',
        fields: [this.#about(edit, done?.steps[at], done?.problem?.number === at + 1), this.#switch(edit, at)],
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
   * @param {boolean} failed
   */
  #about(edit, effect, failed) {
    return h(
      'div',
      { class: 'workshop-effect' },
      h('bdi', { class: 'clip dim' }, givenWords(edit)),
      h('span', { class: failed ? 'warning' : 'faint' }, failed ? 'refused' : effectWords(effect)),
    );
  }

  /** @param {Edit} edit @param {number} at */
  #switch(edit, at) {
    const control = new ToggleSwitch();
    control.label = `Apply edit ${at + 1}: ${nameOf(edit.kind)}`;
    control.quiet = true;
    control.checked = edit.on !== false;
    listen(control, 'valuechange', on => this.#host.turn(at, on));
    return control;
  }
}
