/** The button in the head of a column that orders the rows by it, and the mark of the order. ARIA: `aria-sort`. */
import { actionButton, h, setText } from './dom.js';

/** @typedef {'ascending'|'descending'|'none'} Order of a column */

/**
 * @param {{label: string, name: string, press: () => void, order?: string, className?: string}} options `name`: what it
 *   does; `order`: its `data-order`
 */
export const sortButton = ({ label, name, press, order, className = '' }) =>
  actionButton([h('span', {}, label), h('span', { class: 'sort-mark', 'aria-hidden': 'true' })], press, {
    class: `sort ${className}`.trim(),
    'data-order': order,
    'aria-label': name,
  });

/** @param {boolean} isChosen the rows are ordered by the column @param {boolean} isDescending @returns {Order} */
export const orderOf = (isChosen, isDescending) => (!isChosen ? 'none' : isDescending ? 'descending' : 'ascending');

/** Says how the rows are ordered by a column. @param {HTMLElement} header with a `sortButton` @param {Order} order */
export function showOrder(header, order) {
  header.ariaSort = order;
  setText(
    /** @type {HTMLElement} */ (header.querySelector('.sort-mark')),
    { ascending: '↑', descending: '↓', none: '' }[order],
  );
}
