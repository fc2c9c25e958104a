import assert from 'node:assert/strict';
import test from 'node:test';
import { changeOf } from '../../lab_ui/js/screens/corpus/cleaning_change.js';

test('the changed part of a text is found between what stays', () => {
  const cases = [
    ['see www.a.org now', 'see <URL> now', { start: 'see ', removed: 'www.a.org', added: '<URL>', end: ' now' }],
    ['aa', 'a', { start: 'a', removed: 'a', added: '', end: '' }],
    ['same', 'same', { start: 'same', removed: '', added: '', end: '' }],
    ['', 'x', { start: '', removed: '', added: 'x', end: '' }],
    ['\u{1F98A}!', '\u{1F98B}!', { start: '', removed: '\u{1F98A}', added: '\u{1F98B}', end: '!' }],
  ];
  for (const [before, after, expected] of cases) {
    const found = changeOf(before, after);
    assert.deepEqual(found, expected);
    assert.deepEqual([found.start + found.removed + found.end, found.start + found.added + found.end], [before, after]);
  }
});
