/**
 * Ids under tokens: a line of text for each row of tokens, in which those of the second row of ids are lowered. A line
 * that says the same as before is kept, wherever it stands now: a key changes the ids of a token or two, and moves the
 * rows below it at most.
 */
import { ID_FIRST } from './id_rows.js';

/**
 * @typedef {{span: HTMLElement, text: string, className: string, left: string}} Label as it is in the page
 * @typedef {{element: HTMLElement, top: number, labels: Label[]}} Line
 */
export class LabelRows {
  #parent;
  /** @type {Map<string, Line>} */
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
    /** @type {Map<string, {y: number, row: import('./fragment_rows.js').Label[]}>} */
    const wanted = new Map();
    for (const { y, labels: row, labelled } of rows) {
      if (!row.length) continue;
      let name = labelled;
      while (wanted.has(name)) name += '+'; // the same line twice
      wanted.set(name, { y, row });
    }
    const spare = Array.from(this.#rows)
      .filter(([name]) => !wanted.has(name))
      .map(([, line]) => line);
    /** @type {Map<string, Line>} */
    const now = new Map();
    for (const [name, { y, row }] of wanted) {
      const line = this.#rows.get(name) ?? this.#written(spare.pop() ?? this.#made(), row);
      const top = y + height + ID_FIRST * scale;
      if (line.top !== top) line.element.style.top = `${top}px`;
      line.top = top;
      now.set(name, line);
    }
    for (const { element } of spare) element.remove();
    this.#rows = now;
  }

  /** @returns {Line} */
  #made() {
    const element = Object.assign(document.createElement('div'), { className: 'token-labels' });
    this.#parent.append(element);
    return { element, top: NaN, labels: [] };
  }

  /**
   * Every label has its middle under that of its token: a place in pixels, less half of its own characters. What is
   * said already is not said again, which would cost as much as to change it.
   * @param {Line} line @param {import('./fragment_rows.js').Label[]} row
   */
  #written(line, row) {
    const { element, labels } = line;
    let at = 0;
    let halves = 0;
    let n = 0;
    for (const { middle, label, isSecond, isUnknown } of row) {
      const className = `${isSecond ? 'second' : ''}${isUnknown ? ' unknown' : ''}`;
      const left = `calc(${middle - at}px - ${(halves + label.length) / 2}ch)`;
      labels[n] ??= { span: element.appendChild(document.createElement('span')), text: '', className: '', left: '' };
      const one = labels[n++];
      if (one.text !== label) one.span.textContent = one.text = label;
      if (one.className !== className) one.span.className = one.className = className;
      if (one.left !== left) one.span.style.marginLeft = one.left = left;
      at = middle;
      halves = label.length;
    }
    for (const { span } of labels.splice(n)) span.remove();
    return line;
  }
}
