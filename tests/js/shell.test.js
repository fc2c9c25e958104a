import './page.js';
import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Router } from '../../lab_ui/js/app/state/router.js';
import { presentable } from '../../lab_ui/js/app/presentation/presentable.js';
import { Screen } from '../../lab_ui/js/app/screen.js';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { Shell } from '../../lab_ui/js/app/shell.js';
import { Status } from '../../lab_ui/js/app/state/status.js';
import { fakeWindow } from './fake_window.js';

/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise(resolve => setImmediate(resolve));

beforeEach(t => {
  /** @type {any} */ (t).mock.method(console, 'error', () => {});
});

/** A lab of the screens `first` and `second`, whose modules the test gives. */
function labOf({ second }) {
  const { window } = fakeWindow('#/first');
  const frame = { work: document.createElement('main'), error: null, status: {}, announce: () => {} };
  document.body.replaceChildren(frame.work);
  const status = new Status(/** @type {any} */ (frame));
  const router = new Router(['first', 'second'], window);
  const context = { settings: new Settings(), router, activity: { track: work => work } };
  const entries = [
    { name: 'first', label: 'First', icon: '', load: async () => ({ default: Screen }) },
    { name: 'second', label: 'Second', icon: '', load: second },
  ];
  const contextOf = name => /** @type {any} */ ({ ...context, status: status.of(name) });
  const shell = new Shell(/** @type {any} */ (entries), /** @type {any} */ (frame), contextOf, status, () => {});
  shell.start();
  return { shell, router, window, frame };
}

test('a screen that does not load leaves the address at the one shown, and opens at the next click', async () => {
  let isThere = false;
  const second = async () => {
    if (!isThere) throw new Error('no connection');
    return { default: Screen };
  };
  const { shell, router, window, frame } = labOf({ second });
  await settled();
  router.go('second');
  await settled();
  assert.deepEqual([window.location.hash, shell.entry.name], ['#/first', 'first']);
  assert.match(frame.error.message, /Second could not be opened: no connection/);
  isThere = true;
  router.go('second');
  await settled();
  assert.deepEqual([window.location.hash, shell.entry.name], ['#/second', 'second']);
});

test('a screen that does not load says nothing once another one was asked for', async () => {
  let fail = _error => {};
  const { shell, router, window, frame } = labOf({ second: () => new Promise((_, reject) => (fail = reject)) });
  await settled();
  router.go('second');
  router.go('first', { q: 'a' });
  fail(new Error('no connection'));
  await settled();
  assert.deepEqual([window.location.hash, shell.entry.name, frame.error], ['#/first?q=a', 'first', null]);
});

test('a screen that cannot be built ends what it had started', async () => {
  let life;
  class Half extends Screen {
    mount() {
      life = this.life;
      throw new Error('half built');
    }
  }
  const { router, window, frame } = labOf({ second: async () => ({ default: Half }) });
  await settled();
  router.go('second');
  await settled();
  assert.deepEqual([life.aborted, window.location.hash], [true, '#/first']);
  assert.match(frame.error.message, /Second could not be opened: half built/);
});

test('a half-built screen that cannot be ended either keeps the reason why it was not built', async () => {
  const reported = [];
  Object.assign(globalThis, { reportError: error => reported.push(error.message) });
  class Half extends Screen {
    mount() {
      throw new Error('half built');
    }
    destroy() {
      throw new Error('nothing to end');
    }
  }
  const { router, frame } = labOf({ second: async () => ({ default: Half }) });
  await settled();
  router.go('second');
  await settled();
  assert.match(frame.error.message, /half built/);
  assert.deepEqual(reported, ['nothing to end']);
});

test('a screen that cannot be shown says why', async () => {
  class Broken extends Screen {
    activate() {
      throw new Error('at once');
    }
  }
  const { router, frame } = labOf({ second: async () => ({ default: Broken }) });
  await settled();
  router.go('second');
  await settled();
  assert.match(frame.error.message, /at once/);
  router.go('first');
  await settled();
  assert.equal(frame.error, null);
});

test('what fails later is said on the screen it belongs to, if that is still shown', async () => {
  let fail = _error => {};
  class Slow extends Screen {
    activate() {
      return new Promise((_, reject) => (fail = reject));
    }
  }
  const { router, frame } = labOf({ second: async () => ({ default: Slow }) });
  await settled();
  router.go('second');
  await settled();
  fail(new Error('later'));
  await settled();
  assert.match(frame.error.message, /later/);
  router.go('first');
  await settled();
  router.go('second');
  await settled();
  assert.equal(frame.error, null);
  router.go('first');
  await settled();
  fail(new Error('too late'));
  await settled();
  assert.equal(frame.error, null);
});

test('a dialog of a screen that is left is closed, and opens again when the screen comes back', async () => {
  const dialog = document.createElement('dialog');
  class Second extends Screen {
    mount(root) {
      root.append(dialog);
    }
  }
  const { router } = labOf({ second: async () => ({ default: Second }) });
  await settled();
  router.go('second');
  await settled();
  dialog.showModal();
  router.go('first');
  await settled();
  router.go('second');
  await settled();
  assert.deepEqual([dialog.isConnected, dialog.open], [true, false]);
});

test('a presentation takes the place of its screen until it is left', async () => {
  const done = [];
  class Usual extends Screen {
    mount(root) {
      root.append(document.createElement('p'));
    }
    activate() {
      done.push('show');
    }
    deactivate() {
      done.push('hide');
    }
  }
  let presenter;
  class Presenter extends Screen {
    from = '';
    onLeave = () => {};
    returnFocus = () => done.push('focus');
    mount() {
      presenter = this;
    }
    activate() {
      done.push('present');
    }
    deactivate() {
      done.push('end');
    }
  }
  const { router, window, frame } = labOf({ second: async () => ({ default: presentable(Usual, Presenter) }) });
  await settled();
  const stepsOf = async act => {
    act();
    await settled();
    return [done.splice(0), window.location.hash, frame.work.querySelector('p').hidden];
  };
  const shown = ['#/second', false];
  const presented = ['#/second?present=1', true];
  assert.deepEqual(await stepsOf(() => router.go('second', { present: '1' })), [['present'], ...presented]);
  assert.deepEqual(await stepsOf(() => presenter.onLeave()), [['end', 'show', 'focus'], ...shown]);
  assert.deepEqual(await stepsOf(() => router.go('second', { present: '1' })), [['hide', 'present'], ...presented]);
  assert.deepEqual(await stepsOf(() => router.open('#/second')), [['end', 'show', 'focus'], ...shown]);
});
