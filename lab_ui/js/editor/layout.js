/** What is drawn, and how its rows are laid out; a drawing that is told the same layout again has nothing to do. */

/**
 * @typedef {Object} LaneSource
 * @property {string} id @property {string} letter
 * @property {import('../text/token_spans.js').TokenSpans} tokens
 * @property {(token: number) => string} shade class of a token's colour
 * @property {(token: number) => string} [cut] class of the cut at its start: a shape of `cut_shape.js`
 *
 * @typedef {{rowHeight: number, first: number, step: number, height: number, glyph: number, scale: number}} Layout
 *   pixels: of a visual line, from its middle to the first lane, from lane to lane, of a block, from the top of a line
 *   to its letters; `scale` is how much larger than usual all is
 */

/** @param {Object<string, number>|undefined} a @param {Object<string, number>} b @returns {boolean} */
export const sameLayout = (a, b) => a !== undefined && Object.keys(b).every(name => a[name] === b[name]);
