/**
 * The place of a figure: draws sheets, hears which choice is pressed, and keeps the keyboard on it. Not here: what is
 * drawn (`sheet.js`, the scenes).
 */
import { all, closest, focused, h } from '../../ui/dom.js';
import { roving } from '../../ui/roving.js';
import { svg } from '../../ui/svg.js';
import { words } from '../words/index.js';
import { Sheet } from './sheet.js';

/** By which a figure that is too large is made smaller. */
const STEP = 0.125;
/** The width in px that a figure is made for, and how much larger it is drawn on a desk that is wider. */
const MADE_FOR = 760;
const MOST_ON_DESK = 1.5;

export class Figure {
  picture = svg('svg', { role: 'group', 'aria-label': words.view.figure, class: 'lesson-svg' });
  element = h('div', { class: 'lesson-figure' }, /** @type {any} */ (this.picture));
  /** How large it is drawn at most for a room: it is made smaller, to 1, until its place holds it. 0: on a desk. */
  zoom = 0;
  /** Keys that vote for the choices, which are drawn on them. @type {string[]} */
  keys = [];
  #least;
  #margin;
  #fallback;
  #stopAt = roving(this.element, '[data-choice]');

  /**
   * @param {Object} options
   * @param {number} options.least the width of a sheet, px
   * @param {number} options.margin left and right of what is drawn, px
   * @param {(key: string) => void} options.choose called for the choice that is pressed
   * @param {() => HTMLElement} options.fallback gets the focus where the last choice is gone
   */
  constructor({ least, margin, choose, fallback }) {
    this.#least = least;
    this.#margin = margin;
    this.#fallback = fallback;
    this.element.addEventListener('click', event => press(event, choose));
    this.element.addEventListener('keydown', event => {
      if ((event.key !== 'Enter' && event.key !== ' ') || !closest(event, '[data-choice]')) return;
      event.preventDefault();
      event.stopPropagation();
      press(event, choose);
    });
  }

  /** What can be chosen, in its order. @returns {{key: string, label: string}[]} */
  get choices() {
    return all(this.element, '[data-choice]').map(each => ({
      key: each.dataset.choice ?? '',
      label: each.getAttribute('aria-label') ?? each.textContent ?? '',
    }));
  }

  /** Puts the keyboard on what can be chosen, else on what takes its place. */
  focus() {
    (all(this.element, '[data-choice]')[0] ?? this.#fallback()).focus();
  }

  /** @param {(sheet: Sheet) => void} fill @returns {Sheet} what was drawn */
  draw(fill) {
    const held = this.element.contains(focused()) ? focused()?.dataset.choice : undefined;
    const room = this.element.clientWidth;
    const { sheet, zoom, width, height } = this.#fitted(fill);
    this.picture.setAttribute('viewBox', `${-this.#margin} -4 ${width} ${height}`);
    this.picture.setAttribute('width', String(width * zoom));
    this.picture.setAttribute('height', String(height * zoom));
    this.picture.replaceChildren(...sheet.nodes);
    const isWide = sheet.width * zoom > room;
    this.element.tabIndex = isWide ? 0 : -1; // it is scrolled with the keyboard, too
    if (sheet.focus !== null && isWide) this.element.scrollLeft = sheet.focus * zoom - room / 2;
    const same = all(this.element, '[data-choice]').find(({ dataset }) => dataset.choice === held);
    this.#stopAt(same);
    if (held !== undefined) {
      if (same) same.focus({ preventScroll: true });
      else this.focus();
    }
    return sheet;
  }

  /** The largest sheet that its place holds. @param {(sheet: Sheet) => void} fill */
  #fitted(fill) {
    const { clientWidth, clientHeight, parentElement } = this.element;
    const tall = parentElement?.clientHeight ?? 0;
    // By its width alone: it would change from step to step with what is drawn.
    const onDesk = Math.max(1, Math.min(MOST_ON_DESK, clientWidth / MADE_FOR));
    const least = this.zoom ? 1 : onDesk;
    for (let zoom = this.zoom || onDesk; ; zoom = Math.max(least, zoom - STEP)) {
      const sheet = new Sheet(Math.max(this.#least, clientWidth / zoom - 8), this.keys, tall / zoom);
      fill(sheet);
      const [width, height] = [sheet.width + 2 * this.#margin, sheet.height + 8];
      const fits = width * zoom <= clientWidth && height * zoom <= clientHeight;
      if (zoom === least || fits) return { sheet, zoom, width, height };
    }
  }

  /** Shows nothing. */
  clear() {
    this.picture.replaceChildren();
  }
}

/** @param {Event} event @param {(key: string) => void} choose */
function press(event, choose) {
  const key = closest(event, '[data-choice]')?.dataset.choice;
  if (key !== undefined) choose(key);
}
