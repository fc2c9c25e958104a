/** What nobody caught is shown. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { LabError } from '../../lab_ui/js/api/client.js';
import { Activity } from '../../lab_ui/js/app/state/activity.js';
import { showUncaught } from '../../lab_ui/js/app/frame/uncaught.js';

/** A page that reports what was thrown, and what it showed. */
function page() {
  const target = new EventTarget();
  const shown = [];
  showUncaught(/** @type {any} */ (target), ({ message, hint }) => shown.push([message, Boolean(hint)]));
  const throwIn = (type, detail) => {
    const event = Object.assign(new Event(type, { cancelable: true }), detail);
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { shown, throwIn };
}

test('an error of a listener or a promise is shown, with what to do', () => {
  const { shown, throwIn } = page();
  assert.equal(throwIn('error', { error: new TypeError('x is null'), message: 'Uncaught' }), false);
  assert.equal(throwIn('unhandledrejection', { reason: new Error('y') }), false, 'the console has it, too');
  throwIn('unhandledrejection', { reason: 'z' });
  throwIn('unhandledrejection', { reason: new LabError('backend_gone', 'The lab does not answer', 'Start it') });
  assert.deepEqual(shown, [
    ['The page failed: x is null', true],
    ['The page failed: y', true],
    ['The page failed: z', true],
    ['The lab does not answer', true],
  ]);
});

test('what was aborted and what is harmless is not shown', () => {
  const { shown, throwIn } = page();
  assert.equal(throwIn('unhandledrejection', { reason: new DOMException('stopped', 'AbortError') }), true);
  throwIn('error', { error: null, message: 'ResizeObserver loop completed with undelivered notifications.' });
  assert.deepEqual(shown, []);
});

test('tracked work that fails, and that nobody waits for, is uncaught', async () => {
  const activity = new Activity(/** @type {any} */ ({ dataset: {} }));
  const uncaught = [];
  const ofRunner = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', error => uncaught.push(/** @type {Error} */ (error).message));
  activity.track(Promise.reject(new Error('of nobody')));
  await assert.rejects(activity.track(Promise.reject(new Error('of the caller'))), /of the caller/);
  await new Promise(resolve => setImmediate(resolve));
  process.removeAllListeners('unhandledRejection');
  for (const listener of ofRunner) process.on('unhandledRejection', listener);
  assert.deepEqual(uncaught, ['of nobody']);
});
