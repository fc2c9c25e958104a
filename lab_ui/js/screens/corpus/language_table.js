/** One row per language, or per script: how one tokenizer does on its documents. Gets `show`; orders by any column. */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { asSentence, count, percent, ratio } from '../../util/format.js';
import { MUCH_UNKNOWN } from '../../text/figures.js';
import { noteOf, reasonOf, reasonsOf } from './language_reasons.js';
import { orderOf, showOrder, sortButton } from '../../ui/sort_button.js';

/**
 * @typedef {import('../../api/analyses.js').LanguageResult} LanguageResult
 * @typedef {{name: string, label: string, unit: string, write?: (value: number) => string}} Column
 * @type {Column[]}
 */
const COLUMNS = [
  { name: 'language', label: 'Language', unit: '' },
  { name: 'script', label: 'Script', unit: '' },
  { name: 'words', label: 'Words', unit: 'by white space', write: count },
  { name: 'tokens', label: 'Tokens', unit: 'in all', write: count },
  { name: 'fertility', label: 'Fertility', unit: 'tokens per word', write: ratio },
  { name: 'continued_word_rate', label: 'Continued words', unit: 'of words', write: share => percent(share, 1) },
  { name: 'bytes_per_token', label: 'Bytes per token', unit: 'UTF-8', write: ratio },
  { name: 'premium', label: 'Premium', unit: 'to reference', write: ratio },
  { name: 'unknown_rate', label: 'Unknown', unit: 'of tokens', write: share => percent(share, 1) },
  { name: 'unknown_character_rate', label: 'Lost', unit: 'of characters', write: share => percent(share, 1) },
];
const WORDS = ['language', 'script'];
const FIGURES = COLUMNS.map(({ name }) => name).filter(name => !WORDS.includes(name));
const DOUBTFUL = ['fertility', 'bytes_per_token', 'premium', 'unknown_rate', 'unknown_character_rate'];

export class LanguageTable extends LabElement {
  /** @type {LanguageResult[]} */
  #rows = [];
  #reference = '';
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

  /** @param {LanguageResult[]} rows @param {string|null} reference the language that premium divides by */
  show(rows, reference) {
    this.#rows = rows;
    this.#reference = reference ?? '';
    this.#draw();
  }

  #draw() {
    const { name: by, isDescending } = this.#order;
    const rows = by ? [...this.#rows].sort((a, b) => compare(a[by], b[by], isDescending)) : this.#rows;
    const held = this.contains(document.activeElement) ? document.activeElement?.getAttribute('data-order') : null;
    this.#head.replaceChildren(h('tr', {}, ...COLUMNS.map(column => this.#header(column))));
    const notes = reasonsOf(this.#rows, FIGURES);
    this.#body.replaceChildren(
      ...rows.map(row =>
        h('tr', { 'data-language': row.language }, ...COLUMNS.map(column => cell(column, row, notes))),
      ),
    );
    this.#notes.hidden = !notes.length;
    this.#notes.replaceChildren(...notes.map(note => h('li', {}, asSentence(note))));
    if (held) /** @type {HTMLElement|null} */ (this.#head.querySelector(`[data-order="${held}"]`))?.focus();
  }

  /** @param {Column} column */
  #header({ name, label, unit }) {
    const words = name === 'premium' && this.#reference ? `${this.#reference} = 1` : unit;
    const header = h(
      'th',
      { scope: 'col', class: WORDS.includes(name) ? '' : 'number' },
      sortButton({ label, name: `Order by ${label}`, press: () => this.#sort(name), order: name }),
      words ? h('span', { class: 'faint unit' }, words) : null,
    );
    showOrder(header, orderOf(this.#order.name === name, this.#order.isDescending));
    return header;
  }

  /** Numbers begin with the largest; a third press gives the order of the corpus. @param {string} name */
  #sort(name) {
    const usual = !WORDS.includes(name);
    const { name: before, isDescending } = this.#order;
    if (before !== name) this.#order = { name, isDescending: usual };
    else this.#order = isDescending === usual ? { name, isDescending: !usual } : { name: '', isDescending: false };
    this.#draw();
  }
}

/**
 * Compares two values of a column. What was not measured comes last in either order.
 * @param {any} a @param {any} b @param {boolean} isDescending
 */
function compare(a, b, isDescending) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (isDescending ? -1 : 1) * (typeof a === 'string' ? a.localeCompare(b) : a - b);
}

/** @param {Column} column @param {LanguageResult} row @param {string[]} notes reasons under the table */
function cell({ name, write }, row, notes) {
  const value = row[name];
  if (name === 'language') return h('th', { scope: 'row', title: row.language }, h('bdi', {}, row.language));
  if (name === 'script') return h('td', { class: 'dim' }, value ?? '–');
  if (value === null) {
    const reason = reasonOf(row, name);
    return h(
      'td',
      { class: 'number dim', title: asSentence(reason) },
      '–',
      h('sup', {}, String(noteOf(notes, reason))),
    );
  }
  const isDoubtful = Math.max(row.unknown_rate ?? 0, row.unknown_character_rate ?? 0) > MUCH_UNKNOWN;
  const className = isDoubtful && DOUBTFUL.includes(name) ? 'warning' : '';
  const title = isDoubtful ? 'More than 5 % of its tokens or characters are unknown: it looks better than it is' : '';
  return h('td', { class: `number ${className}`, title }, write?.(value) ?? String(value));
}

customElements.define('language-table', LanguageTable);
