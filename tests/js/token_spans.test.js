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

test('colours by turns go on from a part of the text', () => {
  const text = 'abcdefghij';
  const all = tokensOf(text, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { before: 1 });
  const none = {
    ids: new Uint32Array(0),
    start_utf8: new Uint32Array(0),
    end_utf8: new Uint32Array(0),
    start_utf16: new Uint32Array(0),
    end_utf16: new Uint32Array(0),
    flags: new Uint8Array(0),
  };
  for (const from of [0, 1, 2, 3, 6]) {
    const whole = tokensOf(text, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { before: 1 });
    const part = tokensOf(text, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    part.splice({ first: 0, removed: from }, none, '', { shift8: 0, shift16: 0 });
    whole.continueFrom(part);
    for (let i = 0; i < part.length; i++)
      for (const of of [2, 4]) assert.equal(whole.turn(1 + from + i, of), part.turn(i, of));
    const later = tokensOf(text, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    later.splice({ first: 0, removed: 5 }, none, '', { shift8: 0, shift16: 0 });
    later.continueFrom(whole);
    for (let i = 0; i < 5; i++) assert.equal(later.turn(i, 4), whole.turn(i + 6, 4), 'a part that goes on');
    assert.equal(all.turn(5, 4), 1, 'a text that came at once begins with the first');
  }
});
