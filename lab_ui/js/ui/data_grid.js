/** The columns of a long table as data: its head, and the cells of a row. A `VirtualList` has the rows. */
import { h } from './dom.js';
import { sortButton } from './sort_button.js';

/**
 * @template Row
 * @typedef {Object} Column
 * @property {string} label
 * @property {string} [name] class of its head and its cells
 * @property {string} [title] what it shows
 * @property {string} [order] rows can be ordered by it: a button in its head reports this
 * @property {(row: Row) => (Node|string)[]} cell
 */

/**
 * The row of the heads, above the list in the element that is the grid.
 * @param {Column<any>[]} [columns]
 */
export const gridHead = (columns = []) =>
  h('div', { class: 'table-head', role: 'row', 'aria-rowindex': '1' }, ...gridHeads(columns));

/**
 * @param {Column<any>[]} columns @param {(order: string) => void} [sort]
 * @returns {HTMLElement[]}
 */
export const gridHeads = (columns, sort = () => {}) =>
  columns.map(({ label, name = '', title, order }) =>
    order === undefined
      ? h('span', { role: 'columnheader', class: `clip ${name}`.trim(), title }, label)
      : h(
          'span',
          { role: 'columnheader', class: name, title, 'aria-label': label },
          sortButton({ label, order, name: `Order by ${label}`, press: () => sort(order), className: name }),
        ),
  );

/**
 * @template Row
 * @param {Column<Row>[]} columns @param {Row|null|undefined} row not there: it is being read
 * @returns {HTMLElement[]}
 */
export const gridCells = (columns, row) =>
  columns.map(({ name = '', cell }) =>
    h('span', { role: 'gridcell', class: `cell clip ${name}`.trim() }, ...(row ? cell(row) : ['…'])),
  );
