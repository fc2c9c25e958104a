/** The table of a step: pairs have the colours of the figure, and their names stay whole. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { StepTable } from '../../lab_ui/js/screens/learn/step_table.js';

test('the tokens of a pair have the colours of the figure, and the row still names the pair', () => {
  const shown = new StepTable();
  shown.show({
    caption: 'Pairs now',
    columns: ['Pair', 'Rank'],
    numeric: [1],
    rows: [
      { cells: ['+ + <b>', '7'], colours: [2, 5], choice: '2' },
      { cells: ['·l', '8'], ref: 's1' },
    ],
  });
  const [pair, single] = shown.querySelectorAll('tbody tr');
  assert.equal(pair.querySelector('button').textContent, '+ + <b>');
  assert.deepEqual(
    [...pair.querySelectorAll('button bdi')].map(each => [each.textContent, each.className]),
    [
      ['+', 'token-2'],
      ['<b>', 'token-1'],
    ],
  );
  assert.deepEqual([single.textContent, single.querySelectorAll('[class^=token]').length], ['·l8', 0]);
});
