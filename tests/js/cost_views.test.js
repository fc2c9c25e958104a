/** Measurements of cost outlive the screen: what is shown is what the backend keeps. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { COST_KINDS, CostViews } = await import('../../lab_ui/js/screens/benchmark/cost_views.js');

const SHOWN = {
  names: ['GPT-2'],
  active: 'GPT-2',
  isBusy: false,
  problem: '',
  race: 'encoding',
  texts: [],
  openBytes: 0,
};
const figureOf = name => ({
  name,
  title: name,
  subtitle: '',
  summary: '',
  figure: { data: [], layout: {} },
  table: { head: [], rows: [] },
});

test('a kept measurement of each kind is shown in its view, with its time', () => {
  const views = new CostViews(/** @type {any} */ ({}));
  const { growth, inputs, race } = views.panels;
  document.body.replaceChildren(growth, inputs, race);
  const states = [
    { view: 'growth', race: 'encoding' },
    { view: 'inputs', race: 'encoding' },
    { view: 'race', race: 'encoding' },
    { view: 'race', race: 'training' },
  ];
  const kinds = states.map(state => views.kindOf(/** @type {any} */ (state)));
  assert.deepEqual(kinds, COST_KINDS);
  assert.equal(views.kindOf(/** @type {any} */ ({ view: 'results' })), undefined);
  kinds.forEach((kind, n) => {
    const state = /** @type {any} */ (states[n]);
    assert.deepEqual([views.hasFigures(state), views.isShown(kind, n + 1, ['A'])], [false, false]);
    const summary = { id: n + 1, created_at: '2026-11-23T14:05:00Z', kind, title: '', subjects: [] };
    views.take(kind, { summary, letters: ['A'], figures: [figureOf(kind)] });
    views.show(/** @type {any} */ ({ ...SHOWN, race: state.race }));
    assert.deepEqual([views.hasFigures(state), views.isShown(kind, n + 1, ['A'])], [true, true]);
    assert.equal(views.isShown(kind, n + 1, ['B']), false, 'other letters are drawn anew');
    const view = document.querySelector(`[data-chart=${kind}]`).closest('cost-view');
    assert.match(view.querySelector('.cost-subjects').textContent, /^Measured 23 Nov 2026/);
  });
});
