import assert from 'node:assert/strict';
import test from 'node:test';
import { compactLayout, lanesLayout, setScale } from '../../lab_ui/js/editor/row_layout.js';

/** Pixels of the text in a window of 1280 by 720, with cards of one line. */
const PANE = 510;

test('twenty compact lines with two lanes fit a window, and lanes stay in their row', () => {
  assert.ok(20 * compactLayout(2).rowHeight <= PANE, String(compactLayout(2).rowHeight));
  for (const lanes of [1, 2, 8])
    for (const { rowHeight, glyph, first, step, height } of [compactLayout(lanes), lanesLayout(lanes)])
      assert.ok(glyph + first + (lanes - 1) * step + height <= rowHeight, `${lanes} lanes`);
});

test('compact lines grow with the size of all texts', t => {
  t.after(() => setScale(1));
  const { rowHeight, scale } = compactLayout(2);
  setScale(2);
  assert.deepEqual([compactLayout(2).rowHeight, compactLayout(2).scale], [2 * rowHeight, 2 * scale]);
});
