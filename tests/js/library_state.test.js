import assert from 'node:assert/strict';
import test from 'node:test';
import { ALL, paramsOf, pressed, sorted, stateOf } from '../../lab_ui/js/screens/library/library_state.js';

const entry = (id, name, size_bytes, available = true) => /** @type {any} */ ({ id, name, size_bytes, available });
const ENTRIES = [entry('c', 'Cc', 5), entry('a', 'aa', 30), entry('b', 'Bb', null), entry('d', 'Dd', 1, false)];
const ids = (state, chosen = []) => sorted(ENTRIES, { ...ALL, ...state }, chosen).map(({ id }) => id);

test('a state survives the address', () => {
  const states = [ALL, { q: 'a&b', by: 'family', isDescending: true, open: 'gpt2' }, { ...ALL, by: 'use' }];
  for (const state of states) assert.deepEqual(stateOf(paramsOf(/** @type {any} */ (state))), state);
  assert.equal(paramsOf(ALL).toString(), '');
  assert.deepEqual(stateOf(new URLSearchParams('sort=-beauty')), ALL);
});

test('an address may name the tokenizer to open as other screens do', () => {
  assert.equal(stateOf(new URLSearchParams('tokenizer=gpt2')).open, 'gpt2');
});

test('a column sorts, sorts the other way round, and gives the order of the catalog back', () => {
  const once = pressed(ALL, 'name');
  const twice = pressed(once, 'name');
  assert.deepEqual([once.by, once.isDescending, twice.isDescending], ['name', false, true]);
  assert.deepEqual(pressed(twice, 'name'), ALL);
  assert.deepEqual(pressed(twice, 'family'), { ...ALL, by: 'family' });
});

test('names sort without their capitals, numbers by size, and what is not known comes last', () => {
  assert.deepEqual(ids({}), ['c', 'a', 'b', 'd']);
  assert.deepEqual(ids({ by: 'name' }), ['a', 'b', 'c', 'd']);
  assert.deepEqual(ids({ by: 'name', isDescending: true }), ['d', 'c', 'b', 'a']);
  assert.deepEqual(ids({ by: 'size_bytes' }), ['c', 'a', 'b', 'd'], 'what is not here takes no room');
  assert.deepEqual(ids({ by: 'size_bytes', isDescending: true }), ['a', 'c', 'b', 'd']);
  assert.deepEqual(ids({ by: 'use' }, ['b', 'c']), ['b', 'c', 'a', 'd']);
});
