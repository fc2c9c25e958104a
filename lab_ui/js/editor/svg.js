/** The hatch and helpers for the drawings of the text component. */
import { svg } from '../ui/svg.js';

/** @template {Element} T @param {Element} parent @param {T} child @returns {T} the child */
export function append(parent, child) {
  parent.append(child);
  return child;
}

/** Redraws a path if its shape has changed. @param {{path: Element, shape: string}} drawn @param {string} shape */
export function setShape(drawn, shape) {
  if (drawn.shape === shape) return;
  drawn.shape = shape;
  drawn.path.setAttribute('d', shape);
}

let count = 0;

/** The hatch of blocks whose token holds parts of several characters. */
export class Hatches {
  #ids = new Map();

  /** @param {Element} parent where their definitions are put */
  constructor(parent) {
    const definitions = append(
      append(parent, svg('svg', { class: 'token-hatches', width: 0, height: 0, 'aria-hidden': 'true' })),
      svg('defs'),
    );
    for (const [name, degrees] of Object.entries({ mixed: 45 })) {
      const id = `hatch-${++count}`;
      append(
        append(
          definitions,
          svg('pattern', {
            id,
            width: 4,
            height: 4,
            patternUnits: 'userSpaceOnUse',
            patternTransform: `rotate(${degrees})`,
          }),
        ),
        svg('path', { d: 'M3 0h1v4h-1z', class: 'hatch-line' }),
      );
      this.#ids.set(name, id);
    }
  }

  /** @param {string} name "mixed" @returns {string|null} for the attribute `fill`; null for other names */
  fill(name) {
    return this.#ids.has(name) ? `url(#${this.#ids.get(name)})` : null;
  }
}
