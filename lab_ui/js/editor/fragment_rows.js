/**
 * From the pieces of tokens to rows of shapes and of ids, as `lane` writes them to the page. Where pieces come from is
 * `line_layout`'s.
 */
import { blockShape, frameShape, isSlanted, startShape } from './block_shape.js';
import { dotsShape, leadShape, placeIds } from './id_rows.js';

const TOUCHING = 1.5; // px between two pieces of one token

/**
 * @typedef {Object} Piece
 * @property {number} token its number @property {number} part 0 for the first piece of the token
 * @property {number} x @property {number} y @property {number} width in pixels of the scrolled content
 * @property {string} shade class of its colour
 * @property {string} boundary class of the boundary at its start, or ""
 * @property {string} name its id in words, or "" where ids are not shown
 * @property {string} label what stands under it, or "" @property {number} labelRow of the two rows of ids
 * @property {number} labelMiddle
 * @property {boolean} named whether the id of its token is wanted under it @property {boolean} dotted whether there is
 *   no room for it
 * @property {boolean} rtl
 * @property {boolean} newline
 * @property {boolean} stripe
 * @property {boolean} mixed
 * @property {boolean} special
 * @property {boolean} unknown
 * @property {number} id
 * @property {import('./lane_spelling.js').Label|null} [spelled] its label
 * @property {boolean} [isOver] whether the label belongs to the whole of `shared`, not to this stripe of it
 * @property {import('./lane_spelling.js').Shared|null} [shared] the character of which this is a stripe
 * @property {import('./block_shape.js').Slant} [slant] in a lane
 *
 * @typedef {{piece: Piece, left: number, right: number}} Stretch of a token in a row
 * @typedef {{x: number, width: number, label: import('./lane_spelling.js').Label, differs: boolean}} Spelled
 * @typedef {{middle: number, label: string, isSecond: boolean, isUnknown: boolean}} Label
 * @typedef {{y: number, shapes: Map<string, string>, name: string, labels: Label[], labelled: string}} Row pixels of
 *   the scrolled content; path by class, from the top of the row; what the shapes say and the labels under it
 * @typedef {{y: number, spelled: Spelled[], name: string}} SpelledRow what is written in the blocks of a row
 */

/**
 * The rows of some pieces: their shapes and what stands under them, each with a name that says the same as long as they
 * do.
 * @param {Piece[]} pieces
 * @param {number} height of a block
 * @param {boolean} glyphs whether a line break shows a glyph and no line
 * @param {number} scale of the text
 * @returns {Row[]}
 */
export function rowsOf(pieces, height, glyphs, scale) {
  /** @type {Map<number, Row>} */
  const rows = new Map();
  /** @type {Row|undefined} */
  let row;
  for (const piece of pieces) {
    const { y, shade, newline, part, stripe } = piece;
    if (row?.y !== y) {
      row = rows.get(y) ?? { y, shapes: new Map(), labels: [], name: '', labelled: '' };
      rows.set(y, row);
    }
    const { shapes } = row;
    const framed = piece.unknown && !newline;
    const kind = newline ? ' newline' : isSlanted(piece) ? ' slanted' : '';
    const shape = blockShape(piece, height);
    if (!framed || !piece.slant) add(shapes, `shade ${shade}${kind}`, shape);
    if (piece.mixed && !piece.slant) add(shapes, 'mixed', shape);
    if (framed) add(shapes, 'unknown', frameShape(piece, height));
    else if ((!part || (stripe && !piece.slant)) && !(newline && glyphs)) {
      const mark = startShape(part ? { ...piece, boundary: '' } : piece, height);
      const inside = piece.slant?.left ? ' inside' : '';
      if (mark) add(shapes, `ticks${piece.boundary && !part ? ` ${piece.boundary}` : ''}${inside}`, mark);
    }
  }
  for (const [y, ids] of idsByRow(pieces)) {
    const ofRow = rows.get(y);
    if (ofRow) setIds(ofRow, ids, height, scale);
  }
  for (const one of rows.values()) {
    for (const [kind, shape] of one.shapes) one.name += `${kind}:${shape}`;
    for (const { middle, label, isSecond } of one.labels) one.labelled += `${middle} ${label}${isSecond ? '_' : ' '}`;
  }
  return [...rows.values()];
}

