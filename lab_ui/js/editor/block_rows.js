/**
 * The blocks of one tokenizer as shapes: a group per row, in it a path per colour. A row that says the same as before
 * is kept, wherever it stands now; of one that changed, only the paths that did are set. What a block looks like is
 * `lane`'s.
 */
import { colourOf } from '../text/token_colour.js';
import { append, setShape } from './svg.js';
import { svg } from '../ui/svg.js';

// px; a text of ten megabytes is higher than numbers of a path are exact, so rows are counted from a step
const STEP = 4096;

/**
 * @typedef {{group: SVGElement, at: number, paths: Map<string, {path: SVGElement, shape: string}>}} BlockRow in the
 *   page
 */
export class BlockRows {
  #picture;
  #hatches;
  #base = NaN;
  /** @type {Map<string, BlockRow>} */
  #rows = new Map();

  /** @param {Element} parent @param {import('./svg.js').Hatches} hatches */
  constructor(parent, hatches) {
    this.#picture = append(parent, svg('svg', { class: 'token-blocks' }));
    this.#hatches = hatches;
  }

  /** @param {import('./fragment_rows.js').Row[]} rows */
  draw(rows) {
    /** @type {Map<string, import('./fragment_rows.js').Row>} */
    const wanted = new Map();
    /** @type {Map<string, BlockRow>} */
    const now = new Map();
    /** @type {Map<number, BlockRow>} */
    const spare = new Map();
    const base = rows.length ? baseOf(rows[0].y) : this.#base;
    for (const row of rows) {
      let { name } = row;
      while (wanted.has(name)) name += '+'; // the same row twice
      wanted.set(name, row);
    }
    for (const [name, old] of this.#rows) if (!wanted.has(name)) spare.set(old.at, old);
    if (base !== this.#base) /** @type {SVGElement} */ (this.#picture).style.top = `${base}px`;
    this.#base = base;
    for (const [name, { y, shapes }] of wanted) {
      const at = Math.round(y - base);
      const row = this.#rows.get(name) ?? this.#written(this.#taken(spare, at), shapes);
      if (row.at !== at) {
        row.at = at;
        row.group.setAttribute('transform', `translate(0 ${at})`);
      }
      now.set(name, row);
    }
    for (const { group } of spare.values()) group.remove();
    this.#rows = now;
  }

  /**
   * Takes a row that is no longer needed, preferably the one at the same place: most of it is the same.
   * @param {Map<number, BlockRow>} spare @param {number} at
   */
  #taken(spare, at) {
    const found = spare.get(at) ?? spare.values().next().value;
    if (!found) return { group: append(this.#picture, svg('g')), at: NaN, paths: new Map() };
    spare.delete(found.at);
    return found;
  }

  /** @param {BlockRow} row @param {Map<string, string>} shapes */
  #written(row, shapes) {
    for (const [name, one] of row.paths) if (!shapes.has(name)) setShape(one, '');
    for (const [name, shape] of shapes) {
      let one = row.paths.get(name);
      if (!one) {
        one = { path: this.#path(row.group, name), shape: '' };
        row.paths.set(name, one);
      }
      setShape(one, shape);
    }
    return row;
  }

  /** Colours lie under hatches, hatches under lines. @param {SVGElement} group @param {string} name */
  #path(group, name) {
    const path = svg('path', { class: name });
    if (name.startsWith(SHADE)) path.style.setProperty('--shade', colourOf(name.slice(SHADE.length)));
    const hatch = this.#hatches.fill(name);
    const above = level(path.classList[0]);
    if (hatch) path.setAttribute('fill', hatch);
    let over = group.firstElementChild;
    while (over && level(over.classList[0]) <= above) over = over.nextElementSibling;
    group.insertBefore(path, over);
    return path;
  }
}

/** Rows are a whole number of pixels from each other, so they are from this. @param {number} y of one */
const baseOf = y => Math.floor(y / STEP) * STEP + Math.round((y - Math.floor(y)) * 64) / 64;

/** What the classes of a path in the colour of its tokens begin with. */
const SHADE = 'shade ';

/** @param {string} name first class of a path */
const level = name => ['shade', 'mixed', 'unknown', 'ticks', 'id-leads', 'id-dots'].indexOf(name);
