/**
 * The blocks of one tokenizer. A path per row and colour holds the blocks of that colour, because an element per token costs
 * ten times as much to draw anew (docs/design/text_component.md); ids stand in a line of text per row. Rows are kept while they
 * say the same. Only tokens that are marked have an element of their own.
 * It does not know where pieces come from; the painter does.
 */
import { LETTERS } from '../../lib/slots.js';
import { BlockRows } from './block_rows.js';
import { cutShape } from './cut_shape.js';
import { LabelRows } from './label_rows.js';

const CORNER = 4; // px, of a line break

/**
 * @typedef {Object} Piece
 * @property {number} token its number @property {number} part 0 for the first piece of the token
 * @property {number} x @property {number} y @property {number} width in pixels of the scrolled content
 * @property {string} shade class of its colour @property {string} cut class of the cut at its start, or "" @property {string} label what stands under it, or ""
 * @property {boolean} rtl @property {boolean} newline @property {boolean} stripe @property {boolean} mixed @property {boolean} special @property {boolean} unknown
 * @property {number} id
 *
 * @typedef {{y: number, shapes: Map<string, string>, name: string, labels: {middle: number, label: string}[], labelled: string}} Row pixels of the
 *   scrolled content; path by class, from the top of the row; what the shapes say, and the labels
 */
export class Lane {
  #blocks; #labels; #marked = new Map(); #marks = []; #height = 0;

  /** @param {Element} parent @param {import('./svg.js').Hatches} hatches */
  constructor(parent, hatches) {
    this.element = document.createElement('div');
    this.element.className = 'token-lane';
    this.element.dataset.role = 'lane';
    this.element.ariaHidden = 'true'; // the editor is read as text; tokens are read in the table, the drawer and the live region
    this.#blocks = new BlockRows(this.element, hatches);
    this.#labels = new LabelRows(this.element);
    /** @type {Piece[]} */
    this.pieces = [];
    parent.append(this.element);
  }

  /** @param {string} id of the tokenizer @param {string} letter */
  describe(id, letter) {
    this.element.dataset.tokenizer = id;
    this.element.dataset.letter = letter;
    this.element.dataset.place = String(LETTERS.indexOf(letter));
  }

  /** @param {{pieces: Piece[], rows: Row[]}[]} lines of the text @param {number} height of a block */
  draw(lines, height) {
    const rows = lines.flatMap(line => line.rows);
    this.pieces = lines.flatMap(line => line.pieces);
    this.#height = height;
    this.#blocks.draw(rows);
    this.#labels.draw(rows, height);
    this.element.dataset.pieces = String(this.pieces.length);
    this.mark(this.#marked);
  }

  /** Outlines some tokens and no others. @param {Map<number, string>} tokens class by token */
  mark(tokens) {
    this.#marked = tokens;
    const pieces = tokens.size ? this.pieces.filter(({ token }) => tokens.has(token)) : [];
    while (this.#marks.length > pieces.length) this.#marks.pop().remove();
    while (this.#marks.length < pieces.length) this.#marks.push(this.element.appendChild(document.createElement('div')));
    pieces.forEach((piece, n) => this.#outline(this.#marks[n], piece, tokens.get(piece.token)));
  }

  /** @returns {Piece|undefined} the piece at a point of the scrolled content; `reach` is how far below its top a piece counts */
  hit(x, y, reach) { return this.pieces.find(piece => x >= piece.x && x < piece.x + piece.width && y >= piece.y && y < piece.y + reach); }

  remove() { this.element.remove(); }

  #outline(element, { x, y, width, label, id }, mark) {
    element.className = `token-mark ${mark}`;
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    element.style.width = `${width}px`;
    element.style.height = `${this.#height}px`;
    element.dataset.label = label;
    element.dataset.id = String(id);
  }
}

/**
 * The rows of some pieces: their shapes and what stands under them, each with a name that says the same as long as they do.
 * @param {Piece[]} pieces @param {number} height of a block @param {boolean} glyphs whether a line break shows a glyph and no line
 * @returns {Row[]}
 */
export function rowsOf(pieces, height, glyphs) {
  const rows = new Map();
  let row = null;
  const add = (name, shape) => { row.shapes.set(name, (row.shapes.get(name) ?? '') + shape); };
  for (const piece of pieces) {
    const { x, y, width, shade, rtl, newline, part, stripe, label } = piece;
    if (row?.y !== y && !(row = rows.get(y))) rows.set(y, row = { y, shapes: new Map(), labels: [], name: '', labelled: '' });
    const shape = newline ? rounded(x, 0, width, height, rtl) : `M${x} 0h${width}v${height}h${-width}z`;
    add(newline ? `shade ${shade} newline` : `shade ${shade}`, shape);
    if (piece.mixed) add('mixed', shape);
    if (piece.unknown) add('unknown', shape);
    if ((!part || stripe) && !(newline && glyphs)) add(piece.cut && !part ? `ticks ${piece.cut}` : 'ticks', cutShape(part ? '' : piece.cut, rtl ? x + width : x, 0, height, rtl, width));
    if (label) row.labels.push({ middle: x + width / 2, label });
  }
  for (const one of rows.values()) {
    for (const [kind, shape] of one.shapes) one.name += `${kind}:${shape}`;
    for (const { middle, label } of one.labels) one.labelled += `${middle} ${label} `;
  }
  return [...rows.values()];
}

/** What a piece is, in words of the style sheet: for tests and for those who look for it. @param {Piece} piece */
export function classesOf({ shade, cut, rtl, newline, stripe, mixed, part, special, unknown }) {
  const is = { rtl, ltr: !rtl, newline, stripe, mixed, part, special, unknown };
  return ['token', shade, ...(cut ? [cut] : []), ...Object.keys(is).filter(name => is[name])].join(' ');
}

/** With round corners where the text ends. */
function rounded(x, y, width, height, rtl) {
  const r = Math.min(CORNER, width, height / 2), w = width - r, h = height - 2 * r;
  if (rtl) return `M${x + width} ${y}h${-w}a${r} ${r} 0 0 0 ${-r} ${r}v${h}a${r} ${r} 0 0 0 ${r} ${r}h${w}z`;
  return `M${x} ${y}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}z`;
}
