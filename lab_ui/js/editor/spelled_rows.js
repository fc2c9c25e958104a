/**
 * Writes what stands in the blocks of a lane: a line of text per row, each label centred on its block. A row that says
 * the same as before keeps its elements, wherever it stands now; of one that changed, only the labels that did are
 * written. What a label says is `lane_spelling`'s.
 */

/**
 * @typedef {import('./fragment_rows.js').Spelled} Spelled @typedef {import('./fragment_rows.js').SpelledRow} SpelledRow
 * @typedef {{element: HTMLElement, y: number, keys: string[]}} Written a row, and what each of its labels says
 */

export class SpelledRows {
  #parent;
  /** @type {Map<string, Written>} */
  #rows = new Map();

  /** @param {Element} parent */
  constructor(parent) {
    this.#parent = parent;
  }

  /**
   * Puts the rows that are written where they stand now, and writes none.
   * @param {SpelledRow[]} rows
   * @param {{top: number, bottom: number}|null} window in which no other row is seen; null: others are seen where none
   *   of these is
   */
  move(rows, window) {
    const wanted = byName(rows);
    const taken = new Set(rows.map(({ y }) => y));
    for (const [name, row] of this.#rows) {
      const y = wanted.get(name)?.y;
      if (y !== undefined) place(row, y);
      else if (window ? row.y >= window.top && row.y <= window.bottom : taken.has(row.y)) row.element.hidden = true;
    }
  }

  /** @param {SpelledRow[]} rows */
  draw(rows) {
    const wanted = byName(rows);
    /** @type {Map<number, Written>} */
    const spare = new Map();
    for (const [name, row] of this.#rows) {
      if (wanted.has(name)) continue;
      spare.get(row.y)?.element.remove();
      spare.set(row.y, row);
    }
    const now = new Map();
    for (const [name, { y, spelled }] of wanted) {
      const row = this.#rows.get(name) ?? this.#written(this.#taken(spare, y), spelled);
      place(row, y);
      now.set(name, row);
    }
    for (const { element } of spare.values()) element.remove();
    this.#rows = now;
  }

  /**
   * Takes a row that is no longer needed, preferably the one at the same place: most of it is the same.
   * @param {Map<number, Written>} spare @param {number} y
   */
  #taken(spare, y) {
    const found = spare.get(y) ?? spare.values().next().value;
    if (found) spare.delete(found.y);
    else
      return {
        element: this.#parent.appendChild(
          Object.assign(document.createElement('div'), { className: 'token-spellings' }),
        ),
        y: NaN,
        keys: [],
      };
    return found;
  }

  /** @param {Written} row @param {Spelled[]} spelled */
  #written(row, spelled) {
    const { element, keys: old } = row;
    let at = 0;
    const gaps = spelled.map(({ x, width, label }) => {
      const left = x + (width - label.width) / 2;
      const gap = Math.round(64 * (left - at)) / 64;
      at = left + label.width;
      return gap;
    });
    const keys = spelled.map(({ label, differs }, n) => [gaps[n], label.width, label.text, label.kind, differs].join());
    let first = 0;
    while (first < keys.length && first < old.length && keys[first] === old[first]) first++;
    let last = keys.length;
    let oldLast = old.length;
    while (last > first && oldLast > first && keys[last - 1] === old[oldLast - 1]) {
      last--;
      oldLast--;
    }
    const after = element.children[oldLast] ?? null;
    for (; oldLast > last; oldLast--) element.children[last].remove();
    for (; oldLast < last; oldLast++) element.insertBefore(document.createElement('span'), after);
    for (let n = first; n < last; n++) write(/** @type {HTMLElement} */ (element.children[n]), spelled[n], gaps[n]);
    row.keys = keys;
    return row;
  }
}

/** @param {SpelledRow[]} rows @returns {Map<string, SpelledRow>} */
function byName(rows) {
  const named = new Map();
  for (const row of rows) {
    let { name } = row;
    while (named.has(name)) name += '+'; // the same row twice
    named.set(name, row);
  }
  return named;
}

/** @param {Written} row @param {number} y */
function place(row, y) {
  if (row.y !== y) row.element.style.top = `${y}px`;
  if (row.element.hidden) row.element.hidden = false;
  row.y = y;
}

/** @param {HTMLElement} span @param {Spelled} spelled @param {number} gap to the label before it, in pixels */
function write(span, { label, differs }, gap) {
  const { text, mark, width, scale, markScale, flows, kind } = label;
  const isBox = !flows || scale < 1 || markScale < 1;
  span.className = `${kind}${isBox ? ' box' : ''}${differs ? ' differs' : ''}`;
  span.style.cssText =
    `margin-left: ${gap}px;` +
    (isBox ? `width: ${width}px;` : '') +
    (scale < 1 ? `transform: scaleX(${scale.toFixed(3)});` : '');
  span.textContent = text.slice(mark);
  if (!mark) return;
  const marks = document.createElement('i');
  marks.textContent = text.slice(0, mark);
  if (markScale < 1) marks.className = 'narrow';
  span.prepend(marks);
}
