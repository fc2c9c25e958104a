import assert from 'node:assert/strict';
import test from 'node:test';
import { Router } from '../../lab_ui/js/app/router.js';

/** A window with an address and a history, as far as the router uses them. */
function fakeWindow(hash = '') {
  const entries = [{ hash, state: null }];
  let at = 0;
  let listener = () => {};
  const now = () => entries[at];
  const location = {
    get hash() {
      return now().hash;
    },
    set hash(hash) {
      if (hash === now().hash) return;
      entries.splice(++at, entries.length, { hash, state: null });
      listener();
    },
  };
  const history = {
    get state() {
      return now().state;
    },
    replaceState: (state, _, hash) => Object.assign(now(), { hash, state }),
    back: () => {
      at--;
      listener();
    },
  };
  const window = { location, history, addEventListener: (_, act) => (listener = act) };
  return { window: /** @type {any} */ (window), entries };
}

function routerOf(hash) {
  const fake = fakeWindow(hash);
  const router = new Router(['inspect', 'vocabulary'], fake.window);
  const seen = [];
  router.addEventListener('navigate', event => {
    const { name, query, isNew } = /** @type {CustomEvent} */ (event).detail;
    seen.push([name, query.toString(), isNew]);
  });
  router.start();
  return { router, seen, ...fake };
}

const query = words => new URLSearchParams(words);

test('an address opens its screen, an unknown one the first', () => {
  const { router, seen } = routerOf('#/vocabulary?q=a%20b');
  assert.deepEqual(seen, [['vocabulary', 'q=a+b', true]]);
  router.go('nowhere');
  assert.deepEqual(seen.pop(), ['inspect', '', true]);
});

test('the address says what the screen shows, in no new entry of the history', () => {
  const { router, window, entries } = routerOf('#/vocabulary');
  router.settle('vocabulary', query('q=a'), query(''));
  router.replace('vocabulary', query('q=ab'));
  assert.equal(window.location.hash, '#/vocabulary?q=ab');
  assert.equal(entries.length, 1);
});

test('each screen has its own parameters, and keeps them', () => {
  const { router, window } = routerOf('#/vocabulary');
  router.settle('vocabulary', query('q=a'), query(''));
  router.go('inspect');
  router.settle('inspect', router.paramsOf('inspect'), query(''));
  assert.equal(window.location.hash, '#/inspect');
  router.replace('vocabulary', query('q=late'));
  assert.equal(window.location.hash, '#/inspect', 'a screen that is hidden writes no address');
  assert.equal(router.paramsOf('vocabulary').toString(), 'q=late');
  assert.equal(router.latestOf(['vocabulary', 'inspect']), 'inspect');
});

test('a link stays in the address until it is no longer true', () => {
  const { router, window } = routerOf('#/vocabulary?t=gpt2&q=a');
  router.settle('vocabulary', query('q=a'), query('t=gpt2'));
  assert.equal(window.location.hash, '#/vocabulary?t=gpt2&q=a');
  router.forgetLink();
  assert.equal(window.location.hash, '#/vocabulary?q=a');
});

test('going back to a link takes its settings over no second time', () => {
  const { router, seen, window } = routerOf('#/inspect?t=gpt2');
  router.settle('inspect', query(''), query('t=gpt2'));
  router.go('vocabulary', { q: 'a' });
  assert.deepEqual(seen.pop(), ['vocabulary', 'q=a', true]);
  router.settle('vocabulary', query('q=a'), query(''));
  window.history.back();
  assert.deepEqual(seen.pop(), ['inspect', 't=gpt2', false]);
});
