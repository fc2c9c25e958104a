import assert from 'node:assert/strict';
import test from 'node:test';
import {
  differenceNotes,
  differenceWords,
  languagesOf,
  rowsOf,
  titleOf,
  valueWords,
} from '../../lab_ui/js/screens/corpus/comparison.js';

const change = (tokenizer, language, metric) => ({ tokenizer, language, metric });
const CHANGES = /** @type {any} */ ({
  same_text: true,
  added_tokenizers: [],
  removed_tokenizers: [],
  changed_tokenizers: [],
  compared: 30,
  metrics: [change('gpt2', null, 'tokens'), change('gpt2', 'de', 'tokens'), change('gpt2', 'de', 'premium')],
});

test('a value that was not measured is not a zero, and has no difference', () => {
  assert.deepEqual([null, 0, 12345, 0.104166].map(valueWords), ['not measured', '0', '12\u202f345', '0.10417']);
  assert.deepEqual([null, 12, -0.5].map(differenceWords), ['–', '+12', '−0.5']);
});

test('a number is called as its metric, and the part of it', () => {
  const metrics = /** @type {any} */ ([
    { name: 'lengths', title: 'Lengths' },
    { name: 'lengths.mean', title: 'Mean' },
  ]);
  const names = ['lengths.mean', 'lengths.share_above.512', 'other'];
  assert.deepEqual(
    names.map(name => titleOf(name, metrics)),
    ['Mean', 'Lengths, share above 512', 'other'],
  );
});

test('numbers are chosen by tokenizer and language', () => {
  assert.deepEqual([languagesOf(CHANGES, 'gpt2'), languagesOf(CHANGES, 'bert')], [['de'], []]);
  assert.equal(rowsOf(CHANGES, 'gpt2', null).length, 1);
  assert.equal(rowsOf(CHANGES, 'gpt2', 'de').length, 2);
});

test('the notes say how much differs, and whether the texts are the same', () => {
  const nameOf = id => id.toUpperCase();
  assert.deepEqual(differenceNotes(CHANGES, nameOf), ['3 of 30 numbers differ; those are listed.']);
  assert.deepEqual(differenceNotes({ ...CHANGES, metrics: [] }, nameOf), ['All 30 numbers are the same.']);
  const other = { ...CHANGES, same_text: false, compared: 0, metrics: [], added_tokenizers: ['gpt2'] };
  assert.deepEqual(differenceNotes(other, nameOf), [
    'The two analyses share no tokenizer.',
    'The files of the corpus are not the same, so the numbers are of different texts.',
    'Only in this run: GPT2.',
  ]);
});
