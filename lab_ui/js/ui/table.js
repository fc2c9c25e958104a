/** Plain tables, from data. Not here: long lists, which draw only visible rows (`virtual_list.js`). */
import { h } from './dom.js';

/**
 * @typedef {Node|string|(Node|string)[]} Content
 * @typedef {{label: Content, className?: string, headClass?: string, isHidden?: boolean}} Column `className`: of its
 *   cells; `headClass`: of its label; `isHidden`: its label is for screen readers
 * @typedef {{cells: Content[], properties: Object<string, any>}} RowWithProperties as `h` takes them
 * @typedef {Object} Table
 * @property {(string|Column)[]} columns by their labels; the one without a label has the names of the rows
 * @property {(Content[]|RowWithProperties)[]} rows
 * @property {Content} [caption]
 * @property {boolean} [isCaptionHidden] it is for screen readers
 * @property {boolean} [isHeadHidden]
 * @property {boolean} [hasNames] the first cell of each row names it; without it, if the first column has no label
 * @property {Object<string, any>} [properties] of the table
 */

/** @param {Table} data @returns {HTMLTableElement} */
export function table({ columns, rows, caption, isCaptionHidden, isHeadHidden, hasNames, properties = {} }) {
  const all = columns.map(column => (typeof column === 'string' ? { label: column } : column));
  const names = hasNames ?? all[0].label === '';
  return h(
    'table',
    properties,
    caption ? h('caption', hiddenIf(isCaptionHidden), ...[caption].flat()) : null,
    h('thead', hiddenIf(isHeadHidden), h('tr', {}, ...all.map(heading))),
    h('tbody', {}, ...rows.map(row => line(row, all, names))),
  );
}

/** @param {boolean|undefined} isHidden */
const hiddenIf = isHidden => (isHidden ? { class: 'visually-hidden' } : {});

/** @param {Column} column */
const heading = ({ label, headClass, isHidden }) =>
  label === ''
    ? h('td', {})
    : h(
        'th',
        { scope: 'col', class: headClass },
        ...(isHidden ? [h('span', { class: 'visually-hidden' }, ...[label].flat())] : [label].flat()),
      );

/** @param {Content[]|RowWithProperties} row @param {Column[]} columns @param {boolean} hasNames */
function line(row, columns, hasNames) {
  const { cells, properties } = Array.isArray(row) ? { cells: row, properties: {} } : row;
  return h(
    'tr',
    properties,
    ...cells.map((cell, n) =>
      hasNames && n === 0
        ? h('th', { scope: 'row', class: columns[n].className }, ...[cell].flat())
        : h('td', { class: columns[n].className }, ...[cell].flat()),
    ),
  );
}

/** A column of numbers, whose label is above them. @param {Content} label @returns {Column} */
export const numbers = label => ({ label, className: 'number', headClass: 'number' });
