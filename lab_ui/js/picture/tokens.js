/** The blocks of tokens in a picture, with their ids, and what is said of the text beside them. */
import { escaped, tag } from '../ui/svg_text.js';
import { blockShape, frameShape, isSlanted, startShape } from '../editor/block_shape.js';
import { labelBox } from '../editor/fragment_rows.js';
import { ID_FIRST, ID_STEP, dotsShape, leadShape } from '../editor/id_rows.js';
import { glyphShape } from './spaces.js';

const LABEL = 10.5; // px
const DOT = 1.7; // px

/**
 * @typedef {import('./pen.js').Pen} Pen @typedef {import('./pen.js').Shown} Shown
 * @typedef {import('../editor/token_text.js').DrawnLane} DrawnLane
 * @typedef {import('../editor/token_text.js').DrawnPiece} DrawnPiece
 * @typedef {{x: number, y: number, width: number, height: number}} Place of a block in the frame
 */

/**
 * One group for each token, with its pieces: a token that wraps has one on each line.
 * @param {Pen} pen @param {HTMLElement} element @param {DrawnLane} lane @param {Shown} shown
 */
export function drawLane(pen, element, { tokenizer, pieces }, shown) {
  /** @type {Map<number, {piece: DrawnPiece, parts: string[]}>} */
  const groups = new Map();
  /** @type {Map<string, string>} */
  const styles = new Map();
  const styleOf = (/** @type {string} */ name) => {
    const known = styles.get(name);
    if (known !== undefined) return known;
    const path = element.querySelector(
      `path:is([class="${name}"], [class="${name} newline"], [class="${name} slanted"])`,
    );
    const { fill } = getComputedStyle(/** @type {Element} */ (path));
    styles.set(name, fill);
    return fill;
  };
  for (const piece of pieces) {
    const { x, y, width, height } = piece.box;
    if (!shown({ left: x, right: x + width })) continue;
    const group = groups.get(piece.token) ?? { piece, parts: [] };
    groups.set(piece.token, group);
    drawPiece(pen, piece, pen.place({ left: x, top: y, width, height }), group.parts, styleOf);
  }
  for (const {
    piece: { id, start, end },
    parts,
  } of groups.values())
    pen.parts.push(
      tag(
        'g',
        { class: 'token', 'data-tokenizer': tokenizer, 'data-id': id, 'data-start': start, 'data-end': end },
        tag('title', {}, escaped(`id ${id}, bytes ${start}–${end}`)),
        ...parts,
      ),
    );
}

/**
 * @param {Pen} pen @param {DrawnPiece} piece @param {Place} at @param {string[]} parts
 * @param {(name: string) => string} styleOf
 */
function drawPiece(pen, piece, at, parts, styleOf) {
  const { shade, boundary, newline, stripe, mixed, unknown, part, label, slant, spelled } = piece;
  const block = { ...piece, x: at.x, width: at.width };
  if (!unknown || !slant) {
    const paint = pen.paint(styleOf(`shade ${shade}`));
    const shape = () => blockShape(block, at.height, at.y);
    parts.push(isSlanted(piece) ? tag('path', { d: shape(), ...paint }) : tag('rect', { ...at, ...paint }));
  }
  if (mixed && !slant) parts.push(tag('rect', { ...at, fill: 'url(#mixed)' }));
  if (unknown)
    parts.push(
      tag('path', {
        d: frameShape(block, at.height, at.y),
        ...pen.paint(pen.variable('--unknown-soft')),
        stroke: pen.paint(pen.variable('--unknown')).fill,
        'stroke-width': 1.5,
      }),
    );
  const shape = boundary && !part ? boundary : '';
  const mark =
    (!part || (stripe && !slant)) && !newline && !(unknown && slant)
      ? startShape({ ...block, boundary: shape }, at.height, at.y)
      : '';
  if (mark) parts.push(tag('path', { d: mark, ...pen.paint(styleOf(shape ? `ticks ${shape}` : 'ticks')) }));
  if (spelled)
    parts.push(spelledWords(pen, spelled, { ...at, width: (labelBox(piece).width * at.width) / piece.width }));
  if (label || piece.dotted) parts.push(idOf(pen, piece, at));
}

