import assert from 'node:assert/strict';
import test from 'node:test';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SHARED } from '../../lab_ui/js/app/state/shared_settings.js';
import { COMPARE } from '../../lab_ui/js/screens/compare/settings.js';

function shared() {
  const settings = new Settings();
  settings.define('', SHARED);
  settings.define('compare', COMPARE);
  return settings;
}

test('listeners learn what changed, once for all of it', () => {
  const settings = shared();
  const seen = [];
  settings.on(null, changed => seen.push([...changed].sort().join(' ')));
  settings.set({ chosen: ['a', 'b'] });
  settings.set({ theme: 'system' });
  settings.set({ chosen: ['a', 'b'] });
  assert.deepEqual(seen, ['active chosen compare.baseline']);
});

test('a listener hears only of its settings, until its signal is aborted', () => {
  const settings = shared();
  const heard = [];
  const life = new AbortController();
  settings.on(['theme'], () => heard.push(settings.get('theme')), life.signal);
  settings.set({ showIds: false });
  settings.set({ theme: 'dark' });
  life.abort();
  settings.set({ theme: 'light' });
  assert.deepEqual(heard, ['dark']);
});

test('settings that depend on others change with them, in one step', () => {
  const settings = shared();
  settings.set({ chosen: ['a', 'b', 'c'], 'compare.hidden': ['c'], active: 'b', 'compare.baseline': 'c' });
  const seen = [];
  settings.on(null, changed =>
    seen.push([...changed].sort(), ...['active', 'compare.baseline', 'compare.hidden'].map(name => settings.get(name))),
  );
  settings.set({ chosen: ['a', 'd'] });
  assert.deepEqual(seen, [['active', 'chosen', 'compare.baseline', 'compare.hidden'], 'a', 'a', []]);
  settings.set({ 'compare.hidden': ['a', 'd'] });
  assert.deepEqual(settings.get('compare.hidden'), [], 'not all can be left out');
});

test('what was saved by another version does no harm', () => {
  const settings = shared();
  settings.accept({ chosen: 'gpt2', theme: 'pink', specials: 4, letters: null, showIds: false, extra: 1, active: 3 });
  const names = ['chosen', 'theme', 'specials', 'showIds', 'active'];
  assert.deepEqual(
    names.map(name => settings.get(name)),
    [[], 'system', 'text', false, null],
  );
  assert.deepEqual(settings.get('letters'), {});
});

test('wrong names and values are errors of the program', () => {
  const settings = shared();
  assert.throws(() => settings.get('thema'), /no setting thema/);
  assert.throws(() => settings.set({ thema: 'dark' }), /no setting thema/);
  assert.throws(() => settings.set({ theme: 'pink' }), /"pink" is not a value of the setting theme/);
});

test('settings of a screen that is not open yet are kept for it', () => {
  const settings = new Settings();
  settings.define('', SHARED);
  settings.accept({ chosen: ['a', 'b'], 'compare.view': 'table', 'compare.hidden': ['z', 'b'] });
  settings.define('compare', COMPARE);
  assert.equal(settings.get('compare.view'), 'table');
  assert.deepEqual(settings.get('compare.hidden'), ['b']);
  settings.define('compare', COMPARE);
  assert.equal(settings.get('compare.view'), 'table', 'a second declaration changes nothing');
});

test('what is remembered brings everything back', () => {
  const settings = shared();
  settings.set({ chosen: ['a', 'b'], active: 'b', 'compare.hidden': ['a'], textSize: 'large', singleKeys: false });
  const again = shared();
  const values = of => Object.fromEntries(of.names.map(name => [name, of.get(name)]));
  again.accept(JSON.parse(JSON.stringify(values(settings))));
  assert.deepEqual(values(again), values(settings));
});

test('a reset leaves what it does not name', () => {
  const settings = shared();
  settings.set({ chosen: ['a', 'b'], 'compare.view': 'side', theme: 'dark' });
  settings.reset(settings.names.filter(name => name !== 'chosen'));
  assert.deepEqual(
    [settings.get('chosen'), settings.get('compare.view'), settings.get('theme')],
    [['a', 'b'], 'aligned', 'system'],
  );
});

test('a reset of all settings leaves what is work', () => {
  const settings = shared();
  const work = { chosen: ['a', 'b'], active: 'b', sets: { mine: ['a'] }, 'compare.texts': ['mine'] };
  settings.set({ ...work, theme: 'dark', 'compare.presenterSize': 2 });
  settings.resetAll();
  for (const [name, value] of Object.entries(work)) assert.deepEqual(settings.get(name), value, name);
  assert.deepEqual([settings.get('theme'), settings.get('compare.presenterSize')], ['system', 1]);
});

test('a listener that throws silences no other one, and its error is reported', t => {
  const reported = [];
  Object.assign(globalThis, { reportError: error => reported.push(error.message) });
  t.after(() => delete (/** @type {any} */ (globalThis).reportError));
  const settings = shared();
  const heard = [];
  settings.on(['theme'], () => {
    throw new Error('no colour');
  });
  settings.on(['theme'], () => heard.push(settings.get('theme')));
  settings.set({ theme: 'dark' });
  assert.deepEqual([heard, reported], [['dark'], ['no colour']]);
});

test('a session has what a link would say of the view, and nothing personal', () => {
  const settings = shared();
  settings.accept({ 'inspect.view': 'bytes', 'compare.texts': ['mine'], theme: 'dark' });
  const { view } = settings;
  assert.deepEqual([view.chosen, view['compare.view']], [[], 'aligned']);
  const personal = settings.names.filter(name => !(name in view));
  const named = [
    'panelWidth',
    'pictureWidth',
    'theme',
    'textSize',
    'singleKeys',
    'letters',
    'sets',
    'figureWidth',
    'figureText',
    'figureTitle',
  ];
  const ofPresenter = ['compare.texts', 'compare.presenterSize', 'compare.palette'];
  assert.deepEqual(personal.sort(), [...named, ...ofPresenter].sort());
  assert.ok(!('inspect.view' in view), 'a name that nobody declared');
});

test('opening a session leaves personal settings as they are', () => {
  const settings = shared();
  const mine = { theme: 'dark', textSize: 'large', singleKeys: false, panelWidth: 400, 'compare.texts': ['mine'] };
  settings.set(mine);
  settings.acceptView({
    theme: 'light',
    textSize: 'presenter',
    singleKeys: true,
    panelWidth: 300,
    'compare.texts': ['of a colleague'],
    'compare.view': 'table',
    showIds: 'maybe',
    chosen: ['gpt2'],
  });
  for (const [name, value] of Object.entries(mine)) assert.deepEqual(settings.get(name), value, name);
  assert.deepEqual(
    [settings.get('compare.view'), settings.get('chosen'), settings.get('showIds')],
    ['table', ['gpt2'], true],
  );
});

test('what a session says of a screen waits for it', () => {
  const settings = new Settings();
  settings.define('', SHARED);
  settings.accept({ 'compare.view': 'side', 'compare.texts': ['mine'] });
  settings.acceptView({ 'compare.view': 'table', 'compare.texts': ['of a colleague'] });
  settings.define('compare', COMPARE);
  assert.deepEqual([settings.get('compare.view'), settings.get('compare.texts')], ['table', ['mine']]);
});
