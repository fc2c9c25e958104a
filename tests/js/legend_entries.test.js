/** The legend names the marks that occur, and no others. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { dotsNote, legendEntries } from '../../lab_ui/js/text/legend_entries.js';

const RESULT = { text_bytes: 12, count: 4, text_token_count: 4, unknown_count: 0, split_character_count: 0 };
const NONE = { dotted: 0, mixed: 0, dropped: 0 };
const marks = (result, drawn = {}, shown = {}) =>
  legendEntries(result, { ...NONE, ...drawn }, { name: 'BERT', showIds: true, changes: false, ...shown }).map(
    ({ mark }) => mark,
  );

const CASES = [
  ['plain text', RESULT, {}, {}, ['tokens', 'id']],
  ['one token', { ...RESULT, count: 1, text_token_count: 1 }, {}, {}, ['id']],
  ['without ids', RESULT, { dotted: 3 }, { showIds: false }, ['tokens']],
  ['unknown and added tokens', { ...RESULT, count: 6, unknown_count: 1 }, {}, {}, ['tokens', 'unknown', 'added', 'id']],
  ['split characters', { ...RESULT, split_character_count: 2 }, { mixed: 1 }, {}, ['tokens', 'shared', 'mixed', 'id']],
  ['what depends on the window', RESULT, { dotted: 1, dropped: 1 }, {}, ['tokens', 'dropped', 'id', 'dots']],
  ['normalizer changes', RESULT, {}, { changes: true }, ['tokens', 'id', 'changed', 'lost']],
  [
    'a plug-in that counts less',
    { ...RESULT, text_token_count: null, split_character_count: null },
    {},
    {},
    ['tokens', 'id'],
  ],
  ['an empty text with added tokens', { ...RESULT, text_bytes: 0, count: 2, text_token_count: 0 }, {}, {}, []],
  ['no answer', null, {}, {}, []],
];
for (const [name, result, drawn, shown, expected] of CASES)
  test(name, () => assert.deepEqual(marks(result, drawn, shown), expected));

test('who added the tokens', () => {
  const entries = legendEntries({ ...RESULT, count: 6 }, NONE, { name: 'BERT', showIds: false, changes: false });
  assert.deepEqual(entries.at(-1), { mark: 'added', label: 'Added by BERT' });
});

test('only the legend says that ids are hidden', () => {
  const shown = { name: 'BERT', showIds: true, changes: false };
  const [dots] = legendEntries(RESULT, { ...NONE, dotted: 2 }, shown).filter(({ mark }) => mark === 'dots');
  assert.match(dots.label, /hidden/);
  assert.doesNotMatch(dotsNote(2), /hidden/);
});

test('a note for more than one id without room', () => {
  assert.equal(dotsNote(1), '');
  assert.equal(dotsNote(47), 'No room for 47 IDs. Enlarge the text, or choose View options > Table.');
});
