import assert from 'node:assert/strict';
import test from 'node:test';
import { nextPlace, nextSplit, splitCharacters } from '../../lab_ui/js/lib/in_text.js';
import { tokensOf } from './helpers.js';

test('the places of a token go round', () => {
  const tokens = /** @type {any} */ ({ ids: [7, 3, 7, 4, 7], length: 5 });
  assert.deepEqual([0, 2, 4].map(i => nextPlace(tokens, i, 1)), [2, 4, 0]);
  assert.deepEqual([0, 2, 4].map(i => nextPlace(tokens, i, -1)), [4, 0, 2]);
  assert.equal(nextPlace(tokens, 1, 1), 1);
});

test('split characters, each once, and the way to them', () => {
  const text = 'a語b👩語', tokens = tokensOf(text, [1, 3, 4, 5, 7, 9, 11, 12]);
  assert.deepEqual(splitCharacters(tokens, text), { characters: ['語', '👩'], more: false });
  const first = nextSplit(tokens, text, '語', -1), second = nextSplit(tokens, text, '語', first);
  assert.ok(first >= 0 && second > first);
  assert.equal(nextSplit(tokens, text, '語', second), first, 'goes round');
  assert.equal(nextSplit(tokens, text, 'x', 0), -1);
  assert.deepEqual(splitCharacters(tokensOf('abc', [1, 3]), 'abc').characters, []);
});
