/** How the operations of the encoders grow with the length of a text: a chart for prose, and one for a long word. */
import { count } from '../../util/format.js';
import { words } from '../words/index.js';

/** @typedef {{bytes: number, operations: number[]}} Point */
/** @typedef {import('../figures/sheet.js').Sheet} Sheet */

const HEIGHT = 132;
/** Of the numbers beside an axis. */
const AXIS = 64;
/** Of a chart beside another one. */
const LEAST = 340;
/** Of what is said at the end of a line. */
const LABELS = 168;
/** Between the names of two lines, at least. */
const LINE = 14;
/** Half the size of a mark. */
const R = 4;
/** By encoder: the mark at the end of its line, so that colour alone tells nothing. */
const MARKS = [
  (/** @type {number} */ x, /** @type {number} */ y) =>
    `M${x - R} ${y}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0`,
  (/** @type {number} */ x, /** @type {number} */ y) => `M${x - R} ${y - R}h${2 * R}v${2 * R}h${-2 * R}z`,
  (/** @type {number} */ x, /** @type {number} */ y) => `M${x} ${y - R - 1}L${x + R + 1} ${y + R}H${x - R - 1}z`,
  (/** @type {number} */ x, /** @type {number} */ y) =>
    `M${x} ${y - R - 1}L${x + R + 1} ${y}L${x} ${y + R + 1}L${x - R - 1} ${y}z`,
];

/**
 * Both charts, side by side.
 * @param {Sheet} sheet @param {{prose: Point[], word: Point[]}} growth @param {number} y
 */
export function drawGrowth(sheet, { prose, word }, y) {
  const isNarrow = sheet.room < 2 * LEAST;
  const width = isNarrow ? sheet.room : sheet.room / 2 - 12;
  drawChart(sheet, prose, { x: 0, y, width, title: words.encoders.prose });
  const place = isNarrow ? { x: 0, y: y + HEIGHT + 84 } : { x: width + 24, y };
  drawChart(sheet, word, { ...place, width, title: words.encoders.word });
}

/**
 * Operations against bytes, both as logarithms.
 * @param {Sheet} sheet @param {Point[]} points
 * @param {{x: number, y: number, width: number, title: string}} place
 */
function drawChart(sheet, points, { x, y, width, title }) {
  sheet.text({ x, y: y + 8, text: title, anchor: 'start', size: 13 });
  sheet.text({
    x,
    y: y + 26,
    text: points.length ? words.encoders.axes : words.encoders.noLetters,
    anchor: 'start',
    className: 'faint',
  });
  if (!points.length) return;
  const top = y + 44;
  const most = Math.max(...points.flatMap(({ operations }) => operations));
  const decades = Math.max(1, Math.ceil(Math.log10(most)));
  const room = width - AXIS - LABELS;
  /** @param {number} n */
  const across = n => x + AXIS + (n * room) / (points.length - 1);
  /** @param {number} operations */
  const down = operations => top + HEIGHT * (1 - Math.log10(Math.max(1, operations)) / decades);
  for (let decade = 0; decade <= decades; decade++) {
    const at = down(10 ** decade);
    sheet.path(`M${x + AXIS} ${at}h${room}`, { className: 'dotted' });
    sheet.text({ x: x + AXIS - 6, y: at, text: count(10 ** decade), anchor: 'end', size: 11, className: 'faint' });
  }
  points.forEach(({ bytes }, n) => {
    if (n % 2 === 0)
      sheet.text({ x: across(n), y: top + HEIGHT + 12, text: count(bytes), size: 11, className: 'faint' });
  });
  const last = points[points.length - 1].operations;
  // Those that lie under others are drawn first, so that each line is seen where it leaves another one.
  last.forEach((total, encoder) => {
    const line = points.map(({ operations }, n) => `${across(n)} ${down(operations[encoder])}`).join('L');
    sheet.path(`M${line}`, { className: `series-${encoder}` });
    sheet.path(MARKS[encoder](across(points.length - 1), down(total)), { className: `marker series-${encoder}` });
  });
  let free = -Infinity;
  for (const [total, names] of byTotal(last)) {
    const at = Math.max(free, down(total) - ((names.length - 1) * LINE) / 2);
    names.forEach((name, n) =>
      sheet.text({ x: across(points.length - 1) + 12, y: at + n * LINE, text: name, anchor: 'start', size: 11 }),
    );
    free = at + names.length * LINE;
  }
}

/**
 * The totals from the largest on, each with its encoders and the number behind the last one.
 * @param {number[]} totals @returns {[number, string[]][]}
 */
const byTotal = totals =>
  [...new Set(totals)]
    .sort((a, b) => b - a)
    .map(total => {
      const names = words.encoders.names.filter((_, encoder) => totals[encoder] === total);
      return [total, words.encoders.lineEnd(names, count(total))];
    });
