import assert from 'node:assert/strict';
import test from 'node:test';
import { noteOf, reasonOf, reasonsOf } from '../../lab_ui/js/screens/corpus/language_reasons.js';

const row = (premium, fertility, not_measured = {}) => /** @type {any} */ ({ premium, fertility, not_measured });

test('each missing figure has the number of a note, and notes of one kind are one', () => {
  const rows = [
    row(1, 2),
    row(null, 2, { premium: 'more than 10 % of the characters are unknown (11.1 %)' }),
    row(null, null, {
      premium: 'more than 10 % of the characters are unknown (40.0 %)',
      fertility: 'its words are not separated by spaces',
    }),
    row(1, null),
  ];
  const notes = reasonsOf(rows, ['premium', 'fertility']);
  assert.deepEqual(notes, [
    'more than 10 % of the characters are unknown',
    'its words are not separated by spaces',
    'not measured',
  ]);
  assert.deepEqual(
    [rows[1], rows[2]].map(each => noteOf(notes, reasonOf(each, 'premium'))),
    [1, 1],
  );
  assert.equal(noteOf(notes, reasonOf(rows[3], 'fertility')), 3);
});
