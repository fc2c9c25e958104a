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
    views.take(kind, { summary, report: {}, letters: ['A'], figures: [figureOf(kind)] }, [summary]);
    views.show(/** @type {any} */ ({ ...SHOWN, race: state.race }));
    assert.deepEqual([views.hasFigures(state), views.isShown(kind, n + 1, ['A'])], [true, true]);
    assert.equal(views.isShown(kind, n + 1, ['B']), false, 'other letters are drawn anew');
    const view = document.querySelector(`[data-chart=${kind}]`).closest('cost-view');
    assert.match(view.querySelector('.cost-subjects').textContent, /^Measured 23 Nov 2026/);
  });
});

test('earlier measurements are listed, and shown when one is chosen', () => {
  /** @type {any[]} */
  const asked = [];
  const views = new CostViews(/** @type {any} */ ({ show: (kind, id) => asked.push([kind, id]) }));
  const { growth } = views.panels;
  document.body.replaceChildren(growth);
  const all = [3, 2].map(id => ({
    id,
    created_at: `2026-11-2${id}T14:05:00Z`,
    kind: 'growth',
    title: 'Growth',
    subjects: ['gpt2/tokenlab'],
  }));
  const kept = { summary: all[0], report: {}, letters: ['A'], figures: [figureOf('growth')] };
  const list = /** @type {HTMLSelectElement} */ (growth.querySelector('[data-role=kept-costs]'));
  views.take('growth', /** @type {any} */ (kept), /** @type {any} */ (all.slice(0, 1)));
  views.show(/** @type {any} */ (SHOWN));
  assert.equal(list.parentElement.hidden, true, 'one alone is no list');
  views.take('growth', /** @type {any} */ (kept), /** @type {any} */ (all));
  views.show(/** @type {any} */ (SHOWN));
  assert.deepEqual([list.parentElement.hidden, list.value, list.options.length], [false, '3', 2]);
  assert.match(list.options[1].textContent, /^22 Nov 2026.*: Growth, gpt2\/tokenlab$/);
  list.value = '2';
  list.dispatchEvent(new Event('change'));
  assert.deepEqual(asked, [['growth', 2]]);
});

test('a race opens its lesson with the text that raced, if that is kept and the tokenizer is here', () => {
  /** @type {any[]} */
  const opened = [];
  const views = new CostViews(
    /** @type {any} */ ({ watch: link => opened.push(link), isUsable: tokenizer => tokenizer === 'gpt2' }),
  );
  const { race } = views.panels;
  document.body.replaceChildren(race);
  const reports = [
    ['race', 'encoding', { race: { tokenizer: 'gpt2', beginning: 'abc' } }],
    ['race', 'encoding', { race: { tokenizer: 'gone', beginning: 'abc' } }],
    ['race', 'encoding', { race: { tokenizer: 'gpt2', beginning: '' } }],
    ['trainers', 'training', { trainers: { merges: 500, beginning: 'low low' } }],
  ];
  reports.forEach(([kind, shown, report], n) => {
    const summary = { id: n + 1, created_at: '2026-11-23T14:05:00Z', kind, title: '', subjects: [] };
    views.take(/** @type {any} */ (kind), /** @type {any} */ ({ summary, report, letters: [], figures: [] }), []);
    views.show(/** @type {any} */ ({ ...SHOWN, race: shown }));
    const view = [...race.querySelectorAll('cost-view')].find(each => !each.hidden);
    const button = /** @type {HTMLButtonElement} */ (view.querySelector('[data-role=watch-how]'));
    if (button.hidden) opened.push(null);
    else button.click();
  });
  assert.deepEqual(opened, [
    { lesson: 'encoders', tokenizer: 'gpt2', sample: 'abc', place: 'end', part: '1' },
    null,
    null,
    { lesson: 'bpe-train', tokenizer: 'gpt2', sample: 'low low', place: 'merge-500-', part: '1' },
  ]);
});
