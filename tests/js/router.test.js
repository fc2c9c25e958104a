import assert from 'node:assert/strict';
import test from 'node:test';
import { Router } from '../../lab_ui/js/app/state/router.js';
import { fakeWindow } from './fake_window.js';

function routerOf(hash, options) {
  const fake = fakeWindow(hash, options);
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

test('an address that cannot be shown gives place to the one that is, with its link', () => {
  const { router, window } = routerOf('#/inspect?t=gpt2');
  router.stay();
  assert.equal(window.location.hash, '#/inspect?t=gpt2', 'nothing is shown yet');
  router.settle('inspect', query(''), query('t=gpt2'));
  router.go('vocabulary');
  router.stay();
  assert.equal(window.location.hash, '#/inspect?t=gpt2');
});

test('a screen that goes on working takes no click back', () => {
  const { router, seen, window, deliver } = routerOf('#/vocabulary', { isSlow: true });
  router.settle('vocabulary', query('q=a'), query('t=gpt2'));
  const takeBack = [
    () => router.replace('vocabulary', query('q=ab')),
    () => router.forgetLink(),
    () => router.settle('vocabulary', query('q=abc'), query('')),
    () => router.stay(),
  ];
  window.location.hash = '#/inspect';
  for (const act of takeBack) {
    act();
    assert.equal(window.location.hash, '#/inspect', 'before the page hears of it');
  }
  deliver();
  assert.deepEqual(seen.pop(), ['inspect', '', true]);
  router.replace('vocabulary', query('q=abcd'));
  router.forgetLink();
  assert.equal(window.location.hash, '#/inspect', 'while the screen is loaded');
  router.settle('inspect', query(''), query(''));
  window.history.back();
  router.replace('inspect', query('x=1'));
  deliver();
  assert.deepEqual(seen.pop(), ['vocabulary', 't=gpt2&q=a', false], 'going back is no different');
});

test('an address that stays is not written again', () => {
  const { router, writes } = routerOf('#/vocabulary');
  router.settle('vocabulary', query('q=a'), query(''));
  for (let n = 0; n < 200; n++) router.replace('vocabulary', query('q=a'));
  router.replace('vocabulary', query('q=b'));
  assert.deepEqual(writes, ['#/vocabulary?q=a', '#/vocabulary?q=b']);
});
