import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { paramsOf, stateOf } from '../../lab_ui/js/screens/benchmark/benchmark_state.js';
import {
  exactnessWords,
  keyName,
  leftOut,
  linesOf,
  progressWords,
  runWords,
} from '../../lab_ui/js/screens/benchmark/benchmark_words.js';
import {
  OPEN_TEXT,
  OWN_CHOICE,
  SETTINGS,
  chosenSubjects,
  optionsOf,
} from '../../lab_ui/js/screens/benchmark/settings.js';
import { readFileSync } from 'node:fs';

const { entrantBadge } = await import('../../lab_ui/js/screens/benchmark/entrant_badge.js');

const RUN = JSON.parse(readFileSync(new URL('../golden/benchmark_result.json', import.meta.url), 'utf8'));
const PRESET = {
  name: 'reference',
  title: 'Ours against the reference',
  description: '',
  subjects: [
    { tokenizer: 'gpt2', engine: 'tiktoken' },
    { tokenizer: 'gpt2', engine: 'tokenlab' },
  ],
  baseline: 'gpt2/tiktoken',
};

/** Settings with their defaults and some values. */
const settings = values => ({
  get: name => values[name] ?? (name === 'chosen' ? [] : SETTINGS[name.slice('benchmark.'.length)].default),
});

test('the address says what is shown, and nothing that is usual', () => {
  const usual = stateOf(new URLSearchParams());
  assert.equal(paramsOf(usual).toString(), '');
  const state = { run: 12, before: 10, view: 'race', columns: 'latency', race: 'training', row: 'gpt2/tiktoken' };
  assert.deepEqual(stateOf(paramsOf(/** @type {any} */ (state))), state);
  assert.deepEqual(stateOf(new URLSearchParams('run=x&tab=none&columns=none&race=none')), usual);
});

test('rows are by rank, then inexact ones, then those without figures', () => {
  assert.deepEqual(
    linesOf(RUN).map(({ row, number, name }) => [row.rank, row.state, number, name]),
    [
      [1, 'ok', 2, 'Tokenlab'],
      [2, 'ok', 1, 'tiktoken'],
      [3, 'ok', 4, 'tokenizers'],
      [null, 'inexact', 3, 'alpha'],
      [null, 'failed', 6, 'beta'],
      [null, 'timed_out', 8, 'gamma'],
      [null, 'cancelled', 9, 'delta'],
    ],
  );
  assert.deepEqual(
    leftOut(RUN).map(({ engine }) => engine),
    ['tokie', 'sentencepiece'],
  );
  assert.equal(runWords(RUN), 'cl100k_base, warm, whole text, IDs only, 1 thread · 15 rounds');
  const part = { ...RUN, text: { ...RUN.text, bytes: 2_000_000, left_out_bytes: 1_800_000 } };
  assert.match(runWords(part), / · 15 rounds · only 2\.0\u202fMB of 3\.8\u202fMB$/);
  assert.equal(keyName('org/name/tokenlab'), 'Tokenlab, org/name');
});

test('a row has the letter of its tokenizer, and a number only where a tokenizer has several', () => {
  const row = (tokenizer, engine) => ({ ...RUN.rows[0], key: `${tokenizer}/${engine}`, tokenizer, engine, rank: null });
  const looks = (rows, letters) => linesOf({ ...RUN, rows }, letters).map(({ mark, letter }) => `${mark} ${letter}`);
  const tokenizers = [row('gpt2', 'tokenlab'), row('bert', 'tokenlab')];
  assert.deepEqual(looks(tokenizers, ['C', 'A']), ['C C', 'A A']);
  assert.deepEqual(looks(tokenizers, undefined), ['A A', 'B B']);
  const engines = [row('gpt2', 'tokenlab'), row('gpt2', 'tiktoken'), row('bert', 'tokenlab')];
  assert.deepEqual(looks(engines, ['C', 'A']), ['1 C', '2 C', '3 A']);
  const [line] = linesOf({ ...RUN, rows: engines }, ['C', 'A']);
  const badge = entrantBadge(line);
  assert.deepEqual(
    [badge.textContent, badge.dataset.shape, badge.style.getPropertyValue('--hue')],
    ['1', 'diamond', 'var(--c)'],
  );
});

test('ids are exact, the reference, different, or not checked', () => {
  const words = engine => exactnessWords(RUN.rows.find(row => row.engine === engine)).words;
  assert.deepEqual(['tokenlab', 'tiktoken', 'alpha', 'gamma'].map(words), [
    'Exact',
    'Reference',
    '3 of 487 differ',
    'Not checked',
  ]);
});

test('progress is a step and the time left', () => {
  assert.deepEqual(progressWords('round 7 of 25, about 14 s left'), { step: 'Round 7 of 25', left: 'about 14 s left' });
  assert.deepEqual(progressWords('measuring the noise'), { step: 'Measuring the noise', left: '' });
  assert.deepEqual(progressWords(''), { step: '', left: '' });
});

test('a preset gives its subjects, an own choice the tokenizers in use in each engine', () => {
  assert.deepEqual(chosenSubjects(settings({}), [PRESET]), {
    subjects: PRESET.subjects,
    baseline: 'gpt2/tiktoken',
    title: PRESET.title,
  });
  const own = settings({
    'benchmark.what': OWN_CHOICE,
    'benchmark.engines': ['tokenlab', 'tiktoken'],
    chosen: ['a', 'b'],
  });
  assert.deepEqual(
    chosenSubjects(own, [PRESET]).subjects.map(({ tokenizer, engine }) => `${tokenizer}/${engine}`),
    ['a/tokenlab', 'a/tiktoken', 'b/tokenlab', 'b/tiktoken'],
  );
  const options = optionsOf(settings({ 'benchmark.megabytes': 0.1, 'benchmark.temperature': 'cold' }), [PRESET], {
    kind: 'text',
    name: OPEN_TEXT,
    text: 'x',
  });
  assert.equal(options.max_bytes, 100_000);
  assert.equal(options.temperature, 'cold');
  assert.equal(options.baseline, 'gpt2/tiktoken');
});

test('ids that changed during the run are no difference from the reference, and not unchecked', () => {
  const exactness = { reference: 'tiktoken', documents: 9, differing: 0, first: null };
  for (const checked of [exactness, null]) {
    const row = /** @type {any} */ ({ state: 'inexact', engine: 'other', exactness: checked });
    assert.deepEqual(exactnessWords(row), { words: 'IDs differ between rounds', className: 'inexact' });
  }
});
