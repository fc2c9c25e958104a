import assert from 'node:assert/strict';
import test from 'node:test';
import { isHighSurrogate, isLowSurrogate, utf8Length } from '../../lab_ui/js/util/utf8.js';

const encoder = new TextEncoder();

test('UTF-8 lengths are those of an encoder', () => {
  for (const text of ['', 'a', 'é', '\u07ff', '\u0800', '日本', '👩‍🔬', '\uffff', 'a\0é語👍'])
    assert.equal(utf8Length(text), encoder.encode(text).length, text);
});

test('a pair that is split counts as much as the whole', () => {
  const text = 'x👍y';
  for (let at = 0; at <= text.length; at++)
    assert.equal(utf8Length(text.slice(0, at)) + utf8Length(text.slice(at)), encoder.encode(text).length);
});

test('halves of pairs', () => {
  assert.deepEqual([...'👍'.split('').map(unit => unit.charCodeAt(0)), NaN].map(isHighSurrogate), [true, false, false]);
  assert.deepEqual([...'👍'.split('').map(unit => unit.charCodeAt(0)), NaN].map(isLowSurrogate), [false, true, false]);
});
