import assert from 'node:assert/strict';
import test from 'node:test';
import { EVERYTHING } from '../../lab_ui/js/api/vocabulary_query.js';
import { exampleSearches, isSameSearch } from '../../lab_ui/js/screens/vocabulary/example_searches.js';
import { folding, kindNotes, ordered, paramsOf, stateOf } from '../../lab_ui/js/screens/vocabulary/vocabulary_state.js';

/** @returns {any} */
const facet = (name, count) => ({ name, count });

test('everything that is shown survives the address', () => {
  /** @type {any[]} */
  const states = [
    { query: EVERYTHING, tab: 'whole', token: null, size: null },
    { query: { ...EVERYTHING, q: 'a&b', kinds: ['digits'], order: 'id' }, tab: 'size', token: 0, size: 12000 },
    { query: { ...EVERYTHING, scripts: ['Han'] }, tab: 'entry', token: 995, size: null },
  ];
  for (const state of states) assert.deepEqual(stateOf(paramsOf(state)), state);
  assert.equal(paramsOf(states[0]).toString(), '');
});

test('a link to one id opens its entry', () => {
  const { token, tab } = stateOf(new URLSearchParams('mode=ids&q=995'));
  assert.deepEqual([token, tab], [995, 'entry']);
  assert.equal(stateOf(new URLSearchParams('mode=ids&q=1-9')).token, null);
  assert.deepEqual(stateOf(new URLSearchParams('tab=beauty&token=x&size=-1')), stateOf(new URLSearchParams()));
});

test('a column orders, orders the other way round, and gives the first order back', () => {
  const steps = order => {
    const once = ordered(EVERYTHING, order);
    const twice = ordered(once, order);
    return [once, twice, ordered(twice, order)].map(query => [query.order, query.descending]);
  };
  assert.deepEqual(steps('id'), [
    ['id', false],
    ['id', true],
    ['words', false],
  ]);
  assert.deepEqual(steps('length'), [
    ['length', true],
    ['length', false],
    ['words', false],
  ]);
});

test('unused tokens fold where they come last', () => {
  const page = { total: 100, facets: { kinds: [facet('mixed', 60), facet('unused', 40)] } };
  const rows = (changes, of = page) => folding({ ...EVERYTHING, ...changes }, of);
  assert.deepEqual(rows({}), { rows: 60, unused: 40 });
  assert.deepEqual(rows({ q: 'u' }), { rows: 60, unused: 40 }, 'of a search, those that it found');
  for (const changes of [{ order: 'id' }, { descending: true }, { kinds: ['unused'] }])
    assert.deepEqual(rows(changes), { rows: 100, unused: 0 });
  const only = { total: 40, facets: { kinds: [facet('unused', 40)] } };
  assert.deepEqual(rows({ q: 'unused' }, only), { rows: 40, unused: 0 }, 'what was looked for is shown');
});

test('the examples end with the largest script besides Latin', () => {
  const scripts = [facet('Latin', 900), facet('none', 500), facet('Greek', 3), facet('Han', 30), facet('Thai', 0)];
  const found = exampleSearches(scripts);
  assert.deepEqual(
    found.map(({ label }) => label),
    ['“token”', 'Digits', 'Longest tokens', 'Unreachable', 'Special', 'Han'],
  );
  assert.deepEqual(found.at(-1)?.query, { ...EVERYTHING, scripts: ['Han'] });
  assert.equal(exampleSearches([facet('Latin', 9), facet('Thai', 0)]).length, 5);
  assert.ok(found.every(({ query }) => !isSameSearch(query, EVERYTHING)));
  assert.ok(isSameSearch(found[0].query, { ...EVERYTHING, q: 'token', ignoreCase: false }));
  assert.ok(!isSameSearch(found[0].query, { ...EVERYTHING, q: 'token', mode: 'regex' }));
});

test('the status line counts each token once, as one kind', () => {
  const kinds = [facet('special', 4), facet('word', 29_524), facet('unused', 994)];
  assert.deepEqual(kindNotes(kinds), ['4 of them special', '994 unused']);
  assert.deepEqual(kindNotes([facet('word', 10)]), ['0 of them special']);
  assert.deepEqual(kindNotes(null), []);
});
