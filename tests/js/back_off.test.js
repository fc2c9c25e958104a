import assert from 'node:assert/strict';
import test from 'node:test';
import { BackOff } from '../../lab_ui/js/util/back_off.js';

test('each wait is twice the one before, up to half a minute, until a try succeeds', () => {
  const backOff = new BackOff();
  const waits = Array.from({ length: 7 }, () => backOff.next());
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  backOff.reset();
  assert.equal(backOff.next(), 1000);
});
