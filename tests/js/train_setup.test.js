import assert from 'node:assert/strict';
import test from 'node:test';
import { FILES, SETTINGS, TEXT } from '../../lab_ui/js/screens/train/settings.js';
import {
  bodyOf,
  detailsOf,
  placeOf,
  presetsOf,
  problemsOf,
  sourceChoices,
  valuesOf,
} from '../../lab_ui/js/screens/train/train_setup.js';
import { paramsOf, stateOf } from '../../lab_ui/js/screens/train/train_state.js';

const BPE = { algorithm: 'bpe', vocab_size: 8192, alphabet: 'bytes', special_tokens: ['<|endoftext|>'] };
const OFFERED = /** @type {any} */ ({
  presets: [
    { name: 'gpt2', title: 'GPT-2', words: '', options: BPE },
    {
      name: 'bert',
      title: 'BERT',
      words: '',
      options: { algorithm: 'wordpiece', vocab_size: 30522, special_tokens: [] },
    },
    { name: 'words', title: 'Words', words: '', options: { algorithm: 'wordlevel', vocab_size: 1000 } },
    { name: 'characters', title: 'Characters', words: '', options: { algorithm: 'character', vocab_size: 1000 } },
  ],
  practice: [{ name: 'topics', title: 'Python documentation', bytes: 500_000 }],
  corpora: [{ id: 'udhr', title: 'Declaration', bytes: 1_000_000 }],
});
const FIRST = /** @type {any} */ (
  Object.fromEntries(Object.entries(SETTINGS).map(([name, each]) => [name, each.default]))
);

test('the first setup trains the first preset on the practice corpus', () => {
  assert.deepEqual(problemsOf(OFFERED, FIRST, ''), {});
  assert.deepEqual(bodyOf(OFFERED, FIRST, ''), {
    name: null,
    sources: [{ kind: 'practice', name: 'topics' }],
    held_out: { share: 0.05 },
    preset: 'gpt2',
    options: {},
    sample_bytes: null,
    threads: null,
    invalid: 'replace',
  });
});

test('sources: a corpus, several paths with a column, a text', () => {
  const sources = (values, text = '') => bodyOf(OFFERED, { ...FIRST, ...values }, text).sources;
  assert.deepEqual(sources({ source: 'corpus:udhr' }), [{ kind: 'corpus', name: 'udhr' }]);
  assert.deepEqual(sources({ source: FILES, paths: ' /a/*.txt \n\n/b', column: ' body ' }), [
    { kind: 'path', path: '/a/*.txt', column: 'body' },
    { kind: 'path', path: '/b', column: 'body' },
  ]);
  assert.deepEqual(sources({ source: TEXT }, 'ab'), [{ kind: 'text', text: 'ab', name: 'Text' }]);
  assert.deepEqual(sources({ source: 'corpus:gone' }), [{ kind: 'practice', name: 'topics' }]);
  assert.deepEqual(
    sourceChoices(OFFERED).map(({ value }) => value),
    ['practice:topics', 'corpus:udhr', FILES, TEXT],
  );
});

test('what is missing is said at its field', () => {
  const problems = (values, text = '') => problemsOf(OFFERED, { ...FIRST, ...values }, text);
  assert.deepEqual(Object.keys(problems({ source: FILES, paths: ' \n' })), ['source']);
  assert.deepEqual(Object.keys(problems({ source: TEXT }, '  ')), ['source']);
  assert.match(problems({ size: 200 }).size ?? '', /no room for the 256 bytes and 1 special token. Take 257 or more/);
  assert.deepEqual(problems({ size: 257 }), {});
  assert.deepEqual(Object.keys(problemsOf({ ...OFFERED, presets: [] }, FIRST, '')), ['size', 'start'].sort().reverse());
});

test('only details that the algorithm has are sent', () => {
  const details = { min_frequency: 5, shrinking_factor: 0.5 };
  assert.deepEqual(bodyOf(OFFERED, { ...FIRST, details, size: 500 }, '').options, {
    min_frequency: 5,
    vocab_size: 500,
  });
  assert.equal(
    detailsOf(OFFERED.presets[1]).some(({ name }) => name === 'byte_fallback'),
    false,
  );
});

test('the variant is an option of Unigram alone', () => {
  const unigram = {
    name: 't5',
    title: 'T5',
    words: '',
    options: { algorithm: 'unigram', vocab_size: 8000, variant: 'words' },
  };
  const offered = { ...OFFERED, presets: [...OFFERED.presets, unigram] };
  const [variant] = detailsOf(unigram);
  assert.deepEqual(
    [variant.name, variant.choices?.map(({ option }) => option)],
    ['variant', ['words', 'sentencepiece']],
  );
  const details = { variant: 'sentencepiece' };
  assert.deepEqual(bodyOf(offered, { ...FIRST, preset: 't5', details }, '').options, details);
  assert.deepEqual(bodyOf(offered, { ...FIRST, details }, '').options, {});
});

test('presets of a family; words and characters share one', () => {
  const names = family => presetsOf(OFFERED.presets, family).map(({ name }) => name);
  assert.deepEqual([names('bpe'), names('unigram'), names('more')], [['gpt2'], [], ['words', 'characters']]);
});

test('the setup of a training is read back from its request', () => {
  for (const [values, text] of [
    [{ source: 'corpus:udhr', heldOut: 0.1, preset: 'bert', size: 500, details: { min_frequency: 9 } }, ''],
    [{ source: FILES, paths: '/a\n/b', column: 'text', heldOut: 0, sample: 1e6, threads: 2, invalid: 'skip' }, ''],
    [{ source: TEXT }, 'a text'],
  ]) {
    const whole = { ...FIRST, preset: 'gpt2', .../** @type {any} */ (values) };
    const body = bodyOf(OFFERED, whole, String(text));
    const found = valuesOf(body);
    assert.equal(found.text, text || null);
    for (const name of Object.keys(found.values)) assert.deepEqual(found.values[name], whole[name], name);
    assert.deepEqual(bodyOf(OFFERED, { ...FIRST, ...found.values }, found.text ?? ''), body);
  }
});

test('an error of the backend is said where it belongs', () => {
  assert.equal(placeOf({ message: 'there is no file /a/b.txt' }), 'source');
  assert.equal(placeOf({ message: 'vocab_size cannot be 0' }), 'size');
  assert.equal(placeOf({ message: 'min_frequency cannot be -1' }), 'details');
  assert.equal(placeOf({ message: '/a/b is not text: byte 0 is zero', hint: 'add files of text' }), 'source');
  assert.equal(placeOf({ message: 'the lab is closing' }), 'start');
});

test('the address says training, tab and a new setup, and leaves out what is usual', () => {
  const state = /** @type {any} */ ({ training: 12, tab: 'log', isNew: true });
  assert.deepEqual(stateOf(new URLSearchParams(paramsOf(state).toString())), state);
  assert.equal(paramsOf(stateOf(new URLSearchParams())).toString(), '');
  assert.deepEqual(stateOf(new URLSearchParams('training=x&tab=none')), stateOf(new URLSearchParams()));
});
