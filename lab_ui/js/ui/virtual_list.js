/**
 * A long list of rows of one height. Only the rows in view are in the page. Keyboard: arrows, Page Up and Down, Home
 * and End move the chosen row, which is the only tab stop (roving tabindex).
 *
 * Browsers limit the height of an element to some 33 million pixels. A longer list is HIGHEST pixels high, and a step
 * of its scroll bar is a longer step in the list.
 *
 * Gets `start({...})`, `count` and `chosen`; reports by a `choose` event whose `detail` is the row's number.
 */
import { LabElement, onResize } from './element.js';
import { childrenOf, closest, h } from './dom.js';

const OVERSCAN = 6;
const HIGHEST = 16_000_000; // rows, px

export class VirtualList extends LabElement {
  /** @type {Map<number, HTMLElement>} those in the page, by number */
  #rows = new Map();
  #count = 0;
  #chosen = -1;
  #height = 28;
  /** @type {(row: number) => (Node|string)[]} */
  #draw = () => [];
  #space = h('div', { class: 'virtual-space', role: 'presentation' });
  #rowRole = 'row';
  #shift = 0;
  /** @type {HTMLElement} the element with the role of the whole: this one, or a grid around it and its headers */
  #whole = this;

  /**
   * @param {{rowHeight: number, drawRow: (row: number) => (Node|string)[], label: string, role?: string, rowRole?:
   *   string, grid?: HTMLElement}} options `grid`: the element around the list and one row of column headers
   */
  start({ rowHeight, drawRow, label, role = 'grid', rowRole = 'row', grid = this }) {
    this.#height = rowHeight;
    this.#draw = drawRow;
    this.#rowRole = rowRole;
    this.#whole = grid;
    if (grid !== this) this.role = 'rowgroup';
    grid.role = role;
    grid.ariaLabel = label;
    this.replaceChildren(this.#space);
    this.addEventListener('scroll', () => this.#update(), { passive: true });
    this.addEventListener('keydown', event => this.#move(event));
    this.addEventListener('click', event => this.#choose(closest(event, '[data-row]')));
  }

  /** @param {AbortSignal} life */
  connected(life) {
    onResize(this, () => this.#update(), life);
  }

  /** Rows of column headers, which a grid around the list has. */
  get #headers() {
    return this.#whole === this ? 0 : 1;
  }

  /** @param {number} height */
  set rowHeight(height) {
    this.#height = height;
  }

  /** @param {number} count also draws every row again */
  set count(count) {
    this.#count = count;
    this.#space.style.height = `${Math.min(HIGHEST, count * this.#height)}px`;
    if (this.#rowRole === 'row') this.#whole.setAttribute('aria-rowcount', String(count + this.#headers));
    this.#chosen = Math.min(this.#chosen, count - 1);
    this.redraw();
  }

  /** @param {number} row -1 for none; scrolled into view */
  set chosen(row) {
    this.#chosen = row;
    this.#reveal(row);
    this.#update();
    for (const [n, element] of this.#rows) this.#mark(n, element);
    this.#setTabStop();
  }
  get chosen() {
    return this.#chosen;
  }

  /** @returns {{first: number, last: number}} rows in view, roughly */
  get visible() {
    /** @param {number} y */
    const row = y => Math.max(0, Math.min(this.#count - 1, Math.floor(y / this.#height)));
    return { first: row(this.#top), last: row(this.#top + this.clientHeight - 1) };
  }

  /** Scrolls a row to the middle. @param {number} row */
  centre(row) {
    this.#top = (row + 0.5) * this.#height - this.clientHeight / 2;
  }

  /** Pixels of the list above the view. Of a list higher than HIGHEST, a pixel of the scroll bar is several of them. */
  get #top() {
    return this.scrollTop * this.#stretch;
  }
  set #top(top) {
    this.scrollTop = top / this.#stretch;
  }

  get #stretch() {
    const total = this.#count * this.#height;
    return total > HIGHEST ? (total - this.clientHeight) / (HIGHEST - this.clientHeight) : 1;
  }

  redraw() {
    const focused = this.#rows.get(this.#chosen)?.contains(document.activeElement);
    for (const element of this.#rows.values()) element.remove();
    this.#rows.clear();
    this.#update();
    if (focused) this.#rows.get(this.#chosen)?.focus({ preventScroll: true });
  }

  #update() {
    if (!this.clientHeight) return;
    const top = this.#top;
    const first = Math.max(0, Math.floor(top / this.#height) - OVERSCAN);
    const last = Math.min(this.#count, Math.ceil((top + this.clientHeight) / this.#height) + OVERSCAN);
    const shift = this.scrollTop - top;
    const moved = shift !== this.#shift;
    this.#shift = shift;
    /** @type {Set<number>} */
    const wanted = new Set();
    for (let row = first; row < last; row++) wanted.add(row);
    // The focused row stays in the page when it scrolls away, so that the keyboard stays in the list.
    if (this.#rows.get(this.#chosen)?.contains(document.activeElement)) wanted.add(this.#chosen);
    for (const [row, element] of this.#rows)
      if (!wanted.has(row)) {
        element.remove();
        this.#rows.delete(row);
      }
    if (moved) for (const [row, element] of this.#rows) element.style.top = `${row * this.#height + shift}px`;
    for (const row of wanted) if (!this.#rows.has(row)) this.#add(row);
    this.#setTabStop();
  }

  /** @param {number} row */
  #add(row) {
    const element = h('div', { class: 'virtual-row', role: this.#rowRole, 'data-row': row }, ...this.#draw(row));
    if (this.#rowRole === 'row') element.setAttribute('aria-rowindex', String(row + 1 + this.#headers));
    element.style.top = `${row * this.#height + this.#shift}px`;
    element.style.height = `${this.#height}px`;
    this.#rows.set(row, element);
    this.#mark(row, element);
    const next = childrenOf(this.#space).find(other => Number(other.dataset.row) > row);
    this.#space.insertBefore(element, next ?? null); // in order, because screen readers read them in it
  }

  /**
   * Keeps one tab stop: the chosen row, or the first row in view while that one is not in the page.
   */
  #setTabStop() {
    const stop = this.#rows.has(this.#chosen)
      ? this.#chosen
      : [...this.#rows.keys()].sort((a, b) => a - b).find(row => row >= this.visible.first);
    for (const [row, element] of this.#rows) element.tabIndex = row === stop ? 0 : -1;
  }

  /** @param {number} row @param {HTMLElement} element */
  #mark(row, element) {
    const chosen = row === this.#chosen;
    if (chosen) element.setAttribute('aria-selected', 'true');
    else element.removeAttribute('aria-selected');
  }

  /** @param {number} row */
  #reveal(row) {
    if (row < 0 || !this.clientHeight) return;
    const top = row * this.#height;
    const slack = this.#stretch > 1 ? this.#stretch : 0; // scrollTop is rounded to whole pixels
    if (top < this.#top) this.#top = top - slack;
    else if (top + this.#height > this.#top + this.clientHeight)
      this.#top = top + this.#height - this.clientHeight + slack;
  }

  /** @param {HTMLElement|null|undefined} element */
  #choose(element) {
    if (!element) return;
    this.chosen = Number(element.dataset.row);
    this.#rows.get(this.#chosen)?.focus({ preventScroll: true });
    this.emit('choose', this.#chosen);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const page = Math.max(1, Math.floor(this.clientHeight / this.#height) - 1);
    /** @type {Object<string, number|undefined>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || !this.#count || closest(event, 'button, input')) return;
    event.preventDefault();
    const at = Number(closest(event, '[data-row]')?.dataset.row ?? this.#chosen);
    const row = Math.min(this.#count - 1, Math.max(0, at + step));
    this.chosen = row;
    this.#choose(this.#rows.get(row));
  }
}

customElements.define('virtual-list', VirtualList);
