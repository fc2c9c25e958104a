/**
 * Glyphs for white space: a path for the dots of a row, an element for each tab, other space and line break. They are
 * drawn, not decorations of the editor: an element per space in a line of a megabyte makes typing slow.
 */
import { reuse } from './sync_elements.js';
import { append, setShape } from './svg.js';
import { svg } from '../ui/svg.js';

/**
 * @typedef {{left: number, right: number, middle: number, kind: 'space'|'tab'|'other-space'|'newline', length: number}}
 *   Glyph pixels; `length` in characters
 */

export class SpaceGlyphs {
  #layer;
  #picture;
  /** @type {{path: SVGElement, shape: string}[]} */
  #rows = [];
  /** @type {HTMLElement[]} */
  #pool = [];

  /** @param {Element} layer */
  constructor(layer) {
    this.#layer = layer;
    this.#picture = append(layer, svg('svg', { class: 'space-dots' }));
  }

  /** @param {Glyph[]} glyphs boxes in the order of the text; those of a run of spaces follow each other */
  draw(glyphs) {
    /** @type {Glyph[]} */
    const others = [];
    const rows = new Map();
    const top = glyphs.length ? glyphs[0].middle : 0;
    for (const glyph of glyphs) {
      if (glyph.kind !== 'space') {
        others.push(glyph);
        continue;
      }
      const step = (glyph.right - glyph.left) / glyph.length;
      const y = glyph.middle - top;
      let dots = rows.get(y) ?? '';
      // a line of no length with round ends is a dot
      for (let n = 0; n < glyph.length; n++) dots += `M${(glyph.left + (n + 0.5) * step).toFixed(1)} ${y}h0`;
      rows.set(y, dots);
    }
    /** @type {SVGElement} */ (this.#picture).style.top = `${top}px`;
    this.#drawDots(Array.from(rows.values()));
    this.#drawOthers(others);
  }

  /** Draws the rows that have changed. @param {string[]} shapes */
  #drawDots(shapes) {
    while (this.#rows.length > shapes.length) this.#rows.pop()?.path.remove();
    while (this.#rows.length < shapes.length)
      this.#rows.push({ path: append(this.#picture, svg('path', { class: 'white-space space' })), shape: '' });
    shapes.forEach((shape, n) => setShape(this.#rows[n], shape));
  }

  /** @param {Glyph[]} others */
  #drawOthers(others) {
    reuse(this.#pool, this.#layer, others, (element, { left, right, middle, kind }) => {
      element.className = `white-space ${kind}`;
      element.style.left = `${left}px`;
      element.style.top = `${middle}px`;
      element.style.width = `${right - left}px`;
    });
  }
}
