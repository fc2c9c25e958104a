import assert from 'node:assert/strict';
import test from 'node:test';
import { textChanges } from '../../lab_ui/js/text/text_changes.js';
import { COLOURS, colourOf, legendOf, scriptWords, shadeOf } from '../../lab_ui/js/text/token_colour.js';
import { tokensOf } from './helpers.js';

test('colours of tokens', () => {
  const tokens = tokensOf('abcdefghijklmnopqrst', [1, 3, 7, 11, 20]);
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('position', tokens)), ['k0', 'k1', 'k2', 'k3', 'k0']);
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('length', tokens)), ['l0', 'l1', 'l2', 'l2 odd', 'l4']);
  assert.deepEqual([0, 1, 2].map(shadeOf('grey', tokens)), ['y0', 'y1', 'y0']);
  const again = tokensOf('xabcde', [1, 4, 6]);
  const found = new Set();
  assert.equal(shadeOf('id', tokens)(2), shadeOf('id', again)(2), 'the id alone decides');
  for (let id = 0; id < 1000; id++)
    found.add(shadeOf('id', /** @type {any} */ ({ ids: [id], turn: (i, of) => i % of }))(0));
  assert.deepEqual([...found].sort(), ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7']);
  assert.equal(colourOf('k3'), 'var(--t3)');
  const entries = [{ rank: 12 }, { rank: 4000 }, { rank: null, score: -8.5 }, { rank: null }, undefined];
  const texts = ['語', 'д', '12', 'ab', 'a,'];
  const sources = { entryOf: id => entries[tokens.ids.all().indexOf(id)], textOf: i => texts[i] };
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('rank', tokens, sources)), ['r0', 'r1 odd', 'r1', 'r5 odd', 'r5']);
  assert.deepEqual([0, 1, 2, 3, 4].map(shadeOf('script', tokens, sources)), ['s4', 's1', 's5', 's0 odd', 's0']);
  for (const { value } of COLOURS)
    assert.match(colourOf(shadeOf(value, tokens, sources)(0)), /^var\(--(t|id|len|rank|script|grey)\d\)$/);
});

test('the script of a token is that of its letters', () => {
  const words = {
    ' the': 'Latin',
    नम: 'Devanagari',
    ', ': 'punctuation and symbols',
    '👩': 'punctuation and symbols',
    '  \n': 'other',
    '': 'other',
    ' שלום': 'Hebrew',
    カタ: 'Katakana',
    日本の: 'Han, Hiragana',
    ไทย: 'Thai',
    й1: 'Cyrillic',
  };
  for (const [text, script] of Object.entries(words)) assert.equal(scriptWords(text), script, text);
  assert.equal(legendOf('position', 'rank'), null);
  assert.deepEqual(
    ['rank', 'score', 'none'].map(order => legendOf('rank', /** @type {any} */ (order)).title),
    ['Rank of the merge', 'Score', 'Rank'],
  );
  assert.equal(legendOf('script', 'rank').steps.length, 8);
});

test('what a stage changed', () => {
  assert.deepEqual(textChanges('same', 'same'), [{ kind: 'same', text: 'same' }]);
  assert.deepEqual(textChanges('Café', 'cafe'), [
    { kind: 'gone', text: 'C' },
    { kind: 'new', text: 'c' },
    { kind: 'same', text: 'af' },
    { kind: 'gone', text: 'é' },
    { kind: 'new', text: 'e' },
  ]);
  assert.deepEqual(textChanges('', '▁'), [{ kind: 'new', text: '▁' }]);
  assert.deepEqual(textChanges('', ''), []);
});

test('changes give both texts back', () => {
  const letters = ['a', 'b', '語', '👩', '\n'];
  let seed = 7;
  const random = n => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  for (let round = 0; round < 200; round++) {
    const make = () => Array.from({ length: random(12) }, () => letters[random(letters.length)]).join('');
    const before = make();
    const after = make();
    const parts = textChanges(before, after);
    const read = kind =>
      parts
        .filter(part => part.kind === 'same' || part.kind === kind)
        .map(part => part.text)
        .join('');
    assert.equal(read('gone'), before);
    assert.equal(read('new'), after);
  }
});
