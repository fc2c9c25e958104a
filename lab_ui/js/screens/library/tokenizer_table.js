/**
 * The tokenizers as a table in groups; a row opens the facts of its tokenizer. Keyboard: up and down move between the
 * rows, Enter opens one.
 *
 * Gets `show`; reports `sort` (detail: a column), `open` (detail: an id, null to close), `use`, `stopusing`, `download`
 * and `delete` (detail: an id), `renametokenizer` (detail: id and name).
 */
import { LabElement } from '../../ui/element.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { all, childrenOf, closest, h, setText, update } from '../../ui/dom.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { count, size } from '../../util/format.js';
import { GROUPS, grouped, isAway } from '../../app/tokenizers/tokenizer_groups.js';
import { ALL_IN_USE } from '../../app/state/shared_settings.js';
import { COLUMNS } from './library_state.js';
import { tokenizerFacts } from './tokenizer_facts.js';
import { orderOf, showOrder, sortButton } from '../../ui/sort_button.js';

const CAN_BE_RENAMED = ['added', 'composed'];
const CAN_BE_DELETED = ['added', 'composed', 'downloaded'];
const MAX_NAME = 80;
const ONE_STAYS = 'One tokenizer always stays in use';

/**
 * @typedef {import('../../api/schema.d.ts').CatalogEntry} Entry
 *
 * @typedef {Object} TableContent
 * @property {Entry[]} entries those found, in their order
 * @property {import('./library_state.js').LibraryState} state
 * @property {string[]} chosen ids in use
 * @property {(id: string) => string} letterOf
 * @property {boolean} isFull whether no other tokenizer can be used
 * @property {string[]} fetching ids of those that are being fetched
 * @property {(id: string) => HTMLElement|null} failureOf why one could not be fetched
 * @property {(id: string) => HTMLElement} checkOf what compares one with reference libraries
 */
export class TokenizerTable extends LabElement {
  #head = h('tr');
  #groups = GROUPS.map(group => ({ ...group, body: h('tbody', { 'data-group': group.name }) }));
  /** @type {HTMLTableElement} */
  #table;
  /** @type {TableContent} */
  #content;
  /** Id of the row that Tab leads to. @type {string|null} */
  #current = null;

