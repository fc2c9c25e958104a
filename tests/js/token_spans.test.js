import assert from 'node:assert/strict';
import test from 'node:test';
import { tokensOf } from './helpers.js';

test('finds tokens by position', () => {
  const tokens = tokensOf('hello world', [5, 11]);
  assert.equal(tokens.at(0), 0);
  assert.equal(tokens.at(4), 0);
  assert.equal(tokens.at(5), 1);
  assert.equal(tokens.at(11), 1, 'behind the last character: the last token');
  assert.deepEqual(tokens.overlapping(4, 6), [0, 1]);
  assert.deepEqual(tokens.overlapping(5, 6), [1]);
});

test('tokens without a place are skipped and named', () => {
  const tokens = tokensOf('hello world', [5, 11], { before: 1, after: 2 });
  assert.deepEqual(tokens.leading, [0]);
  assert.deepEqual(tokens.trailing, [3, 4]);
  assert.equal(tokens.placedCount, 2);
  assert.equal(tokens.at(0), 1);
  assert.equal(tokens.at(11), 2);
});

test('no text, only added tokens', () => {
  const tokens = tokensOf('', [], { before: 2 });
  assert.deepEqual(tokens.leading, [0, 1]);
  assert.deepEqual(tokens.trailing, []);
  assert.equal(tokens.at(0), -1);
});

test('the anchor of a token that starts inside a character is a character before it', () => {
  const tokens = tokensOf('a語', [1, 2, 3, 4]);
  assert.deepEqual(tokens.anchor(3), { utf8: 1, utf16: 1 });
  assert.deepEqual(tokens.anchor(0), { utf8: 0, utf16: 0 });
});
