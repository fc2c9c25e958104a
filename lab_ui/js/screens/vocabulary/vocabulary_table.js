/**
 * The tokens of a vocabulary as rows, fetched page by page as they come into the window. Gets `start`, `show` and
 * `refresh`; reports `opentoken` (detail: an id), `sort` (detail: an order) and `showunused`.
 */
import { LabElement } from '../../ui/element.js';
import { gridCells, gridHead, gridHeads } from '../../ui/data_grid.js';
import { h, listen, update } from '../../ui/dom.js';
import { PagedList } from '../../ui/paged_list.js';
import { count, plural, ratio } from '../../util/format.js';
import { kindWords, scriptWords } from '../../api/vocabulary_query.js';
import { hexWords, labelNodes, tokenFace } from '../../ui/tokens/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { orderOf, showOrder } from '../../ui/sort_button.js';

export const PAGE = 100;
const ROW = 28;

/**
 * @typedef {import('../../api/schema.d.ts').TokenRow} TokenRow
 * @typedef {import('../../ui/data_grid.js').Column<TokenRow & {model: string}>} Column
 */

/** Columns by what the model knows of a token; those with an `order` sort by it. @type {Object<string, Column>} */
const COLUMNS = {
  id: {
    label: 'id',
    name: 'right',
    order: 'id',
    cell: row => [h('span', { class: 'mono number' }, String(row.id))],
  },
  token: { label: 'token', cell: row => [tokenFace(row)] },
  bytes: { label: 'bytes', cell: row => [h('span', { class: 'mono dim' }, hexWords(row.bytes))] },
  length: {
    label: 'length',
    name: 'right',
    order: 'length',
    cell: row => [h('span', { class: 'number' }, String(row.length))],
  },
  parts: { label: 'built from', cell: ({ parts }) => [parts ? pairOf(parts) : dash()] },
  merged_into_count: {
    label: 'part of',
    name: 'right',
    order: 'merged_into_count',
    cell: row => [row.merged_into_count ? h('span', { class: 'number' }, count(row.merged_into_count)) : dash()],
  },
  score: {
    label: 'score',
    name: 'right',
    order: 'rank',
    cell: row => [row.score === null ? dash() : h('span', { class: 'mono number' }, ratio(row.score))],
  },
  kind: { label: 'kind', cell: row => [h('span', { class: 'dim' }, kindWords(row.kind, row.model))] },
  script: {
    label: 'script',
    cell: row => [row.script === 'none' ? dash() : h('span', { class: 'dim' }, scriptWords(row.script))],
  },
  reachable: {
    label: 'reachable',
    cell: ({ reachable }) => [
      reachable === null
        ? h('span', { class: 'faint' }, '…')
        : h('span', { class: `verdict ${reachable}` }, VERDICT_WORDS[reachable]),
    ],
  },
};
/** @type {Object<string, string>} */
export const VERDICT_WORDS = { reachable: 'yes', unreachable: 'no', undecided: 'not known' };
const COLUMNS_OF = {
  merges: ['id', 'token', 'bytes', 'length', 'parts', 'merged_into_count', 'reachable'],
  scores: ['id', 'token', 'bytes', 'length', 'score', 'script', 'reachable'],
  plain: ['id', 'token', 'bytes', 'length', 'kind', 'script', 'reachable'],
};

const dash = () => h('span', { class: 'faint' }, '–');

/** @param {NonNullable<TokenRow['parts']>} parts */
const pairOf = ([left, right]) =>
  h(
    'span',
    { class: 'mono parts' },
    h('bdi', { dir: 'ltr' }, ...labelNodes(left)),
    h('span', { class: 'faint' }, ' + '),
    h('bdi', { dir: 'ltr' }, ...labelNodes(right)),
  );

export class VocabularyTable extends LabElement {
  #list = new VirtualList();
  #head = gridHead();
  /** @type {(page: number) => Promise<Object[]>} */
  #load = async () => [];
  /** Those of the search that is shown; whoever loads a page says why it could not be. @type {PagedList<any>} */
  #rows = new PagedList(this.#list, PAGE);
  /** Rows of tokens; one more row stands for the `#unused` tokens. */
  #count = 0;
  #unused = 0;
  /** @type {Column[]} */
  #columns = [];
  #model = '';

  /**
   * @param {{load: (page: number) => Promise<TokenRow[]>}} source of the rows of a page that comes into the window
   */
  start({ load }) {
    this.#load = load;
    this.append(this.#head, this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Tokens', grid: this, drawRow: row => this.#row(row) });
    this.#list.dataset.role = 'vocabulary-rows';
    listen(this.#list, 'choose', at => {
      const row = this.rowAt(at);
      if (this.#isFold(at)) this.emit('showunused');
      else if (row) this.emit('opentoken', row.id);
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
    this.#columns = COLUMNS_OF[kind].map(name => COLUMNS[name]);
    update(
      this.#head,
      this.#columns,
      ({ label }) => label,
      column => gridHeads([column], by => this.emit('sort', by))[0],
      (head, { order: by }) => by && showOrder(head, orderOf(by === order, descending)),
    );
  }

  /**
   * A new search.
   * @param {{rows: number, unused: number}} folding rows of tokens, and how many more fold into a last row
   * @param {TokenRow[]} rows the first page
   */
  show({ rows: number, unused }, rows) {
    this.#count = number;
    this.#unused = unused;
    this.#hold(rows);
    this.#list.scrollTop = 0;
    this.#list.chosen = -1;
    this.#list.count = number + (unused ? 1 : 0);
  }

  /**
   * The same rows with new facts: all pages are asked for again.
   * @param {TokenRow[]} rows the first page
   */
  refresh(rows) {
    this.#hold(rows);
    this.#list.redraw();
  }

  /** Forgets all pages but the first. @param {TokenRow[]} rows */
  #hold(rows) {
    this.#rows.hold(rows, async offset => ({ rows: await this.#load(offset / PAGE) }));
  }

  /** @param {number} row */
  #isFold(row) {
    return this.#unused > 0 && row === this.#count;
  }

  /** @param {number} row */
  rowAt(row) {
    return this.#rows.read(row);
  }

  /** Marks the row of a token where it is on a page that is here. @param {number|null} id */
  mark(id) {
    if (id !== null && this.rowAt(this.#list.chosen)?.id === id) return;
    this.#list.chosen = this.#rows.placeOf(row => row.id === id);
  }

  /** The keyboard goes on in the list. */
  focusRows() {
    const first = /** @type {HTMLElement|null} */ (
      this.#list.querySelector('[data-row][tabindex="0"]') ?? this.#list.querySelector('[data-row]')
    );
    first?.focus();
    if (this.#list.chosen < 0) first?.click();
  }

  /** @param {number} n */
  #row(n) {
    if (this.#isFold(n)) return [this.#fold()];
    const row = this.#rows.at(n);
    return gridCells(this.#columns, row && { ...row, model: this.#model });
  }

  #fold() {
    const cell = h(
      'span',
      { class: 'cell clip fold', role: 'gridcell', 'data-role': 'unused-fold' },
      `${plural(this.#unused, 'unused token')} `,
      h('span', { class: 'fold-action' }, 'Show'),
    );
    cell.setAttribute('aria-colspan', String(this.#columns.length));
    return cell;
  }
}

customElements.define('vocabulary-table', VocabularyTable);
