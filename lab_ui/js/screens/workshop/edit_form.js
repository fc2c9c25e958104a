/**
 * The dialog in which an edit is written: a field for each of its options. Gets `open` with a kind, its options with
 * their types (as `GET /edits` has them) and the edit as it is; reports `edit` (detail: the edit).
 */
import { dialog } from '../../ui/dialog.js';
import { actionButton, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { field } from '../../ui/form.js';
import { KINDS, labelOf, nameOf } from './edit_words.js';

/** @typedef {import('../../api/edits.js').Edit} Edit */
/** @typedef {{id: string, name: string}[]} Choices */
/** @typedef {{element: HTMLElement, read: () => any}} Control `read`: undefined for one that is left as usual */

const ROWS = 5;
const USUAL = [
  { value: '', label: 'As usual' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

export class EditForm extends LabElement {
  #kind = '';
  #isOn = true;
  /** @type {[string, Control][]} */
  #controls = [];
  #words = h('p', { class: 'dim' });
  #fields = h('div', { class: 'edit-fields' });
  #apply = actionButton('Apply', () => this.#report(), { class: 'button primary', 'data-role': 'apply-edit' });
  #dialog = dialog(
    { label: 'Edit', class: 'edit-dialog' },
    h('div', { class: 'edit-body' }, this.#words, this.#fields, h('div', {}, this.#apply)),
  );
  /** What lists offer, by option. @type {{corpus: Choices, tokenizer: Choices}} */
  choices = { corpus: [], tokenizer: [] };

  render() {
    this.append(this.#dialog);
    this.#dialog.addEventListener('keydown', event => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#report();
    });
  }

  /** @param {Object<string, string>} options types by name @param {Edit} edit */
  open(options, edit) {
    this.#kind = edit.kind;
    this.#isOn = edit.on !== false;
    this.#words.textContent = KINDS[edit.kind]?.[1] ?? '';
    this.#controls = Object.entries(options).map(([name, type]) => [name, this.#control(name, type, edit[name])]);
    this.#fields.replaceChildren(
      ...this.#controls.map(([name, { element }]) => field(labelOf(edit.kind, name), element)),
    );
    this.#dialog.ariaLabel = nameOf(edit.kind);
    const title = this.#dialog.querySelector('.dialog-head b');
    if (title) title.textContent = nameOf(edit.kind);
    this.#dialog.showModal();
    (this.#controls[0]?.[1].element ?? this.#apply).focus();
  }

  #report() {
    const given = this.#controls.map(([name, { read }]) => [name, read()]).filter(([, value]) => value !== undefined);
    this.#dialog.close();
    this.emit('edit', { kind: this.#kind, ...(this.#isOn ? {} : { on: false }), ...Object.fromEntries(given) });
  }

  /** @param {string} name @param {string} type @param {any} value @returns {Control} */
  #control(name, type, value) {
    const id = `edit-${name}`;
    if (name === 'corpus' || name === 'tokenizer') return choice(this.choices[name], value, name === 'corpus');
    switch (type.replace('!', '')) {
      case 'texts':
      case 'tokens':
      case 'blocks':
        return lines(id, value);
      case 'flag':
        return flag(value);
      case 'count':
      case 'number':
        return number(id, value);
      default:
        return text(id, value);
    }
  }
}

/** @param {{value: string, label: string}[]} options */
const optionsOf = options => options.map(({ value, label }) => h('option', { value }, label));

/** @param {Choices} choices @param {any} value @param {boolean} isList @returns {Control} */
function choice(choices, value, isList) {
  const listed = choices.map(({ id, name }) => ({ value: id, label: name }));
  const none = isList ? [{ value: '', label: 'None' }] : [];
  const element = h('select', {}, ...optionsOf([...none, ...listed]));
  const chosen = isList ? value?.[0] : value;
  if (chosen !== undefined) element.value = chosen;
  else if (isList) element.value = '';
  const read = () => (element.value === '' ? undefined : isList ? [element.value] : element.value);
  return { element, read };
}

/** @param {string} id @param {any} value @returns {Control} */
function lines(id, value) {
  const written = (value ?? []).map((/** @type {any} */ one) => (typeof one === 'object' ? JSON.stringify(one) : one));
  const element = h('textarea', { id, rows: ROWS, spellcheck: false, value: written.join('\n') });
  /** @param {string} line */
  const read = line => (line.startsWith('{"') ? JSON.parse(line) : line);
  return {
    element,
    read: () => {
      const all = element.value.split('\n').filter(line => line.trim());
      return all.length ? all.map(read) : undefined;
    },
  };
}

/** @param {any} value @returns {Control} */
function flag(value) {
  const element = h('select', {}, ...optionsOf(USUAL));
  element.value = value === undefined ? '' : value ? 'yes' : 'no';
  return { element, read: () => (element.value ? element.value === 'yes' : undefined) };
}

/** @param {string} id @param {any} value @returns {Control} */
function number(id, value) {
  const element = h('input', { id, type: 'number', step: 'any', value: value ?? '' });
  return { element, read: () => (element.value === '' ? undefined : Number(element.value)) };
}

/** @param {string} id @param {any} value @returns {Control} */
function text(id, value) {
  const element = h('input', { id, type: 'text', spellcheck: false, value: value ?? '' });
  return { element, read: () => element.value || undefined };
}

customElements.define('edit-form', EditForm);