  render() {
    this.#table = h(
      'table',
      { class: 'tokenizers', 'aria-label': 'Tokenizers' },
      h('thead', {}, this.#head),
      ...this.#groups.map(({ body }) => body),
    );
    this.append(this.#table);
    this.#table.addEventListener('keydown', event => this.#onKey(event));
    this.#table.addEventListener('focusin', event => {
      this.#current = closest(event, '.tokenizer-row')?.dataset.tokenizer ?? this.#current;
      this.#setTabStop();
    });
    this.#table.addEventListener('click', event => this.#onClick(event));
  }

  /** @param {TableContent} content */
  show(content) {
    this.#content = content;
    this.#drawHead(content.state);
    const found = new Map(grouped(content.entries).map(({ name, entries }) => [name, entries]));
    for (const { name, label, body } of this.#groups) this.#drawGroup(body, label, found.get(name) ?? []);
    this.#setTabStop();
  }

  /** The keyboard goes on in the first row. */
  focusRows() {
    this.#names[0]?.focus();
  }

  get #names() {
    return all(this.#table, '.tokenizer-name');
  }

  /** @param {import('./library_state.js').LibraryState} state */
  #drawHead({ by, isDescending }) {
    update(
      this.#head,
      COLUMNS,
      ({ name }) => name,
      ({ name, label, isNumber }) =>
        h(
          'th',
          { class: isNumber ? 'right' : '', 'data-column': name },
          sortButton({ label, name: `Sort by ${label.toLowerCase()}`, press: () => this.emit('sort', name) }),
        ),
      (cell, { name }) => {
        cell.setAttribute('scope', 'col');
        showOrder(cell, orderOf(by === name, isDescending));
      },
    );
  }

  /** @param {HTMLElement} body @param {string} label @param {Entry[]} entries */
  #drawGroup(body, label, entries) {
    body.hidden = !entries.length;
    const open = entries.find(({ id }) => id === this.#content.state.open);
    /** @type {{key: string, entry?: Entry, isFacts?: boolean}[]} */
    const items = [
      { key: 'title' },
      ...entries.flatMap(entry => [
        { key: `row ${entry.id}`, entry },
        ...(entry === open ? [{ key: `facts ${entry.id}`, entry, isFacts: true }] : []),
      ]),
    ];
    update(
      body,
      items,
      ({ key }) => key,
      ({ entry, isFacts }) => (!entry ? titleRow() : isFacts ? factsRow(entry) : this.#row(entry)),
      (row, { entry, isFacts }) => {
        if (!entry) {
          setText(row.querySelector('.group-name'), label);
          setText(row.querySelector('.number'), count(entries.length));
        } else if (isFacts) this.#writeFacts(row, entry);
        else this.#write(row, entry);
      },
    );
  }

  /** @param {Entry} entry */
  #row({ id }) {
    const cells = COLUMNS.slice(1).map(({ isNumber }) => h('td', { class: isNumber ? 'right number' : '' }));
    const name = h(
      'button',
      { type: 'button', class: 'tokenizer-name' },
      h('span', { class: 'badge-slot' }),
      h('span'),
    );
    name.setAttribute('aria-controls', `facts-${id}`);
    const head = h('th', {}, name);
    head.setAttribute('scope', 'row');
    const use = h('button', { type: 'button', class: 'button framed use' });
    cells.at(-1)?.append(use);
    return h('tr', { class: 'tokenizer-row', 'data-tokenizer': id }, head, ...cells);
  }

  /** @param {HTMLElement} row @param {Entry} entry */
  #write(row, entry) {
    const { state, chosen, letterOf } = this.#content;
    const isUsed = chosen.includes(entry.id);
    const [name] = all(row, '.tokenizer-name');
    row.dataset.used = String(isUsed);
    name.ariaExpanded = String(state.open === entry.id);
    childrenOf(name)[0].replaceChildren(isUsed ? tokenizerBadge(letterOf(entry.id)) : h('span', { class: 'no-badge' }));
    setText(name.lastChild, entry.name);
    const [family, tokens, licence, onDisk] = [...row.children].slice(1);
    setText(family, entry.family ?? '–');
    setText(tokens, count(entry.vocab_size));
    setText(licence, entry.licence ?? 'not stated');
    setText(onDisk, isAway(entry) ? awayWords(entry) : size(entry.size_bytes));
    onDisk.classList.toggle('dim', isAway(entry));
    this.#writeUse(all(row, '.use')[0], entry, isUsed);
  }

  /** @param {HTMLElement} button @param {Entry} entry @param {boolean} isUsed */
  #writeUse(button, entry, isUsed) {
    const { chosen, isFull, fetching } = this.#content;
    const [label, action, why] = entry.problem
      ? ['Not usable', '', 'Its details say why']
      : fetching.includes(entry.id)
        ? ['Fetching…', '', '']
        : isAway(entry)
          ? ['Download', 'download', '']
          : isUsed
            ? ['Stop using', chosen.length > 1 ? 'stopusing' : '', chosen.length > 1 ? '' : ONE_STAYS]
            : ['Use', isFull ? '' : 'use', isFull ? ALL_IN_USE : ''];
    setText(button, label);
    button.ariaLabel = `${label} ${entry.name}`;
    button.dataset.action = action;
    button.ariaDisabled = String(!action);
    button.title = why;
  }

  /** @param {HTMLElement} row @param {Entry} entry */
  #writeFacts(row, entry) {
    const [problem, facts, check] = all(row, '.facts-place > *');
    fill(problem, this.#content.failureOf(entry.id));
    facts.replaceChildren(tokenizerFacts(entry));
    fill(check, entry.available && entry.source !== 'plug-in' ? this.#content.checkOf(entry.id) : null);
    const canBeDeleted = CAN_BE_DELETED.includes(entry.source) && !isAway(entry);
    const [end] = all(row, '.facts-end');
    if (!canBeDeleted) end.replaceChildren();
    else if (!end.firstChild) {
      if (CAN_BE_RENAMED.includes(entry.source)) end.append(this.#nameForm(entry));
      end.append(confirmButton({ label: 'Delete', name: entry.name, handler: () => this.emit('delete', entry.id) }));
    }
  }

  /** A field for another name. @param {Entry} entry */
  #nameForm({ id, name }) {
    const field = h('input', { type: 'text', value: name, maxLength: MAX_NAME, 'aria-label': `Name of ${id}` });
    return h(
      'form',
      {
        class: 'rename-form',
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (field.value.trim()) this.emit('renametokenizer', { id, name: field.value });
        },
      },
      field,
      h('button', { type: 'submit', class: 'button framed' }, 'Rename'),
    );
  }

  /** @param {Event} event */
  #onClick(event) {
    const row = closest(event, '.tokenizer-row');
    if (!row) return;
    const id = row.dataset.tokenizer;
    const use = closest(event, '.use');
    if (!use) this.emit('open', this.#content.state.open === id ? null : id);
    else if (use.dataset.action) this.emit(use.dataset.action, id);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const row = closest(event, '.tokenizer-row');
    if (!row) return;
    const kind = closest(event, '.use') ? '.use' : '.tokenizer-name';
    const buttons = all(this.#table, kind);
    const at = buttons.indexOf(all(row, kind)[0]);
    /** @type {Object<string, number|undefined>} */
    const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))].focus();
  }

  /** The buttons of one row are stops of Tab. */
  #setTabStop() {
    const rows = all(this.#table, '.tokenizer-row');
    const stop = rows.find(row => row.dataset.tokenizer === this.#current) ?? rows[0];
    for (const row of rows) for (const button of all(row, 'button')) button.tabIndex = row === stop ? 0 : -1;
  }
}

/** @param {Entry} entry */
const awayWords = entry =>
  entry.size_bytes ? `Available to download, ${size(entry.size_bytes)}` : 'Available to download';

/**
 * Puts a part into its place. It stays if it is there: what is moved loses the focus.
 * @param {HTMLElement} place @param {HTMLElement|null} part
 */
function fill(place, part) {
  if (!part) place.replaceChildren();
  else if (place.firstChild !== part) place.replaceChildren(part);
}

function titleRow() {
  const cell = h('th', {}, h('span', { class: 'group-name' }), ' ', h('span', { class: 'number faint' }));
  cell.setAttribute('scope', 'rowgroup');
  cell.setAttribute('colspan', String(COLUMNS.length));
  return h('tr', { class: 'group-row' }, cell);
}

/** @param {Entry} entry */
function factsRow({ id }) {
  const place = h('div', { class: 'facts-place' }, h('div'), h('div'), h('div'));
  const cell = h('td', {}, place, h('div', { class: 'facts-end' }));
  cell.setAttribute('colspan', String(COLUMNS.length));
  return h('tr', { class: 'facts-row', 'data-facts': id, id: `facts-${id}` }, cell);
}

customElements.define('tokenizer-table', TokenizerTable);
