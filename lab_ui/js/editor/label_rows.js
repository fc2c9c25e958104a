/**
 * Ids under tokens: a line of text for each row of tokens, in which those of the second row of ids are lowered. A line
 * that says the same as before is kept, wherever it stands now: a key changes the ids of a token or two, and moves the
 * rows below it at most.
 */
import { ID_FIRST } from './id_rows.js';

export class LabelRows {
  #parent;
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();

  /** @param {Element} parent */
  constructor(parent) {
    this.#parent = parent;
  }

  /**
   * @param {import('./fragment_rows.js').Row[]} rows
   * @param {{height: number, scale: number}} layout of a block, under which the labels stand
   */
  draw(rows, { height, scale }) {
    const wanted = new Map();
    for (const { y, labels: row, labelled } of rows) {
      if (!row.length) continue;
      let name = labelled;
      while (wanted.has(name)) name += '+'; // the same line twice
      wanted.set(name, { y, row });
    }
    const spare = Array.from(this.#rows)
      .filter(([name]) => !wanted.has(name))
      .map(([, element]) => element);
    const now = new Map();
    for (const [name, { y, row }] of wanted) {
      const element = this.#rows.get(name) ?? this.#written(spare.pop(), row);
      const top = `${y + height + ID_FIRST * scale}px`;
      if (element.style.top !== top) element.style.top = top;
      now.set(name, element);
    }
    for (const element of spare) element.remove();
    this.#rows = now;
  }

  /** Every label has its middle under that of its token: a place in pixels, less half of its own characters. */
  #written(element, row) {
    const line =
      element ?? this.#parent.appendChild(Object.assign(document.createElement('div'), { className: 'token-labels' }));
    let at = 0;
    let halves = 0;
    let n = 0;
    for (const { middle, label, isSecond, isUnknown } of row) {
      const span = line.children[n++] ?? line.appendChild(document.createElement('span'));
      span.textContent = label;
      span.className = `${isSecond ? 'second' : ''}${isUnknown ? ' unknown' : ''}`;
      /** @type {HTMLElement} */ (span).style.marginLeft = `calc(${middle - at}px - ${(halves + label.length) / 2}ch)`;
      at = middle;
      halves = label.length;
    }
    while (line.children.length > n) line.lastElementChild.remove();
    return line;
  }
}
