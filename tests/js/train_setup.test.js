import assert from 'node:assert/strict';
import test from 'node:test';
import { FILES, SETTINGS, TEXT } from '../../lab_ui/js/screens/train/settings.js';
import { DETAILS, detailProblem, numberOf } from '../../lab_ui/js/screens/train/train_details.js';
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
  const known = { id: 'topics', title: 'Python topics', bytes: 1, builtin: true };
  const offered = { ...OFFERED, corpora: [known, { ...known, id: 'own', builtin: false, text_bytes: 2_000_000 }] };
  assert.deepEqual(
    sourceChoices(offered).map(({ label }) => label),
    ['Python documentation, 500\u202fkB', 'Python topics, 2.0\u202fMB', 'Files and folders…', 'Text…'],
    'a text is offered once, and its size is that of the text',
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
});

/** Names of the details of a preset. @param {Object<string, any>} options @param {Object<string, any>} [own] */
const namesOf = (options, own = {}) =>
  detailsOf(/** @type {any} */ ({ options }), { ...FIRST, details: own }).map(({ name }) => name);

test('an algorithm has the options that the engine accepts for it', () => {
  const common = ['min_frequency', 'special_tokens', 'normalizer'];
  const alphabet = ['limit_alphabet', 'character_coverage'];
  assert.deepEqual(namesOf(BPE), [
    ...common,
    'max_token_length',
    'whole_characters',
    'superwords_from',
    'superword_words',
    'superword_digits',
    'superword_marks',
  ]);
  assert.deepEqual(namesOf({ algorithm: 'bpe', alphabet: 'characters' }), [
    ...common,
    'max_token_length',
    ...alphabet,
    'byte_fallback',
  ]);
  assert.deepEqual(namesOf({ algorithm: 'wordpiece' }), ['score', ...common, 'max_token_length', ...alphabet]);
  assert.deepEqual(namesOf({ algorithm: 'unigram' }), [
    'variant',
    ...common,
    'max_token_length',
    ...alphabet,
    'byte_fallback',
    'shrinking_factor',
    'em_iterations',
  ]);
  assert.deepEqual(namesOf({ algorithm: 'wordlevel' }), common);
  assert.deepEqual(namesOf({ algorithm: 'character', alphabet: 'characters' }), [...common, ...alphabet]);
  assert.deepEqual(namesOf({ algorithm: 'character' }), common);
});

test('variant and score are options of one algorithm each', () => {
  const options = { algorithm: 'unigram', vocab_size: 8000, variant: 'words' };
  const unigram = { name: 't5', title: 'T5', words: '', options };
  const offered = { ...OFFERED, presets: [...OFFERED.presets, unigram] };
  const details = { variant: 'sentencepiece', score: 'frequency' };
  const ownOf = preset => bodyOf(offered, { ...FIRST, preset, details }, '').options;
  assert.deepEqual(ownOf('t5'), { variant: 'sentencepiece' });
  assert.deepEqual(ownOf('bert'), { score: 'frequency' });
  assert.deepEqual(ownOf('gpt2'), {});
});

test('every value that the engine accepts is sent, and every other one is refused at its field', () => {
  const problem = (name, typed) => {
    const detail = DETAILS.find(each => each.name === name);
    return detailProblem(/** @type {any} */ (detail), numberOf(typed));
  };
  for (const [name, ...accepted] of [
    ['shrinking_factor', '0.77', '0.001', '.5', '0.999', '7e-1'],
    ['character_coverage', '0.99995', '0.8', '1', '0.0001', ' 0.9 '],
    ['min_frequency', '0', '7', '1000000'],
    ['max_token_length', '1', '300'],
    ['limit_alphabet', '0', '5000'],
    ['em_iterations', '1', '100'],
  ])
    for (const typed of accepted) assert.equal(problem(name, typed), '', `${name} ${typed}`);
  assert.equal(
    problem('shrinking_factor', '1'),
    'Shrinking factor cannot be 1. Write a number above 0 and at most 0.999.',
  );
  assert.equal(problem('character_coverage', '0,9'), '“0,9” is not a number. Write a number above 0 and at most 1.');
  assert.equal(problem('min_frequency', '-1'), 'Minimum count cannot be -1. Write a whole number, 0 or more.');
  assert.match(problem('min_frequency', '1e20'), /^Minimum count cannot be 1\d+\. Write at most /);
  assert.equal(problem('em_iterations', '2.5'), 'EM iterations cannot be 2.5. Write a whole number from 1 to 100.');
  assert.match(problem('max_token_length', '0x10'), /is not a number/);
  const details = { special_tokens: ['<s>', '<s>'], min_frequency: 'x', shrinking_factor: 5 };
  assert.deepEqual(Object.keys(problemsOf(OFFERED, { ...FIRST, details }, '').fields ?? {}), [
    'min_frequency',
    'special_tokens',
  ]);
});

test('options without a field are sent as they were, and the algorithm chooses the preset', () => {
  const details = { algorithm: 'wordpiece', continuing_prefix: '@', min_frequency: 3 };
  const { preset, options } = bodyOf(OFFERED, { ...FIRST, details }, '');
  assert.deepEqual([preset, options], ['bert', { continuing_prefix: '@', min_frequency: 3 }]);
  assert.ok(namesOf(BPE, { alphabet: 'characters' }).includes('byte_fallback'));
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
