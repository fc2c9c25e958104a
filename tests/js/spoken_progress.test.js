import assert from 'node:assert/strict';
import test from 'node:test';
import { SpokenProgress } from '../../lab_ui/js/screens/train/spoken_progress.js';

const STAGE = { name: 'merge', title: 'Merge', state: 'running', share: 0.18, rate: null, elapsed_s: 3, left_s: 90 };
const RUNNING = /** @type {any} */ ({ id: 1, state: 'running', stages: [STAGE], left_s: 90 });

/** What is said of trainings, each with the second at which it is seen. @param {[number, any][]} seen */
function spoken(seen) {
  let now = 0;
  const progress = new SpokenProgress({ now: () => now });
  return seen.map(([second, training]) => {
    now = 1000 * second;
    return progress.wordsOf(training);
  });
}

test('progress is said every twenty seconds, not with every change', () => {
  const later = { ...RUNNING, stages: [{ ...STAGE, share: 0.4 }], left_s: 50 };
  assert.deepEqual(
    spoken([
      [0, RUNNING],
      [1, RUNNING],
      [19, RUNNING],
      [21, RUNNING],
      [22, later],
      [40, later],
      [42, later],
    ]),
    ['', '', '', 'Merge: 18\u202f%, 1\u202fmin 30\u202fs left', '', '', 'Merge: 40\u202f%, 50\u202fs left'],
  );
});

test('a training that waits says so once, and one that has ended nothing', () => {
  const paused = { ...RUNNING, state: 'paused' };
  assert.deepEqual(
    spoken([
      [0, RUNNING],
      [25, paused],
      [50, paused],
      [90, { ...RUNNING, state: 'done' }],
    ]),
    ['', 'Paused: Merge', '', ''],
  );
});

test('another training begins anew', () => {
  const other = { ...RUNNING, id: 2 };
  assert.deepEqual(
    spoken([
      [0, RUNNING],
      [25, other],
      [44, other],
      [46, other],
    ]).map(Boolean),
    [false, false, false, true],
  );
});
