import assert from 'node:assert/strict';
import test from 'node:test';
import { paramsOf, stateOf, usualMetric } from '../../lab_ui/js/screens/corpus/corpus_state.js';
import { readableFirst } from '../../lab_ui/js/screens/corpus/frequencies.js';
import { lettersOf } from '../../lab_ui/js/app/tokenizers/letters.js';

test('the address says corpus, analysis, tab and tokenizer, and leaves out what is usual', () => {
  const state = {
    corpus: 'a/b',
    analysis: 12,
    before: 3,
    view: 'frequencies',
    drawer: 'unseen',
    tokenizer: 'gpt2',
    search: 'the & of',
    metric: 'language_premium',
    asTable: true,
    id: 262,
    word: 'the & of',
  };
  assert.deepEqual(stateOf(new URLSearchParams(paramsOf(/** @type {any} */ (state)).toString())), state);
  assert.equal(paramsOf(stateOf(new URLSearchParams())).toString(), '');
});

test('languages open on the premium of a parallel corpus, on bytes per token of any other', () => {
  const { metric } = stateOf(new URLSearchParams('tab=languages'));
  assert.equal(metric, null, 'until one is chosen');
  assert.deepEqual(
    [true, false].map(is_parallel => usualMetric({ is_parallel })),
    ['language_premium', 'language_bytes'],
  );
});

test('an address that says nonsense shows what is usual', () => {
  const usual = stateOf(new URLSearchParams());
  assert.deepEqual(stateOf(new URLSearchParams('tab=none&side=none&analysis=1.5&before=-1&corpus=')), usual);
});

test('tokenizers keep the letters of the bar; others get free ones', () => {
  const letters = { gpt2: 'B', bert: 'A' };
  const catalog = { chosen: ['gpt2', 'bert'], letterOf: id => letters[id] ?? '?' };
  assert.deepEqual(lettersOf(['gpt2', 'bert'], catalog), ['B', 'A']);
  assert.deepEqual(lettersOf(['old', 'gpt2', 'older'], catalog), ['C', 'B', 'D'], 'A is in the bar');
});

test('the unknown token comes before more frequent ones, parts of characters are apart', () => {
  const [a, b, c, part] = [
    { unknown: false, text: 'a' },
    { unknown: true, text: null },
    { unknown: false, text: '' },
    { unknown: false, text: null },
  ];
  assert.deepEqual(readableFirst(/** @type {any} */ ([part, a, b, c])), { whole: [b, a, c], parts: [part] });
});
