/** What is drawn, and how its rows are laid out; a drawing that is told the same layout again has nothing to do. */

/**
 * @typedef {Object} LaneSource
 * @property {string} id @property {string} letter
 * @property {import('../text/token_spans.js').TokenSpans} tokens
 * @property {(token: number) => string} shade class of a token's colour
 * @property {(token: number) => string|undefined} [idWords] what stands under a token instead of its id
 * @property {(token: number) => string} [boundary] class of the boundary at its start: a shape of `boundary_shape.js`
 * @property {(token: number) => string|null} [spelling] what a lane writes in its block: the token as the vocabulary
 *   spells it, with visible spaces; null: not loaded yet. Called for the tokens in the window only
 *
 * @typedef {{rowHeight: number, first: number, step: number, height: number, glyph: number, spelling: number, scale:
 *   number}} Layout pixels: of a visual line, from its middle to the first lane, from lane to lane, of a block, from
 *   the top of a line to its letters, size of the letters in a block (0: none); `scale` is how much larger than usual
 *   all is
 */

/** @param {Layout|undefined} a @param {Layout} b @returns {boolean} */
export const sameLayout = (a, b) =>
  a !== undefined && /** @type {(keyof Layout)[]} */ (Object.keys(b)).every(name => a[name] === b[name]);
