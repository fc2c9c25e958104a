/**
 * The tokens of an analysis with rank, count, share and cumulative share, fetched page by page. Gets `start` and
 * `show`; reports `searchtoken` (detail: the words) and `choosetoken` (detail: an id).
 */
import { gridCells, gridHead } from '../../ui/data_grid.js';
import { closest, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { PagedList } from '../../ui/paged_list.js';
import { labelNodes } from '../../ui/tokens/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { count, percent, plural } from '../../util/format.js';

const PAGE = 100;
const ROW = 26;

/**
 * @typedef {import('../../api/schema.d.ts').FrequencyRow} FrequencyRow
 * @typedef {(offset: number, limit: number) => Promise<{total: number, rows: FrequencyRow[]}|null>} Load
 */

/**
 * @param {string} name @param {string} title @param {(row: FrequencyRow) => string} words
 * @returns {import('../../ui/data_grid.js').Column<FrequencyRow>}
 */
const numbers = (name, title, words) => ({
  name,
  title,
  label: name,
  cell: row => [h('span', { class: 'number' }, words(row))],
});

const COLUMNS = [
  numbers('rank', 'Place by count, from 1', row => count(row.rank)),
  numbers('id', 'Number in the vocabulary', row => String(row.id)),
  { name: 'token', label: 'token', cell: tokenCell },
  numbers('count', 'Occurrences in the corpus', row => count(row.count)),
  numbers('share', 'Count divided by all tokens', row => percent(row.share, 3)),
  numbers('cumulative', 'Share of all tokens that this and the more frequent ones cover', row =>
    percent(row.cumulative, 2),
  ),
];

export class FrequencyTable extends LabElement {
  #list = new VirtualList();
  #grid = h('div', { class: 'frequency-grid' });
  #found = h('span', { class: 'dim number', role: 'status', 'data-role': 'frequencies-found' });
  #field = h('input', {
    type: 'search',
    class: 'search-field',
    placeholder: 'Find a token',
    'aria-label': 'Find a token by its text',
    'data-role': 'frequency-search',
    oninput: () => this.emit('searchtoken', this.#field.value),
  });
  /** @type {PagedList<FrequencyRow>|null} */
  #rows = null;

  /**
   * @param {{fail: (error: Error) => void, lead: HTMLElement}} options `fail` gets what went wrong while reading,
   *   `lead` is a control before the search
   */
  start({ fail, lead }) {
    this.#rows = new PagedList(this.#list, PAGE, fail);
    this.#grid.append(gridHead(COLUMNS), this.#list);
    this.append(h('div', { class: 'frequency-tools' }, lead, this.#field, this.#found), this.#grid);
    this.#list.start({
      rowHeight: ROW,
      label: 'Tokens by count',
      grid: this.#grid,
      drawRow: at => gridCells(COLUMNS, this.#rows?.at(at)),
    });
    this.#list.dataset.role = 'frequency-rows';
    /** @param {Event} event */
    const open = event => {
      const at = closest(event, '[data-row]')?.dataset.row;
      const row = at === undefined ? null : this.#rows?.at(Number(at));
      if (row) this.emit('choosetoken', row.id);
    };
    this.#list.addEventListener('click', open);
    this.#list.addEventListener('keydown', event => event.key === 'Enter' && open(event));
  }

  focusField() {
    this.#field.focus();
  }

  /**
   * Shows other rows, from the first on.
   * @param {Load} load reads rows @param {string} search the words that they were found with
   * @param {number} types of the whole analysis
   */
  async show(load, search, types) {
    if (this.#field.value !== search) this.#field.value = search;
    const total = await this.#rows?.show(load);
    if (typeof total !== 'number') return;
    setText(this.#found, search ? `${count(total)} of ${plural(types, 'token')}` : plural(types, 'different token'));
  }
}

/** @param {FrequencyRow} row */
function tokenCell(row) {
  const words = row.unknown ? [row.token] : labelNodes(row);
  return [h('bdi', { dir: 'ltr', class: `mono ${row.unknown ? 'warning' : ''}` }, ...words)];
}

customElements.define('frequency-table', FrequencyTable);
