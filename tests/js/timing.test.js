import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debounce, Throttle, delay } from '../../lab_ui/js/text/timing.js';
import { FakeClock, flush } from './fake_lab.js';

test('a delay ends when its time is over, or at once when it is aborted', async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  let isOver = false;
  delay(100, abort.signal, clock).then(() => {
    isOver = true;
  });
  await clock.advance(99);
  assert.equal(isOver, false);
  await clock.advance(1);
  assert.equal(isOver, true);
  const waiting = delay(100, abort.signal, clock);
  abort.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await assert.rejects(delay(100, abort.signal, clock), { name: 'AbortError' });
  assert.equal(clock.waiting, 0);
});

test('of several debounced waits only the last one elapses', async () => {
  const clock = new FakeClock();
  const debounce = new Debounce(clock);
  const told = [];
  debounce.wait(50).then(elapsed => told.push(['first', elapsed]));
  await clock.advance(40);
  debounce.wait(50).then(elapsed => told.push(['second', elapsed]));
  await clock.advance(60);
  debounce.wait(50).then(elapsed => told.push(['third', elapsed]));
  debounce.stop();
  await flush();
  assert.deepEqual(told, [
    ['first', false],
    ['second', true],
    ['third', false],
  ]);
});

test('a long text in a burst of keys waits for a pause, a short one never', async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const throttle = new Throttle(clock);
  const told = [];
  const send = (name, length) => throttle.ready(length, signal).then(() => told.push(name));
  send('first', 100_000);
  await flush();
  send('second', 100_000);
  send('short', 100);
  await flush();
  assert.deepEqual(told, ['first', 'short']);
  await clock.advance(120);
  assert.deepEqual(told, ['first', 'short', 'second']);
  await clock.advance(500);
  send('later', 100_000);
  await flush();
  assert.equal(told.at(-1), 'later');
});
