/**
 * How the rows of a text are laid out: their height, and where in a row its tokens are. Pixels at the usual text size.
 */
const MARK_HEIGHT = 28;
const BARE_ROW = 36;
const LABELLED_ROW = 48;
const BARE_GLYPH = 18;
const LABELLED_GLYPH = 22;
const LANE_HEIGHT = 10;
const LANE_STEP = 13;
const LANE_FIRST = 14;
const TEXT_ROW = 28;
const AFTER_LANES = 14;

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
    rowHeight: (labels ? LABELLED_ROW : BARE_ROW) + above + below,
    first: -MARK_HEIGHT / 2,
    step: 0,
    height: MARK_HEIGHT,
    glyph: (labels ? LABELLED_GLYPH : BARE_GLYPH) + above,
  });

/** Tokens in lanes under the letters. @param {number} n lanes */
export const lanesLayout = n =>
  enlarged({
    rowHeight: TEXT_ROW + n * LANE_STEP + AFTER_LANES,
    first: LANE_FIRST,
    step: LANE_STEP,
    height: LANE_HEIGHT,
    glyph: 15,
  });

/**
 * Gives each overlay its lane under the tokens.
 * @param {any[]} overlays
 * @param {Object} layout
 * @param {boolean} labels
 */
export function placeOverlays(overlays, layout, labels) {
  let lane = scale * (MARK_HEIGHT / 2 + (labels ? LABELLED_ROW - BARE_ROW : 0) + 1);
  for (const overlay of overlays) {
    overlay.layout = { ...layout, lane };
    lane += scale * overlay.below;
  }
}

/** @param {import('./layout.js').Layout} layout @returns {Object<string, string>} CSS variables of the editor */
export const variablesOf = ({ rowHeight, glyph, height }) => ({
  '--scale': String(scale),
  '--row': `${rowHeight}px`,
  '--row-shift': `${glyph - rowHeight / 2}px`,
  '--glyph-row': `${2 * glyph}px`,
  '--block': `${height}px`,
});

/** @param {Object<string, number>} layout @returns {import('./layout.js').Layout} */
const enlarged = layout =>
  /** @type {any} */ ({
    ...Object.fromEntries(Object.entries(layout).map(([name, length]) => [name, Math.round(length * scale)])),
    scale,
  });
