/** Learn as a screen: what is said of a tokenizer that is pointed at. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { default: LearnScreen } = await import('../../lab_ui/js/screens/learn/screen.js');

test('what the status line says of the moment is cleared only where a reason was shown', () => {
  const said = [];
  const entries = Object.entries({ bert: 'WordPiece', gpt2: 'ByteLevelBPE' }).map(([id, model]) => ({
    id,
    source: 'built in',
    stages: { model },
  }));
  const catalog = Object.assign(new EventTarget(), {
    entries,
    chosen: ['bert', 'gpt2'],
    entry: id => entries.find(entry => entry.id === id) ?? null,
    nameOf: id => id,
    isUsable: () => true,
    revisionOf: () => 0,
    refit() {},
  });
  const context = {
    catalog,
    settings: { get: name => ({ active: 'gpt2', specials: 'text' })[name] ?? {}, on() {}, set() {} },
    activity: { track: work => work },
    status: { now: words => said.push(words), note() {}, progress() {}, showError() {} },
    router: Object.assign(new EventTarget(), { screen: 'learn', replace() {} }),
  };
  globalThis.fetch = () => new Promise(() => {});
  const screen = new LearnScreen();
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  screen.mount(root, /** @type {any} */ (context));
  screen.activate(new URLSearchParams('lesson=bpe-encode'), new AbortController().signal);
  for (const id of [null, 'gpt2', null]) screen.pointAt(id);
  assert.deepEqual(said, []);
  for (const id of ['bert', null, null, 'gpt2']) screen.pointAt(id);
  assert.deepEqual(said, ['bert has another model: this lesson needs BPE.', '']);
  screen.pointAt('bert');
  screen.deactivate();
  screen.activate(new URLSearchParams('lesson=bpe-encode'), new AbortController().signal);
  screen.pointAt('bert');
  assert.equal(said.length, 4, 'said again when the screen is back');
  screen.destroy();
});
