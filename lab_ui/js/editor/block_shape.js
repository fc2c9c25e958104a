/**
 * The outline of one block, as a path. In a lane, a boundary inside a character is slanted: both blocks that meet there
 * share the slant.
 */
import { boundaryShape, slantedShape } from './boundary_shape.js';

const CORNER = 4; // px, of a line break
const ROUND = 3; // px, of the frame of an unknown token
const OUTLINE = 0.75; // px, half of the line around an unknown token

/**
 * @typedef {{left: boolean, right: boolean}} Slant which ends of a block are inside a character
 * @typedef {{x: number, width: number, rtl: boolean, newline: boolean, slant?: Slant}} Block pixels
 */

/** @param {Block} block @returns {boolean} whether one of its ends is inside a character */
export const isSlanted = ({ slant }) => Boolean(slant && (slant.left || slant.right));

/**
 * @param {Block} block
 * @param {number} height
 * @param {number} [y] of its top
 * @returns {string} a path
 */
export function blockShape(block, height, y = 0) {
  const { x, width, rtl, newline, slant } = block;
  if (newline) return brokenLine(x, y, width, height, rtl);
  if (!isSlanted(block)) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const lean = leanOf(width, height);
  const [left, right] = [slant?.left ? lean : 0, slant?.right ? lean : 0];
  const end = x + width;
  return `M${x + left} ${y}L${end + right} ${y}L${end - right} ${y + height}L${x - left} ${y + height}z`;
}

/**
 * The mark of a boundary at the start of a block; "" for none.
 * @param {Block & {boundary: string}} block
 * @param {number} height
 * @param {number} [y]
 */
export function startShape({ x, width, rtl, slant, boundary }, height, y = 0) {
  const edge = rtl ? x + width : x;
  if (!(rtl ? slant?.right : slant?.left)) return boundaryShape(boundary, edge, y, height, rtl, width);
  return boundary ? slantedShape(boundary, edge, y, height, leanOf(width, height)) : '';
}

/**
 * How far a slanted end leans to each side: no further than blocks without room for it.
 * @param {number} width @param {number} height
 */
const leanOf = (width, height) => Math.round(40 * Math.min(height / 5, 0.45 * width)) / 40;

/**
 * With round corners where the text ends.
 * @param {number} x @param {number} y @param {number} width @param {number} height @param {boolean} rtl
 */
function brokenLine(x, y, width, height, rtl) {
  const r = Math.min(CORNER, width, height / 2);
  const w = width - r;
  const h = height - 2 * r;
  if (rtl) return `M${x + width} ${y}h${-w}a${r} ${r} 0 0 0 ${-r} ${r}v${h}a${r} ${r} 0 0 0 ${r} ${r}h${w}z`;
  return `M${x} ${y}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}z`;
}

/**
 * The frame of an unknown token, with round corners, whose line stays inside the block.
 * @param {{x: number, width: number}} block
 * @param {number} height
 * @param {number} [y]
 */
export function frameShape({ x, width }, height, y = 0) {
  const r = Math.min(ROUND, width / 2 - OUTLINE, height / 2 - OUTLINE);
  if (r <= 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const w = width - 2 * OUTLINE - 2 * r;
  const h = height - 2 * OUTLINE - 2 * r;
  /** @param {number} dx @param {number} dy */
  const corner = (dx, dy) => `a${r} ${r} 0 0 1 ${dx * r} ${dy * r}`;
  return (
    `M${x + OUTLINE + r} ${y + OUTLINE}h${w}${corner(1, 1)}v${h}${corner(-1, 1)}h${-w}${corner(-1, -1)}v${-h}` +
    `${corner(1, -1)}z`
  );
}
