/**
 * Glyphs for white space: one path for the dots of all spaces, an element for each tab, other space and line break. They
 * are drawn, not decorations of the editor: an element per space in a line of a megabyte makes typing slow.
 */
import { append, svg } from './svg.js';

/** @typedef {{left: number, right: number, middle: number, kind: 'space'|'tab'|'other-space'|'newline', length: number}} Glyph pixels; `length` in characters */

export class SpaceGlyphs {
  #layer; #picture; #dots = null; #pool = [];

  /** @param {Element} layer */
  constructor(layer) {
    this.#layer = layer;
    this.#picture = append(layer, svg('svg', { class: 'space-dots' }));
  }

  /** @param {Glyph[]} glyphs boxes in the order of the text; those of a run of spaces follow each other */
  draw(glyphs) {
    const others = [], top = glyphs.length ? glyphs[0].middle : 0;
    let dots = '';
    for (const glyph of glyphs) {
      if (glyph.kind !== 'space') { others.push(glyph); continue; }
      const step = (glyph.right - glyph.left) / glyph.length, y = glyph.middle - top;
      for (let n = 0; n < glyph.length; n++) dots += `M${(glyph.left + (n + 0.5) * step).toFixed(1)} ${y}h0`;
    }
    this.#write(dots, top);
    while (this.#pool.length > others.length) this.#pool.pop().remove();
    while (this.#pool.length < others.length) this.#pool.push(this.#layer.appendChild(document.createElement('div')));
    others.forEach(({ left, right, middle, kind }, n) => {
      const element = this.#pool[n];
      element.className = `white-space ${kind}`;
      element.style.left = `${left}px`;
      element.style.top = `${middle}px`;
      element.style.width = `${right - left}px`;
    });
  }

  /** A line of no length with round ends is a dot. */
  #write(dots, top) {
    if (!dots) {
      this.#dots?.remove();
      this.#dots = null;
      return;
    }
    this.#dots ??= append(this.#picture, svg('path', { class: 'white-space space' }));
    this.#dots.setAttribute('d', dots);
    /** @type {SVGElement} */ (this.#picture).style.top = `${top}px`;
  }
}
