/**
 * The line at the start of a token. In a comparison its shape says how many tokenizers have a boundary there, so that
 * colour is never the only sign: a thin line for all, dashes for most, dots for some, a wedge for one.
 */

const DASH = 4;
const DOT = 1.5;
const WIDE = 2;
const WEDGE = 5; // px

/**
 * @param {string} name "boundary-most", "boundary-some", "boundary-one"; anything else is a thin line
 * @param {number} x the edge of the token
 * @param {number} y
 * @param {number} height
 * @param {boolean} rtl whether the token lies to the left of the edge
 * @param {number} room width of the token: in a narrow one the shape is narrow too, or its colour would not be seen
 * @returns {string} a path to be filled
 */
export function boundaryShape(name, x, y, height, rtl, room = Infinity) {
  const to = rtl ? -1 : 1;
  const wedge = Math.max(2.5, Math.min(WEDGE, room));
  const wide = room < 3 * WIDE ? 1 : WIDE;
  if (name === 'boundary-one')
    return `M${x} ${y}h${wedge * to}l${(1.5 - wedge) * to} ${WEDGE}v${height - WEDGE}h${-1.5 * to}z`;
  if (name === 'boundary-most') return dashes(x, y, height, DASH, WIDE, wide * to);
  if (name === 'boundary-some') return dashes(x, y, height, DOT, DOT, wide * to);
  return `M${x} ${y}h${to}v${height}h${-to}z`;
}

/**
 * The same for a boundary inside a character, which leans to the right.
 * @param {string} name @param {number} x its middle @param {number} y @param {number} height
 * @param {number} lean how far its ends are from the middle
 * @returns {string} a path to be filled
 */
export function slantedShape(name, x, y, height, lean) {
  /** @param {number} part */
  const at = part => x + lean * (1 - (2 * part) / height);
  const width = name === 'boundary-all' ? 1 : WIDE;
  const [dash, gap] = { 'boundary-most': [DASH, WIDE], 'boundary-some': [DOT, DOT] }[name] ?? [height, 0];
  let path = '';
  for (let from = 0; from < height; from += dash + gap) {
    const to = Math.min(height, from + dash);
    path += `M${at(from)} ${y + from}h${width}L${at(to) + width} ${y + to}h${-width}z`;
  }
  return path;
}

/**
 * @param {number} x @param {number} y @param {number} height @param {number} length @param {number} gap
 * @param {number} width
 */
function dashes(x, y, height, length, gap, width) {
  let path = '';
  for (let at = 0; at < height; at += length + gap) {
    const long = Math.min(length, height - at);
    path += `M${x} ${y + at}h${width}v${long}h${-width}z`;
  }
  return path;
}
