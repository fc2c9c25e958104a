import assert from 'node:assert/strict';
import test from 'node:test';
import { textChanges } from '../../lab_ui/js/lib/text_changes.js';
import { COLOURS, colourOf, shadeOf } from '../../lab_ui/js/lib/token_colour.js';
import { tokensOf } from './helpers.js';

test('colours of tokens', () => {
  const tokens = tokensOf('abcdefghijklmnopqrst', [1, 3, 7, 11, 20]);
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('position', tokens)), ['k0', 'k1', 'k2', 'k3', 'k0']);
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('length', tokens)), ['l0', 'l1', 'l2', 'l2', 'l4']);
  assert.deepEqual([0, 1, 2].map(shadeOf('grey', tokens)), ['y0', 'y1', 'y0']);
  const again = tokensOf('xabcde', [1, 4, 6]), found = new Set();
  assert.equal(shadeOf('id', tokens)(2), shadeOf('id', again)(2), 'the id alone decides');
  for (let id = 0; id < 1000; id++) found.add(shadeOf('id', /** @type {any} */ ({ ids: [id] }))(0));
  assert.deepEqual([...found].sort(), ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7']);
  assert.equal(colourOf('k3'), 'var(--t3)');
  for (const { value } of COLOURS) assert.match(colourOf(shadeOf(value, tokens)(0)), /^var\(--(t|id|len|grey)\d\)$/);
});

test('what a stage changed', () => {
  assert.deepEqual(textChanges('same', 'same'), [{ kind: 'same', text: 'same' }]);
  assert.deepEqual(textChanges('Café', 'cafe'), [{ kind: 'gone', text: 'C' }, { kind: 'new', text: 'c' }, { kind: 'same', text: 'af' }, { kind: 'gone', text: 'é' }, { kind: 'new', text: 'e' }]);
  assert.deepEqual(textChanges('', '▁'), [{ kind: 'new', text: '▁' }]);
  assert.deepEqual(textChanges('', ''), []);
});

test('changes give both texts back', () => {
  const letters = ['a', 'b', '語', '👩', '\n'];
  let seed = 7;
  const random = n => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
  for (let round = 0; round < 200; round++) {
    const make = () => Array.from({ length: random(12) }, () => letters[random(letters.length)]).join(''), before = make(), after = make(), parts = textChanges(before, after);
    const read = kind => parts.filter(part => part.kind === 'same' || part.kind === kind).map(part => part.text).join('');
    assert.equal(read('gone'), before);
    assert.equal(read('new'), after);
  }
});