/**
 * What is written in a block of a lane.
 * @param {Pen} pen @param {import('../editor/lane_spelling.js').Label} label @param {Place} at
 */
function spelledWords(pen, { text, width, scale, kind }, at) {
  if (kind === 'break')
    return tag('path', {
      class: 'space',
      d: glyphShape('newline', at, pen.scale),
      fill: 'none',
      stroke: pen.paint(pen.variable('--ink-3')).fill,
    });
  return tag(
    'text',
    {
      class: 'spelled',
      x: at.x + at.width / 2,
      y: at.y + at.height / 2 + pen.spelling * 0.36,
      'text-anchor': 'middle',
      'font-size': pen.spelling,
      'font-family': pen.family,
      'font-weight': kind === 'unknown' ? '700' : null,
      textLength: scale < 1 ? width * scale : null,
      lengthAdjust: scale < 1 ? 'spacingAndGlyphs' : null,
      ...pen.paint(pen.variable(kind === 'unknown' ? '--unknown' : '--ink')),
    },
    escaped(text),
  );
}

/**
 * The id under a block, or the dots of one that has no room.
 * @param {Pen} pen @param {DrawnPiece} piece @param {Place} at
 */
function idOf(pen, { label, labelRow, labelMiddle, dotted, unknown, x, width }, at) {
  const middle = at.x + (dotted ? width / 2 : labelMiddle - x);
  const paint = pen.paint(pen.variable(unknown ? '--unknown' : '--ink-3'));
  const moved = { transform: `translate(0 ${at.y})` };
  if (dotted)
    return tag('path', {
      class: 'id-dots',
      d: dotsShape(middle, width, at.height, pen.scale),
      fill: 'none',
      stroke: pen.paint(pen.variable('--ink-2')).fill,
      'stroke-width': DOT * pen.scale,
      'stroke-linecap': 'round',
      ...moved,
    });
  const lead = labelRow
    ? tag('path', {
        class: 'id-lead',
        d: leadShape(middle, at.height, pen.scale),
        ...pen.paint(pen.variable('--line-2')),
        ...moved,
      })
    : '';
  return (
    lead +
    tag(
      'text',
      {
        class: 'id',
        x: middle,
        y: at.y + at.height + (ID_FIRST + labelRow * ID_STEP + LABEL) * pen.scale,
        'text-anchor': 'middle',
        'font-size': LABEL * pen.scale,
        'font-family': pen.family,
        ...paint,
      },
      escaped(label),
    )
  );
}

/** @param {import('./pen.js').Pen} pen @param {HTMLElement} element */
export function drawRange(pen, element) {
  const at = pen.place(element.getBoundingClientRect());
  const { classList } = element;
  if (classList.contains('dropped'))
    pen.parts.push(
      tag('path', {
        d: `M${at.x} ${at.y + at.height * 0.55}h${at.width}`,
        stroke: pen.paint(pen.variable('--bad')).fill,
        'stroke-width': 2,
        'stroke-dasharray': '4 2',
      }),
    );
  else if (classList.contains('cluster'))
    pen.parts.push(
      tag('path', {
        d: `M${at.x} ${at.y}v${at.height}h${at.width}v${-at.height}`,
        fill: 'none',
        stroke: pen.paint(pen.variable('--ink-3')).fill,
      }),
    );
  else if (classList.contains('current'))
    pen.parts.push(tag('rect', { ...at, ...pen.paint(pen.variable('--accent-soft')) }));
}

/** Patterns that blocks are filled with. @param {import('./pen.js').Pen} pen */
export function hatches(pen) {
  /** @param {string} id @param {number} angle */
  const hatch = (id, angle) =>
    tag(
      'pattern',
      { id, width: 4, height: 4, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${angle})` },
      tag('rect', { width: 1, height: 4, ...pen.paint(pen.variable('--hatch')) }),
    );
  return tag('defs', {}, hatch('mixed', 45));
}
