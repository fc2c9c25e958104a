/** Keeps texts that are shown side by side at the same place. */
import { EditorView } from '../../vendor/codemirror.js';

/**
 * Puts the row at the top of one text at the same height in the others.
 * @param {import('./token_text.js').TokenText} leader
 * @param {import('./token_text.js').TokenText[]} others the same text, maybe wrapped in other places
 * @returns {boolean} whether one was elsewhere
 */
export function alignRows(leader, others) {
  const { pos, y } = topRow(leader.view);
  const rows = others.map(({ view }) => rowOf(view, pos));
  let moved = false;
  rows.forEach((row, n) => {
    const { view } = others[n];
    if (row === null) view.dispatch({ effects: EditorView.scrollIntoView(pos, { y: 'start', yMargin: y }) });
    else if (Math.abs(row - y) >= 0.5) view.scrollDOM.scrollTop += row - y;
    else return;
    moved = true;
  });
  return moved;
}

/**
 * @param {EditorView} view
 * @returns {{pos: number, y: number}} a position in the row at the upper edge of the viewport, and that row's distance
 *   from the edge in pixels
 */
function topRow(view) {
  const { top } = view.scrollDOM.getBoundingClientRect();
  const { left } = view.contentDOM.getBoundingClientRect();
  const pos = view.posAtCoords({ x: left + 4, y: top + 1 }, false);
  return { pos, y: rowOf(view, pos) ?? 0 };
}

/**
 * @param {EditorView} view @param {number} pos
 * @returns {number|null} how far the row of a position is below the upper edge; null: it is not drawn
 */
function rowOf(view, pos) {
  if (!view.visibleRanges.some(({ from, to }) => from <= pos && pos <= to)) return null;
  const row = view.coordsAtPos(pos, 1) ?? view.coordsAtPos(pos, -1);
  return row && row.top - view.scrollDOM.getBoundingClientRect().top;
}
