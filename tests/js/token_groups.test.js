import assert from 'node:assert/strict';
import test from 'node:test';
import { groupsOf } from '../../lab_ui/js/text/token_groups.js';

const shown = (text, spans) =>
  groupsOf(
    spans.map(span => ({ span_utf16: span })),
    text,
  ).map(({ first, end, from, to }) => [text.slice(from, to), end - first]);

test('a family, a flag and a letter with its accent are never drawn in parts', () => {
  const family = '👩\u200d🔬';
  const flag = '🇯🇵';
  assert.deepEqual(
    shown(`a${family}b`, [
      [0, 1],
      [1, 3],
      [3, 4],
      [4, 6],
      [6, 7],
    ]),
    [
      ['a', 1],
      [family, 3],
      ['b', 1],
    ],
  );
  assert.deepEqual(
    shown(`${flag} x`, [
      [0, 2],
      [2, 4],
      [5, 6],
    ]),
    [
      [flag, 2],
      ['x', 1],
    ],
  );
  assert.deepEqual(
    shown('e\u0301f', [
      [0, 1],
      [1, 3],
    ]),
    [['e\u0301f', 2]],
  );
});

test('bytes of one character are one group', () =>
  assert.deepEqual(
    shown('日本', [
      [0, 1],
      [0, 1],
      [0, 2],
      [1, 2],
    ]),
    [['日本', 4]],
  ));

test('tokens without text stand alone', () => {
  assert.deepEqual(
    shown('ab', [
      [0, 0],
      [0, 2],
      [2, 2],
    ]),
    [
      ['', 1],
      ['ab', 1],
      ['', 1],
    ],
  );
  assert.deepEqual(groupsOf([{ span_utf16: null }, { span_utf16: null }], 'ab').length, 2);
});
