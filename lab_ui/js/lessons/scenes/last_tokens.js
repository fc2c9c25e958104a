/** The end of a lesson on encoding: the tokens of the whole text, each with its ID, in lines. */
import { tokenName } from '../names.js';
import { words } from '../words/index.js';

const LETTER = 10.5;
const HEIGHT = 46;
const GAP = 6;
/** Tokens that are drawn. */
const MOST = 400;

/**
 * @param {any} facts @param {{id: number|null}[]} tokens in the order of the text
 * @param {import('../figures/sheet.js').Sheet} sheet @param {(n: number) => number} [colourOf] the colour of a token
 */
export function drawTokens(facts, tokens, sheet, colourOf = n => n) {
  let [x, y] = [0, 0];
  tokens.slice(0, MOST).forEach(({ id }, n) => {
    const text = tokenName(facts, id);
    const width = Math.max(44, Math.min(sheet.room, [...text].length * LETTER + 14));
    if (x + width > sheet.room && x > 0) {
      x = 0;
      y += HEIGHT + GAP;
    }
    const below = id === null ? '' : String(id);
    sheet.box({ x, y, width, height: HEIGHT, text, size: 18, below, colour: colourOf(n), ref: `s${n}` });
    x += width + 2;
  });
  if (tokens.length > MOST) sheet.text({ x: x + 4, y: y + HEIGHT / 2, text: '…', anchor: 'start' });
}

/** @param {any} facts @param {{id: number|null}[]} tokens @returns {import('./scene.js').StepTable} */
export const tokenTable = (facts, tokens) => ({
  caption: words.view.tokens,
  columns: words.view.tokenColumns,
  numeric: [1],
  rows: tokens
    .slice(0, MOST)
    .map(({ id }, n) => ({ cells: [tokenName(facts, id), id === null ? '' : String(id)], ref: `s${n}` })),
});
