/** How rows are laid out for a projector: large letters, and lanes that are high enough to read. */

/** Pixels of a window of 1280 by 720, which six lines with two lanes each fill. */
const WINDOW = { width: 1280, height: 720 };
const SMALLEST = 0.5;
const TEXT_SCALE = 2; // of the letters, from the usual size
/** Pixels at the usual size. */
const GLYPH = 11;
const FIRST = 9.5;
const STEP = 14.5;
const AROUND = 22;
const SPELLING = 10;

/**
 * How much larger than in a window of 1280 by 720 everything is drawn.
 * @param {{width: number, height: number}} window pixels
 */
export const windowScale = ({ width, height }) =>
  Math.max(SMALLEST, Math.floor(100 * Math.min(width / WINDOW.width, height / WINDOW.height)) / 100);

/**
 * @param {number} lanes @param {number} times larger than what fits six lines into a window of 1280 by 720
 * @returns {import('../../editor/layout.js').Layout}
 */
export function presentedRows(lanes, times) {
  const scale = TEXT_SCALE * times;
  const step = Math.floor(STEP * scale);
  return {
    rowHeight: Math.round(AROUND * scale) + lanes * step,
    first: Math.round(FIRST * scale),
    step,
    height: step - 1,
    glyph: Math.round(GLYPH * scale),
    spelling: Math.round(SPELLING * scale),
    scale,
  };
}
