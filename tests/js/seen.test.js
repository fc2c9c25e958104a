import assert from 'node:assert/strict';
import test from 'node:test';
import { Seen, isSame } from '../../lab_ui/js/util/seen.js';

test('two values are the same if they hold the same', () => {
  for (const [a, b, same] of [
    [1, 1, true],
    [Number.NaN, Number.NaN, true],
    ['1', 1, false],
    [null, undefined, false],
    [null, {}, false],
    [[], {}, false],
    [[1, [2]], [1, [2]], true],
    [[1, 2], [1], false],
    [{ a: 1, b: [{ c: 'x' }] }, { b: [{ c: 'x' }], a: 1 }, true],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
  ])
    assert.equal(isSame(a, b), same, `${JSON.stringify(a)} and ${JSON.stringify(b)}`);
});

test('what was seen is known, until it is forgotten', () => {
  const seen = new Seen();
  assert.ok(!seen.again(undefined), 'the first one is new');
  assert.ok(!seen.again([1]));
  assert.ok(seen.again([1]));
  seen.forget();
  assert.ok(!seen.again([1]));
});
