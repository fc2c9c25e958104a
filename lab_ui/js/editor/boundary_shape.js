/**
 * The line at the start of a token. Where several tokenizers are compared its shape says how many of them cut there, so
 * that colour alone never does: a thin line in all, dashes in most, dots in some, a wedge in one.
 */

const DASH = 4;
const DOT = 1.5;
const WIDE = 2;
const WEDGE = 5; // px

/**
 * @param {string} name "cut-most", "cut-some", "cut-one"; anything else is a thin line
 * @param {number} x the edge of the token
 * @param {number} y
 * @param {number} height
 * @param {boolean} rtl whether the token lies to the left of the edge
 * @param {number} room width of the token: in a narrow one the shape is narrow too, or its colour would not be seen
 * @returns {string} a path to be filled
 */
export function cutShape(name, x, y, height, rtl, room = Infinity) {
  const to = rtl ? -1 : 1;
  const wedge = Math.max(2.5, Math.min(WEDGE, room));
  const wide = room < 3 * WIDE ? 1 : WIDE;
  if (name === 'cut-one')
    return `M${x} ${y}h${wedge * to}l${(1.5 - wedge) * to} ${WEDGE}v${height - WEDGE}h${-1.5 * to}z`;
  if (name === 'cut-most') return dashes(x, y, height, DASH, WIDE, wide * to);
  if (name === 'cut-some') return dashes(x, y, height, DOT, DOT, wide * to);
  return `M${x} ${y}h${to}v${height}h${-to}z`;
}

function dashes(x, y, height, length, gap, width) {
  let path = '';
  for (let at = 0; at < height; at += length + gap) {
    const long = Math.min(length, height - at);
    path += `M${x} ${y + at}h${width}v${long}h${-width}z`;
  }
  return path;
}
