/**
 * The dialog in which an edit is written: a field for each of its options. Gets `open` with a kind, as `GET /edits` has
 * it, and the edit as it is; reports `edit` (detail: `{at, edit}`).
 */
import { dialog } from '../../ui/dialog.js';
import { actionButton, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { field } from '../../ui/form.js';
/** @import {EditKind, EditOption} from '../../api/schema.d.ts' */

/** @typedef {import('../../api/edits.js').Edit} Edit */
/** @typedef {{id: string, name: string}[]} Choices */
/** @typedef {{element: HTMLElement, read: () => any}} Control `read`: undefined for one that is left as usual */
/** @typedef {{name: string, control: Control, given: any, before: string}} Option `before`: what was read at first */

const ROWS = 5;

export class EditForm extends LabElement {
  #kind = '';
  #at = 0;
  #isOn = true;
  /** @type {Option[]} */
  #options = [];
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

  /** @param {EditKind} kind @param {Edit} edit @param {number} at its place, which is reported */
  open({ name: title, words, options }, edit, at) {
    this.#at = at;
    this.#kind = edit.kind;
    this.#isOn = edit.on !== false;
    this.#words.textContent = words;
    this.#options = Object.entries(options).map(([name, option]) => {
      const given = edit[name];
      const control = this.#control(name, option, given);
      return { name, control, given, before: JSON.stringify(control.read()) };
    });
    this.#fields.replaceChildren(
      ...this.#options.map(({ name, control }) => field(options[name].label, control.element)),
    );
    this.#dialog.ariaLabel = title;
    const head = this.#dialog.querySelector('.dialog-head b');
    if (head) head.textContent = title;
    this.#dialog.showModal();
    (this.#options[0]?.control.element ?? this.#apply).focus();
  }

  #report() {
    const written = this.#options
      .map(({ name, control, given, before }) => {
        const value = control.read();
        return [name, given !== undefined && JSON.stringify(value) === before ? given : value];
      })
      .filter(([, value]) => value !== undefined);
    this.#dialog.close();
    const edit = { kind: this.#kind, ...(this.#isOn ? {} : { on: false }), ...Object.fromEntries(written) };
    this.emit('edit', { at: this.#at, edit });
  }

  /** @param {string} name @param {EditOption} option @param {any} value @returns {Control} */
  #control(name, { type, usual }, value) {
    const id = `edit-${name}`;
    if (name === 'corpus' || name === 'tokenizer') return choice(this.choices[name], value, name === 'corpus');
    const hasIds = type === 'token' || type === 'tokens';
    switch (type) {
      case 'texts':
      case 'tokens':
      case 'blocks':
        return lines(id, value, hasIds);
      case 'flag':
        return flag(value, usual);
      case 'count':
      case 'number':
        return number(id, value, usual);
      default:
        return name === 'text' ? paragraphs(id, value) : line(id, value, hasIds);
    }
  }
}

/** @param {{value: string, label: string}[]} options */
const optionsOf = options => options.map(({ value, label }) => h('option', { value }, label));

/** @param {Choices} choices @param {any} value @param {boolean} isList @returns {Control} */
function choice(choices, value, isList) {
  const listed = choices.map(({ id, name }) => ({ value: id, label: name }));
  const none = isList ? [{ value: '', label: 'None' }] : [];
  const chosen = isList && value?.length ? value.join(', ') : value;
  const other =
    chosen === undefined || choices.some(({ id }) => id === chosen) ? [] : [{ value: chosen, label: chosen }];
  const element = h('select', {}, ...optionsOf([...none, ...listed, ...other]));
  if (chosen !== undefined) element.value = chosen;
  else if (isList) element.value = '';
  const read = () => (element.value === '' ? undefined : isList ? [element.value] : element.value);
  return { element, read };
}

/**
 * A value as a line: `#50` for the ID 50, JSON for a block, and for a text that would be read as something else.
 * @param {any} value @param {boolean} hasIds @returns {string}
 */
function lineFor(value, hasIds) {
  if (typeof value === 'number') return `#${value}`;
  if (typeof value === 'object' || /[\n\r]|^\s*$/.test(value) || readLine(value, hasIds) !== value)
    return JSON.stringify(value);
  return value;
}

/** @param {string} text of a line @param {boolean} hasIds @returns {any} */
function readLine(text, hasIds) {
  if (hasIds && /^#\d+$/.test(text)) return Number(text.slice(1));
  if (!/^("|{")/.test(text)) return text;
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' || lineFor(value, hasIds) === text ? value : text;
  } catch {
    return text;
  }
}

/** @param {string} id @param {any} value @param {boolean} hasIds @returns {Control} */
function lines(id, value, hasIds) {
  const written = (value ?? []).map((/** @type {any} */ one) => lineFor(one, hasIds));
  const element = h('textarea', { id, rows: ROWS, spellcheck: false, value: written.join('\n') });
  return {
    element,
    read: () => {
      const all = element.value.split('\n').filter(each => each.trim());
      return all.length ? all.map(each => readLine(each, hasIds)) : undefined;
    },
  };
}

/** @param {any} value @param {EditOption['usual']} usual @returns {Control} */
function flag(value, usual) {
  const left = usual === null ? 'As usual' : usual ? 'Yes, as usual' : 'No, as usual';
  const others = [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ].filter(other => usual === null || other.value !== (usual ? 'yes' : 'no') || value === usual);
  const element = h('select', {}, ...optionsOf([{ value: '', label: left }, ...others]));
  element.value = value === undefined ? '' : value ? 'yes' : 'no';
  return { element, read: () => (element.value ? element.value === 'yes' : undefined) };
}

/** @param {string} id @param {any} value @param {EditOption['usual']} usual @returns {Control} */
function number(id, value, usual) {
  const element = h('input', { id, type: 'number', step: 'any', placeholder: usual ?? '', value: value ?? '' });
  return { element, read: () => (element.value === '' ? undefined : Number(element.value)) };
}

/** @param {string} id @param {any} value @param {boolean} hasIds @returns {Control} */
function line(id, value, hasIds) {
  const written = value === undefined ? '' : lineFor(value, hasIds);
  const element = h('input', { id, type: 'text', spellcheck: false, value: written });
  return { element, read: () => (element.value ? readLine(element.value, hasIds) : undefined) };
}

/** @param {string} id @param {any} value @returns {Control} */
function paragraphs(id, value) {
  const element = h('textarea', { id, rows: ROWS, spellcheck: false, value: value ?? '' });
  return { element, read: () => element.value || undefined };
}

customElements.define('edit-form', EditForm);
