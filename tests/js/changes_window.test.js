import assert from 'node:assert/strict';
import test from 'node:test';
import { windowOf } from '../../lab_ui/js/screens/inspect/changes_window.js';

test('a short text is sent whole, and all of the answer counts', () => {
  const part = windowOf({ from: 2, to: 5 }, 'abcdefgh');
  assert.deepEqual([part.start, part.end, part.from, part.to], [0, 8, 0, 8]);
  assert.deepEqual(
    part.own([
      { span_utf16: [0, 0], text: '▁' },
      { span_utf16: [7, 8], text: '' },
    ]),
    [
      { from: 0, to: 0, text: '▁' },
      { from: 7, to: 8, text: '' },
    ],
  );
});

test('of a long text what is near the edges of the part does not count', () => {
  const text = 'x'.repeat(1_000_000);
  const part = windowOf({ from: 500_000.4, to: 501_000.7 }, text);
  assert.ok(part.start < part.from && part.from < 500_000 && part.to > 501_000 && part.to < part.end);
  assert.ok(part.end - part.start < 25_000);
  const near = { span_utf16: [0, 0], text: '▁' };
  const far = { span_utf16: [501_000 - part.start, 501_001 - part.start], text: 'X' };
  assert.deepEqual(part.own([near, far]), [{ from: 501_000, to: 501_001, text: 'X' }]);
});

test('no character is cut', () => {
  const text = '👩'.repeat(100_000);
  for (let shift = 0; shift < 4; shift++) {
    const { start, end } = windowOf({ from: 60_000 + shift, to: 61_001 + shift }, text);
    assert.ok(text.slice(start, end).isWellFormed());
  }
});