/** @param {Map<string, string>} shapes by class @param {string} name @param {string} shape */
const add = (shapes, name, shape) => {
  shapes.set(name, (shapes.get(name) ?? '') + shape);
};

/** Where the label of a piece is centred. @param {Piece} piece @returns {{x: number, width: number}} */
export const labelBox = piece => (piece.isOver && piece.shared) || piece;

/**
 * The labels of some pieces, by row.
 * @param {Piece[]} pieces
 * @returns {SpelledRow[]}
 */
export function spelledRowsOf(pieces) {
  /** @type {Map<number, SpelledRow>} */
  const rows = new Map();
  /** @type {SpelledRow|undefined} */
  let row;
  for (const piece of pieces) {
    const { y, shade, spelled: label } = piece;
    if (!label) continue;
    const { x, width } = labelBox(piece);
    if (row?.y !== y) {
      row = rows.get(y) ?? { y, spelled: [], name: '' };
      rows.set(y, row);
    }
    const differs = shade.startsWith('d');
    row.spelled.push({ x, width, label, differs });
    row.name += `${x} ${width} ${label.width} ${label.text} ${label.kind} ${differs} `;
  }
  return [...rows.values()];
}

/**
 * The ids of some pieces by row: a token has one, in the row that holds most of it, under all that is together there.
 * @param {Piece[]} pieces
 * @returns {Map<number, Stretch[]>}
 */
function idsByRow(pieces) {
  /** @type {Map<number, Stretch>} */
  const stretches = new Map();
  let last = /** @type {Stretch|null} */ (null);
  for (const piece of pieces) {
    const { token, name, x, y, width } = piece;
    if (!name) continue;
    /** @type {boolean} */
    const goesOn =
      last?.piece.token === token &&
      last.piece.y === y &&
      x <= last.right + TOUCHING &&
      x + width >= last.left - TOUCHING;
    /** @type {Stretch} */
    const stretch = goesOn && last ? last : { piece, left: x, right: x + width };
    stretch.left = Math.min(stretch.left, x);
    stretch.right = Math.max(stretch.right, x + width);
    last = stretch;
    const widest = stretches.get(token);
    if (!widest || stretch.right - stretch.left > widest.right - widest.left) stretches.set(token, stretch);
  }
  /** @type {Map<number, Stretch[]>} */
  const rows = new Map();
  for (const stretch of stretches.values()) {
    const row = rows.get(stretch.piece.y);
    if (row) row.push(stretch);
    else rows.set(stretch.piece.y, [stretch]);
  }
  return rows;
}

/**
 * Puts the ids of a row into it: as labels, with lines to those of the second row, or as dots.
 * @param {Row} row @param {Stretch[]} ids @param {number} height @param {number} scale
 */
function setIds(row, ids, height, scale) {
  const wanted = ids.map(({ piece, left, right }) => ({ middle: (left + right) / 2, label: piece.name }));
  const { shapes } = row;
  placeIds(wanted, scale).forEach((at, n) => {
    const { piece, left, right } = ids[n];
    const { middle, label } = wanted[n];
    piece.named = true;
    piece.dotted = at === null;
    if (at === null) {
      add(shapes, 'id-dots', dotsShape(middle, right - left, height, scale));
      return;
    }
    piece.label = label;
    piece.labelRow = at;
    piece.labelMiddle = middle;
    if (at === 1) add(shapes, 'id-leads', leadShape(middle, height, scale));
    row.labels.push({ middle, label, isSecond: at === 1, isUnknown: piece.unknown });
  });
}
