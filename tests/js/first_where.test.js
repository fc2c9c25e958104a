import assert from 'node:assert/strict';
import test from 'node:test';
import { firstWhere } from '../../lab_ui/js/util/lower_bound.js';

test('the first of all that hold, as by looking at each', () => {
  for (let length = 0; length < 20; length++)
    for (let first = 0; first <= length; first++) {
      let asked = 0;
      const holds = n => {
        asked++;
        assert.ok(n >= 0 && n < length);
        return n >= first;
      };
      assert.equal(firstWhere(length, holds), first, `${first} of ${length}`);
      assert.ok(asked <= Math.ceil(Math.log2(length + 1)), 'asked as often as a search must');
    }
});

test('of equal ones the first', () => {
  const values = [1, 3, 3, 3, 7];
  assert.equal(
    firstWhere(values.length, n => values[n] >= 3),
    1,
  );
  assert.equal(
    firstWhere(values.length, n => values[n] > 3),
    4,
  );
  assert.equal(
    firstWhere(0, () => true),
    0,
  );
});
