/**
 * A figure of a lesson as nodes of SVG. What can be pressed has `data-choice`, what a sentence can point at `data-ref`.
 * Colours and letters are in css/components/lesson.css, and are written into a picture that is saved.
 */
import { svg } from '../../ui/svg.js';

/** How wide a character of the figure's letters is, of their size. */
const ADVANCE = 0.62;

/**
 * @typedef {Object} Marks
 * @property {string} [ref] what a sentence points at
 * @property {string} [choice] key of what is chosen by pressing it
 * @property {string} [label] what pressing it does, for those who do not see it; counts with `choice` alone
 * @property {string} [className]
 * @property {number} [colour] 0 to 3: of a token
 */

export class Sheet {
  /** @type {SVGElement[]} */
  nodes = [];
  width = 0;
  height = 0;
  /** The place across that the step is about; null: all of it. @type {number|null} */
  focus = null;
  /** Whether the newest part is at the bottom, which is scrolled to. */
  followsEnd = false;

  /** Whether it is shown to a room: large, and without what is not needed. */
  isForRoom;
  /** What is drawn over the next group. @type {SVGElement[]} */
  #over = [];
  /** Keys that are left for choices. @type {string[]} */
  #keys;

  /**
   * @param {number} room the width that is there, in px; what needs more is scrolled to
   * @param {string[]} [keys] that vote for the choices, in their order; they are drawn on them
   * @param {number} [tall] the height of what is seen of the page, in px
   */
  constructor(room, keys = [], tall = 0) {
    this.room = room;
    this.tall = tall;
    this.#keys = [...keys];
    this.isForRoom = keys.length > 0;
  }

  /**
   * A rectangle with a text in its middle, made smaller where it is too long.
   * @param {{x: number, y: number, width: number, height: number, text?: string, size?: number, below?: string} &
   *   Marks} box `below`: a second, smaller line
   */
  box({ x, y, width, height, text = '', size = 18, below = '', ...marks }) {
    const group = this.#group(marks, 'box');
    group.append(svg('rect', { x, y, width, height, rx: 4 }));
    const middle = y + height / 2 + (below ? -height * 0.14 : 0);
    if (text) group.append(letters(text, x + width / 2, middle, fitting(text, size, width - 4)));
    if (below) {
      const line = letters(below, x + width / 2, y + height * 0.76, fitting(below, 11, width - 2));
      line.classList.add('small');
      group.append(line);
    }
    const key = this.#keyOf(marks);
    if (key) this.#cover(marks, 'box', letters(key, x + 8, y + 8, 12));
    else if (marks.choice !== undefined && / wrong\b/.test(` ${marks.className}`))
      this.#cover(marks, 'box', letters('×', x + width - 8, y + 9, 15));
    return this.#add(group, x + width, y + height);
  }

  /**
   * A round button with a sign in it.
   * @param {{x: number, y: number, r?: number, text: string, below?: string} & Marks} button
   */
  round({ x, y, r = 13, text, below = '', ...marks }) {
    const group = this.#group(marks, 'round');
    group.append(svg('circle', { cx: x, cy: y, r }));
    const key = this.#keyOf(marks);
    if (key && text !== '×') this.#cover(marks, 'round', letters(key, x, y, 16));
    else group.append(letters(text, x, y, 16));
    if (below) {
      const line = letters(below, x, y + r + 12, 12);
      line.classList.add('below');
      this.#cover(marks, 'round', line);
    }
    return this.#add(group, x + r, y + r + (below ? 20 : 0));
  }

  /**
   * @param {{x: number, y: number, text: string, size?: number, anchor?: 'start'|'middle'|'end'} & Marks} words
   */
  text({ x, y, text, size = 12, anchor = 'middle', ...marks }) {
    const group = this.#group(marks, 'words');
    group.append(letters(text, x, y, size, anchor));
    return this.#add(group, anchor === 'start' ? x + extent(text) * size : x, y + size);
  }

  /** @param {string} d of a path @param {Marks} [marks] */
  path(d, marks = {}) {
    const group = this.#group(marks, 'line');
    group.append(svg('path', { d }));
    return this.#add(group, 0, 0);
  }

  /** @param {Marks} marks @returns {string} the key that votes for it; '': none */
  #keyOf({ choice }) {
    return choice === undefined ? '' : (this.#keys.shift() ?? '');
  }

  /** @param {Marks} marks @param {string} kind */
  #group({ ref, choice, label, className = '', colour }, kind) {
    const group = svg('g', {
      class: `${kind} ${className}${colour === undefined ? '' : ` token-${colour % 4}`}`.trim(),
    });
    if (ref) group.dataset.ref = ref;
    if (choice === undefined) return group;
    group.dataset.choice = choice;
    group.setAttribute('role', 'button');
    group.setAttribute('tabindex', '-1');
    if (label) group.setAttribute('aria-label', label);
    return group;
  }

  /**
   * Draws a text over a choice that is no part of it, or its name would have to say it.
   * @param {Marks} marks @param {string} kind @param {SVGElement} text
   */
  #cover({ className = '' }, kind, text) {
    const group = this.#group({ className: `over ${className}` }, kind);
    group.append(text);
    this.#over.push(group);
  }

  /** @param {SVGElement} group @param {number} right @param {number} bottom */
  #add(group, right, bottom) {
    this.nodes.push(group, ...this.#over.splice(0));
    this.width = Math.max(this.width, right);
    this.height = Math.max(this.height, bottom);
    return group;
  }
}

/** Characters of twice the width: of Chinese, Japanese, Korean, emoji, and the space mark, which has another font. */
const WIDE =
  /[\u2581\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** How wide a text is, of the size of its letters. @param {string} text */
export const extent = text => Array.from(text).reduce((sum, each) => sum + (WIDE.test(each) ? 1.05 : ADVANCE), 0);

/** @param {string} text @param {number} size @param {number} width @returns {number} the size that fits, at least 11 */
const fitting = (text, size, width) => Math.max(11, Math.min(size, width / Math.max(ADVANCE, extent(text))));

/** The beginning of a text that fits. @param {string} text @param {number} size @param {number} width */
export function beginning(text, size, width) {
  const characters = Array.from(text);
  let room = width / size - 1;
  const end = characters.findIndex(character => {
    room -= extent(character);
    return room < 0;
  });
  return end < 0 ? text : `${characters.slice(0, end).join('')}…`;
}

/**
 * @param {string} text @param {number} x @param {number} y its middle @param {number} size
 * @param {'start'|'middle'|'end'} [anchor]
 */
function letters(text, x, y, size, anchor = 'middle') {
  const node = svg('text', { x, y, 'font-size': size, 'text-anchor': anchor, 'dominant-baseline': 'central' });
  node.textContent = text;
  return node;
}
