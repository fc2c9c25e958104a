/**
 * From the pieces of tokens to rows of shapes and of ids, as `lane` writes them to the page. Where pieces come from is
 * `line_layout`'s.
 */
import { cutShape } from './boundary_shape.js';

const CORNER = 4; // px, of a line break

/**
 * @typedef {Object} Piece
 * @property {number} token its number @property {number} part 0 for the first piece of the token
 * @property {number} x @property {number} y @property {number} width in pixels of the scrolled content
 * @property {string} shade class of its colour
 * @property {string} cut class of the cut at its start, or ""
 * @property {string} label what stands under it, or ""
 * @property {boolean} rtl
 * @property {boolean} newline
 * @property {boolean} stripe
 * @property {boolean} mixed
 * @property {boolean} special
 * @property {boolean} unknown
 * @property {number} id
 *
 * @typedef {{y: number, shapes: Map<string, string>, name: string, labels: {middle: number, label: string}[], labelled:
 *   string}} Row pixels of the scrolled content; path by class, from the top of the row; what the shapes say, and the
 *   labels
 */

/**
 * The rows of some pieces: their shapes and what stands under them, each with a name that says the same as long as they
 * do.
 * @param {Piece[]} pieces
 * @param {number} height of a block
 * @param {boolean} glyphs whether a line break shows a glyph and no line
 * @returns {Row[]}
 */
export function rowsOf(pieces, height, glyphs) {
  const rows = new Map();
  let row = null;
  const add = (name, shape) => {
    row.shapes.set(name, (row.shapes.get(name) ?? '') + shape);
  };
  for (const piece of pieces) {
    const { x, y, width, shade, rtl, newline, part, stripe, label } = piece;
    if (row?.y !== y) {
      row = rows.get(y) ?? { y, shapes: new Map(), labels: [], name: '', labelled: '' };
      rows.set(y, row);
    }
    const shape = newline ? rounded(x, 0, width, height, rtl) : `M${x} 0h${width}v${height}h${-width}z`;
    add(newline ? `shade ${shade} newline` : `shade ${shade}`, shape);
    if (piece.mixed) add('mixed', shape);
    if (piece.unknown) add('unknown', shape);
    if ((!part || stripe) && !(newline && glyphs))
      add(
        piece.cut && !part ? `ticks ${piece.cut}` : 'ticks',
        cutShape(part ? '' : piece.cut, rtl ? x + width : x, 0, height, rtl, width),
      );
    if (label) row.labels.push({ middle: x + width / 2, label });
  }
  for (const one of rows.values()) {
    for (const [kind, shape] of one.shapes) one.name += `${kind}:${shape}`;
    for (const { middle, label } of one.labels) one.labelled += `${middle} ${label} `;
  }
  return [...rows.values()];
}

/** With round corners where the text ends. */
function rounded(x, y, width, height, rtl) {
  const r = Math.min(CORNER, width, height / 2);
  const w = width - r;
  const h = height - 2 * r;
  if (rtl) return `M${x + width} ${y}h${-w}a${r} ${r} 0 0 0 ${-r} ${r}v${h}a${r} ${r} 0 0 0 ${r} ${r}h${w}z`;
  return `M${x} ${y}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}z`;
}
