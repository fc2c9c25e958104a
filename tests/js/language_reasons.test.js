import assert from 'node:assert/strict';
import test from 'node:test';
import { noteOf, notesOf } from '../../lab_ui/js/screens/corpus/language_reasons.js';

const row = (...reasons) => ({
  language: 'x',
  script: null,
  cells: Object.fromEntries(
    reasons.map((reason, n) => [`c${n}`, { value: reason ? null : 1, reason, isDoubtful: false }]),
  ),
});

test('each missing figure has the number of a note, and notes of one kind are one', () => {
  const notes = notesOf([
    row('', ''),
    row('more than 10 % of the characters are unknown (11.1 %)', ''),
    row('more than 10 % of the characters are unknown (40.0 %)', 'its words are not separated by spaces'),
    row('', 'not measured'),
  ]);
  assert.deepEqual(notes, [
    'more than 10 % of the characters are unknown',
    'its words are not separated by spaces',
    'not measured',
  ]);
  assert.equal(noteOf(notes, 'more than 10 % of the characters are unknown (40.0 %)'), 1);
  assert.equal(noteOf(notes, 'not measured'), 3);
});
