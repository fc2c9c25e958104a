/** One row per language with its figures (`language_columns.js`). Gets `show`; orders by any column. */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { orderOf, showOrder, sortButton } from '../../ui/sort_button.js';
import { asSentence } from '../../util/format.js';
import { noteOf, notesOf } from './language_reasons.js';

/**
 * @typedef {import('./language_columns.js').Column} Column
 * @typedef {import('./language_columns.js').Row} Row
 */

/** @type {Column[]} of what a row is about */
const WORDS = ['Language', 'Script'].map(label => ({ name: label.toLowerCase(), label, unit: '', write: String }));

export class LanguageTable extends LabElement {
  /** @type {Column[]} */
  #columns = [];
  /** @type {Row[]} */
  #rows = [];
  #order = { name: '', isDescending: false };
  #body = h('tbody');
  #head = h('thead');
  #notes = h('ol', { class: 'language-notes dim' });

  render() {
    this.tabIndex = 0;
    this.role = 'region';
    this.ariaLabel = 'Languages';
    this.append(h('table', {}, this.#head, this.#body), this.#notes);
  }

  /** @param {import('./language_columns.js').Content} content */
  show({ columns, rows }) {
    this.#columns = columns;
    this.#rows = rows;
    if (![...WORDS, ...columns].some(({ name }) => name === this.#order.name))
      this.#order = { name: '', isDescending: false };
    this.#draw();
  }

  #draw() {
    const { name: by, isDescending } = this.#order;
    const rows = by
      ? [...this.#rows].sort((a, b) => compare(sortValue(a, by), sortValue(b, by), isDescending))
      : this.#rows;
    const held = this.contains(document.activeElement) ? document.activeElement?.getAttribute('data-order') : null;
    const columns = [...WORDS, ...this.#columns];
    this.#head.replaceChildren(h('tr', {}, ...columns.map(column => this.#header(column))));
    const notes = notesOf(this.#rows);
    this.#body.replaceChildren(
      ...rows.map(row =>
        h(
          'tr',
          { 'data-language': row.language },
          h('th', { scope: 'row', title: row.language }, h('bdi', {}, row.language)),
          h('td', { class: 'dim' }, row.script ?? '–'),
          ...this.#columns.map(column => cell(column, row.cells[column.name], notes)),
        ),
      ),
    );
    this.#notes.hidden = !notes.length;
    this.#notes.replaceChildren(...notes.map(note => h('li', {}, asSentence(note))));
    if (held) /** @type {HTMLElement|null} */ (this.#head.querySelector(`[data-order="${held}"]`))?.focus();
  }

  /** @param {Column} column */
  #header({ name, label, unit, badge }) {
    const header = h(
      'th',
      { scope: 'col', class: isWord(name) ? '' : 'number' },
      badge?.cloneNode(true) ?? null,
      sortButton({ label, name: `Order by ${label}`, press: () => this.#sort(name), order: name }),
      unit ? h('span', { class: 'faint unit' }, unit) : null,
    );
    showOrder(header, orderOf(this.#order.name === name, this.#order.isDescending));
    return header;
  }

  /** Numbers begin with the largest; a third press gives the order of the corpus. @param {string} name */
  #sort(name) {
    const usual = !isWord(name);
    const { name: before, isDescending } = this.#order;
    if (before !== name) this.#order = { name, isDescending: usual };
    else this.#order = isDescending === usual ? { name, isDescending: !usual } : { name: '', isDescending: false };
    this.#draw();
  }
}

/** @param {string} name */
const isWord = name => WORDS.some(column => column.name === name);

/** @param {Row} row @param {string} name of a column */
const sortValue = (row, name) =>
  name === 'language' ? row.language : name === 'script' ? row.script : (row.cells[name]?.value ?? null);

/**
 * Compares two values of a column. What was not measured comes last in either order.
 * @param {any} a @param {any} b @param {boolean} isDescending
 */
function compare(a, b, isDescending) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (isDescending ? -1 : 1) * (typeof a === 'string' ? a.localeCompare(b) : a - b);
}

/** @param {Column} column @param {import('./language_columns.js').Cell|undefined} found @param {string[]} notes */
function cell({ write }, found, notes) {
  if (!found) return h('td', { class: 'number dim' }, '–');
  const { value, reason, isDoubtful } = found;
  if (value === null)
    return h(
      'td',
      { class: 'number dim', title: asSentence(reason) },
      '–',
      h('sup', {}, String(noteOf(notes, reason))),
    );
  const title = isDoubtful ? 'More than 5 % of its tokens or characters are unknown: it looks better than it is' : '';
  return h('td', { class: `number ${isDoubtful ? 'warning' : ''}`, title }, write(value));
}

customElements.define('language-table', LanguageTable);
