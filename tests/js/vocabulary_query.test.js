import assert from 'node:assert/strict';
import test from 'node:test';
import {
  EVERYTHING,
  isNarrow,
  kindWords,
  parametersOf,
  placeOf,
  queryOf,
  searchParameters,
  sizeAt,
  toggled,
} from '../../lab_ui/js/api/vocabulary_query.js';

test('a query survives the address', () => {
  const queries = [
    EVERYTHING,
    { ...EVERYTHING, q: '^ ?[A-Z]&=#%', mode: 'regex', ignoreCase: false },
    {
      ...EVERYTHING,
      kinds: ['digits', 'part'],
      scripts: ['Han'],
      verdicts: ['undecided'],
      length: 3,
      order: 'merged_into_count',
      descending: true,
    },
    { ...EVERYTHING, length: 32 },
  ];
  for (const query of queries) assert.deepEqual(queryOf(parametersOf(query)), query);
  assert.equal(parametersOf(EVERYTHING), '');
  assert.equal(parametersOf(queries[3]), 'shortest=32');
  assert.equal(searchParameters(EVERYTHING), 'order=words');
  assert.equal(searchParameters({ ...EVERYTHING, order: 'id' }), 'order=id');
});

test('what an address cannot mean is left out', () => {
  assert.deepEqual(queryOf('mode=wild&order=beauty&shortest=x&descending=maybe'), EVERYTHING);
});

test('whether anything is left out', () => {
  assert.equal(isNarrow({ ...EVERYTHING, order: 'length', ignoreCase: false }), false);
  assert.equal(isNarrow({ ...EVERYTHING, length: 0 }), true);
  assert.deepEqual(toggled(toggled(['a'], 'b'), 'a'), ['b']);
});

test('a slider reaches both ends and goes back', () => {
  const sizes = [257, 50257];
  assert.deepEqual([sizeAt(0, sizes), sizeAt(1, sizes)], sizes);
  for (const size of [300, 1000, 20000]) assert.ok(Math.abs(sizeAt(placeOf(size, sizes), sizes) - size) <= 1);
  assert.equal(placeOf(5, [5, 5]), 1);
});

test('kinds have words that fit the model', () => {
  assert.equal(kindWords('word_start', 'WordPiece'), 'starts a word');
  assert.equal(kindWords('word_start', 'byte-level BPE'), 'word after a space');
});
