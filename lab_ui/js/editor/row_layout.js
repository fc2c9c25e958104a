/**
 * How the rows of a text are laid out: their height, and where in a row its tokens are. Pixels at the usual text size.
 */
import { ID_ROOM } from './id_rows.js';

const MARK_HEIGHT = 30;
const BARE_ROW = 40;
const MARK_GLYPH = 20;
const LANE_FIRST = 16;
const LANE_GAP = 2;
const TEXT_ROW = 30;
const AFTER_LANES = 17;
const FEW_LANES = 3;
const LANE = { height: 22, spelling: 12 };
const LANE_OF_MANY = { height: 18, spelling: 11 };
/** Of a row to read many lines at once: its letters are smaller by `times`. */
const COMPACT = { times: 0.65, text: 15, height: 4, step: 5 };

/** How much larger than usual all texts are drawn. */
let scale = 1;

/** @param {number} times */
export function setScale(times) {
  scale = times;
}

/**
 * Tokens as marks behind the letters.
 * @param {boolean} labels whether ids are under the tokens
 * @param {number} [above] @param {number} [below] pixels that overlays want over and under each row
 */
export const marksLayout = (labels, above = 0, below = 0) =>
  enlarged({
    rowHeight: BARE_ROW + (labels ? ID_ROOM : 0) + above + below,
    first: -MARK_HEIGHT / 2,
    step: 0,
    height: MARK_HEIGHT,
    spelling: 0,
    glyph: MARK_GLYPH + above,
  });

/**
 * Tokens in lanes under the letters.
 * @param {number} n lanes
 * @param {boolean} [labels] whether ids are under the tokens
 */
export function lanesLayout(n, labels = false) {
  const { height, spelling } = n > FEW_LANES ? LANE_OF_MANY : LANE;
  const step = height + LANE_GAP + (labels ? ID_ROOM : 0);
  return enlarged({
    rowHeight: TEXT_ROW + n * step + AFTER_LANES,
    first: LANE_FIRST,
    step,
    height,
    spelling,
    glyph: TEXT_ROW / 2,
  });
}

/** Thin lanes without spellings and ids: twenty lines with two lanes fit a window. @param {number} n lanes */
export function compactLayout(n) {
  const { times, text, height, step } = COMPACT;
  const rows = { rowHeight: text + n * step, first: text / 2, step, height, spelling: 0, glyph: text / 2 };
  return { ...enlarged(rows), scale: scale * times };
}

/**
 * Gives each overlay its lane under the tokens.
 * @param {import('./overlay.js').Overlay[]} overlays
 * @param {import('./layout.js').Layout} layout
 * @param {boolean} labels
 */
export function placeOverlays(overlays, layout, labels) {
  let lane = scale * (MARK_HEIGHT / 2 + (labels ? ID_ROOM : 0) + 1);
  for (const overlay of overlays) {
    overlay.layout = { ...layout, lane };
    lane += scale * overlay.below;
  }
}

/** @param {import('./layout.js').Layout} layout @returns {Object<string, string>} CSS variables of the editor */
export const variablesOf = ({ rowHeight, glyph, height, spelling, scale }) => ({
  '--scale': String(scale),
  '--row': `${rowHeight}px`,
  '--row-shift': `${glyph - rowHeight / 2}px`,
  '--glyph-row': `${2 * glyph}px`,
  '--block': `${height}px`,
  '--spelling': `${spelling}px`,
});

/** @param {Object<string, number>} layout @returns {import('./layout.js').Layout} */
const enlarged = layout =>
  /** @type {any} */ ({
    ...Object.fromEntries(Object.entries(layout).map(([name, length]) => [name, Math.round(length * scale)])),
    scale,
  });
