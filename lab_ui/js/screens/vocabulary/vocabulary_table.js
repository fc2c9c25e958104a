/**
 * The tokens of a vocabulary as rows, fetched page by page as they come into the window. Gets `start`, `show` and
 * `refresh`; reports `opentoken` (detail: an id) and `sort` (detail: an order).
 */
import { LabElement } from '../../ui/element.js';
import { h, listen, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';
import { kindWords, scriptWords } from '../../api/vocabulary_query.js';
import { hexWords, labelNodes, tokenFace } from '../../ui/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';

export const PAGE = 100;
const ROW = 28;

/** Columns by what the model knows of a token; those with an `order` sort by it. */
const COLUMNS = {
  id: { label: 'id', order: 'id', cell: row => h('span', { class: 'mono number' }, String(row.id)) },
  token: { label: 'token', cell: row => tokenFace(row) },
  bytes: { label: 'bytes', cell: row => h('span', { class: 'mono dim' }, hexWords(row.bytes)) },
  length: { label: 'length', order: 'length', cell: row => h('span', { class: 'number' }, String(row.length)) },
  parts: {
    label: 'built from',
    cell: ({ parts }) =>
      parts
        ? h(
            'span',
            { class: 'mono parts' },
            h('bdi', {}, ...labelNodes(parts[0])),
            h('span', { class: 'faint' }, ' + '),
            h('bdi', {}, ...labelNodes(parts[1])),
          )
        : dash(),
  },
  merged_into_count: {
    label: 'part of',
    order: 'merged_into_count',
    cell: row => (row.merged_into_count ? h('span', { class: 'number' }, count(row.merged_into_count)) : dash()),
  },
  score: {
    label: 'score',
    order: 'rank',
    cell: row => (row.score === null ? dash() : h('span', { class: 'mono number' }, row.score.toFixed(2))),
  },
  kind: { label: 'kind', cell: (row, model) => h('span', { class: 'dim' }, kindWords(row.kind, model)) },
  script: {
    label: 'script',
    cell: row => (row.script === 'none' ? dash() : h('span', { class: 'dim' }, scriptWords(row.script))),
  },
  reachable: {
    label: 'reachable',
    cell: row =>
      row.reachable === null
        ? h('span', { class: 'faint' }, '…')
        : h('span', { class: `verdict ${row.reachable}` }, VERDICT_WORDS[row.reachable]),
  },
};
export const VERDICT_WORDS = { reachable: 'yes', unreachable: 'no', undecided: 'not known' };
const COLUMNS_OF = {
  merges: ['id', 'token', 'bytes', 'length', 'parts', 'merged_into_count', 'reachable'],
  scores: ['id', 'token', 'bytes', 'length', 'score', 'script', 'reachable'],
  plain: ['id', 'token', 'bytes', 'length', 'kind', 'script', 'reachable'],
};
const RIGHT = new Set(['id', 'length', 'merged_into_count', 'score']);

const dash = () => h('span', { class: 'faint' }, '–');

export class VocabularyTable extends LabElement {
  #list = new VirtualList();
  #head = h('div', { class: 'table-head vocabulary-row', role: 'row', 'aria-rowindex': '1' });
  #pages = new Map();
  #asked = new Set();
  #want = null;
  #columns = COLUMNS_OF.plain;
  #model = '';

  /** @param {{want: (page: number) => void}} source asked for pages that are not there; answers with `add` or `fail` */
  start({ want }) {
    this.#want = want;
    this.append(this.#head, this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Tokens', grid: this, drawRow: row => this.#row(row) });
    this.#list.dataset.role = 'vocabulary-rows';
    listen(this.#list, 'choose', at => {
      const row = this.rowAt(at);
      if (row) this.emit('opentoken', row.id);
    });
  }

  /**
   * @param {'merges'|'scores'|'plain'} kind what is known of how tokens came about
   * @param {string} model its description
   * @param {string} order @param {boolean} descending
   */
  setHead(kind, model, order, descending) {
    this.#model = model;
    this.dataset.columns = kind;
    this.#columns = COLUMNS_OF[kind];
    update(
      this.#head,
      this.#columns,
      String,
      name => this.#header(name),
      (header, name) => {
        const { order: by } = COLUMNS[name];
        if (!by) return;
        const chosen = by === order;
        header.ariaSort = chosen ? (descending ? 'descending' : 'ascending') : 'none';
        setText(header.querySelector('.sort-mark'), chosen ? (descending ? '↓' : '↑') : '');
      },
    );
  }

  #header(name) {
    const { label, order: by } = COLUMNS[name];
    const right = RIGHT.has(name) ? 'right' : '';
    if (!by) return h('span', { class: right, role: 'columnheader' }, label);
    return h(
      'span',
      { class: right, role: 'columnheader', 'aria-label': label },
      h(
        'button',
        {
          type: 'button',
          class: `sort ${right}`,
          'data-order': by,
          'aria-label': `Order by ${label}`,
          onclick: () => this.emit('sort', by),
        },
        label,
        h('span', { class: 'sort-mark', 'aria-hidden': 'true' }),
      ),
    );
  }

  /** A new search. @param {number} total @param {Object[]} rows the first page */
  show(total, rows) {
    this.#pages = new Map([[0, rows]]);
    this.#asked.clear();
    this.#list.scrollTop = 0;
    this.#list.chosen = -1;
    this.#list.count = total;
  }

  /** @param {number} page @param {Object[]} rows */
  add(page, rows) {
    this.#pages.set(page, rows);
    this.#asked.delete(page);
    this.#list.redraw();
  }

  /**
   * A page that could not be had: it is asked for again when its rows come into the window again.
   * @param {number} page
   */
  fail(page) {
    this.#asked.delete(page);
  }

  /** The same rows with new facts: all pages are asked for again. @param {Object[]} rows the first page */
  refresh(rows) {
    this.#pages = new Map([[0, rows]]);
    this.#asked.clear();
    this.#list.redraw();
  }

  rowAt(row) {
    return this.#pages.get(Math.floor(row / PAGE))?.[row % PAGE];
  }

  /** Marks the row of a token where it is on a page that is here. @param {number|null} id */
  mark(id) {
    if (id !== null && this.rowAt(this.#list.chosen)?.id === id) return;
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex(row => row.id === id);
      if (at >= 0) {
        this.#list.chosen = page * PAGE + at;
        return;
      }
    }
    this.#list.chosen = -1;
  }

  /** The keyboard goes on in the list. */
  focusRows() {
    const first = /** @type {HTMLElement|null} */ (
      this.#list.querySelector('[data-row][tabindex="0"]') ?? this.#list.querySelector('[data-row]')
    );
    first?.focus();
    if (this.#list.chosen < 0) first?.click();
  }

  #row(n) {
    const page = Math.floor(n / PAGE);
    const row = this.rowAt(n);
    if (!row && !this.#asked.has(page)) {
      this.#asked.add(page);
      this.#want(page);
    }
    return this.#columns.map(name =>
      h(
        'span',
        { class: `cell ${RIGHT.has(name) ? 'right' : ''}`, role: 'gridcell' },
        row ? COLUMNS[name].cell(row, this.#model) : h('span', { class: 'faint' }, '…'),
      ),
    );
  }
}

customElements.define('vocabulary-table', VocabularyTable);
