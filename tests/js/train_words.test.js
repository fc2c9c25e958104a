import assert from 'node:assert/strict';
import test from 'node:test';
import {
  compareWords,
  endWords,
  factsOf,
  leftWords,
  mainFact,
  optionRows,
  readWords,
  scoreWords,
  stageNames,
  stageWords,
} from '../../lab_ui/js/screens/train/train_words.js';

const TRAINING = /** @type {any} */ ({
  id: 1,
  state: 'running',
  done: 1412,
  total: 7936,
  unit: 'merges',
  vocab_size: 1668,
  options: { algorithm: 'bpe', vocab_size: 8192, min_frequency: 2, alphabet: 'bytes', special_tokens: [] },
  body: { held_out: { share: 0.05 } },
  held_out: { title: 'held.txt', bytes: 1000, tokens: 500, bytes_per_token: 2 },
  left_s: 1.3,
  elapsed_s: 3.7,
  ended: null,
  error: null,
});
const REFERENCES = [
  { tokenizer: 'gpt2', title: 'gpt2', vocab_size: 50257, bytes_per_token: 4, unknown_rate: 0, lossy: null },
  { tokenizer: 'bert', title: 'bert', vocab_size: 30522, bytes_per_token: null, unknown_rate: null, lossy: null },
];
test('time that is left is rounded', () => {
  const written = [0.4, 1.3, 59.7, 73, null, 3358, 3590, 7500].map(seconds =>
    leftWords(seconds).replaceAll('\u202f', ' '),
  );
  assert.deepEqual(written, ['< 1 s', '1 s', '1 min', '1 min 10 s', '–', '56 min', '1 h', '2 h 5 min']);
});

test('what was not measured is a dash, never 0', () => {
  const early = { ...TRAINING, done: null, total: null, unit: null, vocab_size: null, held_out: null, left_s: null };
  assert.deepEqual(mainFact(early), { figure: '–', words: 'merges' });
  assert.deepEqual(
    factsOf(early).map(({ figure }) => figure),
    ['–', '–', '–'],
  );
});

test('the share of unknown tokens is a dash until it is measured, and never rounded to 0', () => {
  const factAt = (rate, state = 'done') => {
    const held = { ...TRAINING.held_out, unknown_rate: rate };
    const options = { ...TRAINING.options, unknown_token: '[UNK]' };
    return factsOf({ ...TRAINING, state, options, held_out: held }).find(({ words }) => words.startsWith('unknown'));
  };
  assert.deepEqual(
    [factAt(null, 'running')?.figure, factAt(null, 'running')?.title],
    ['–', 'Measured when the training ends'],
  );
  assert.deepEqual([factAt(null)?.figure, factAt(null)?.title], ['–', 'Not measured']);
  assert.deepEqual(
    [0, 0.0001, 0.0123, 0.3].map(rate => factAt(rate)?.figure),
    ['0.0\u202f%', '< 0.1\u202f%', '1.2\u202f%', '30.0\u202f%'],
  );
  assert.match(factAt(0.3)?.title ?? '', /looks better than it is/);
  assert.equal(
    factsOf(TRAINING).some(({ words }) => words.startsWith('unknown')),
    false,
    'no unknown token',
  );
});

test('a training that ran to its end has no "of"; one that fell short keeps it', () => {
  assert.equal(mainFact(TRAINING).words, 'of 7\u202f936 merges');
  assert.equal(mainFact({ ...TRAINING, state: 'done', done: 7936 }).words, 'merges');
  assert.equal(mainFact({ ...TRAINING, state: 'done' }).words, 'of 7\u202f936 merges');
});

test('the end is said in words: fewer tokens, failure, an interruption', () => {
  assert.equal(endWords(TRAINING), null);
  assert.equal(endWords({ ...TRAINING, state: 'done', vocab_size: 8192 }), null);
  const short = endWords({ ...TRAINING, state: 'done', ended: 'No other pair occurs 2 times or more.' });
  assert.equal(short?.words, 'Fewer tokens than asked for: 1\u202f668 of 8\u202f192 tokens.');
  assert.equal(short?.hint, 'No other pair occurs 2 times or more.');
  const characters = { ...TRAINING.options, algorithm: 'character' };
  assert.equal(endWords({ ...TRAINING, state: 'done', options: characters }), null, 'a text has as many as it has');
  const warnings = ['9 of 12 tokens are single characters. Raise vocab_size.', 'Set `score` to "frequency".'];
  assert.deepEqual(endWords({ ...TRAINING, state: 'done', vocab_size: 8192, warnings }), {
    words: '9 of 12 tokens are single characters. Raise the vocabulary size.',
    hint: 'Set “Score of a pair” to "frequency".',
    look: 'warn',
  });
  const failed = endWords({
    ...TRAINING,
    state: 'failed',
    error: { code: 'x', message: 'the disk is full', hint: 'make room' },
  });
  assert.deepEqual([failed?.words, failed?.hint, failed?.look], ['The disk is full.', 'Make room.', 'bad']);
  const small = endWords({
    ...TRAINING,
    state: 'failed',
    error: {
      code: 'x',
      message: 'vocab_size is 270, but 3258 are needed',
      hint: 'raise `vocab_size`, or lower `limit_alphabet`',
    },
  });
  assert.equal(small?.words, 'The vocabulary size is 270, but 3258 are needed.');
  assert.equal(small?.hint, 'Raise the vocabulary size, or lower “Largest alphabet”.');
  for (const state of /** @type {const} */ (['interrupted', 'cancelled'])) {
    const hint = canResume => endWords({ ...TRAINING, state, can_resume: canResume })?.hint;
    assert.match(hint(true) ?? '', /last checkpoint/);
    assert.match(hint(false) ?? '', /cannot be resumed/);
  }
});

test('the lines of a stage', () => {
  const stage = { name: 'merge', title: 'Merge', share: 0.2, rate: '1 456 merges/s', elapsed_s: 3.3, left_s: 1.3 };
  const words = (state, isPaused = false) => stageWords(/** @type {any} */ ({ ...stage, state }), isPaused);
  assert.deepEqual(words('running'), { first: '1 456 merges/s', second: '3.30\u202fs so far, 1\u202fs left' });
  assert.deepEqual(words('running', true), { first: 'Paused', second: '3.30\u202fs so far' });
  assert.deepEqual(words('waiting'), { first: 'Waiting', second: '–' });
  const over = stageWords(/** @type {any} */ ({ ...stage, state: 'running' }), false, true);
  assert.deepEqual(over, { first: 'Not finished', second: '3.30\u202fs' });
});

test('what was not read as it is', () => {
  const words = (invalid, split) => readWords({ ...TRAINING.corpus, invalid_sequences: invalid, split_words: split });
  assert.deepEqual(
    [words(null, undefined), words(0, 0), words(2, 0), words(0, 1), words(1, 3)],
    [
      '',
      '',
      '2 invalid byte sequences in the text.',
      '1 word of more than 4\u202f096 bytes was split.',
      '1 invalid byte sequence in the text. 3 words of more than 4\u202f096 bytes were split.',
    ],
  );
});

test('small scores keep three digits', () => {
  assert.deepEqual([0.018_512, 0.000_571_2, 0.000_057_123, 0, null].map(scoreWords), [
    '0.0185',
    '0.000571',
    '5.71e−5',
    '0.00',
    '–',
  ]);
});

test('options as rows: those of the algorithm alone', () => {
  const rows = Object.fromEntries(optionRows(TRAINING.options));
  assert.deepEqual([rows.Alphabet, rows.Normalizer, rows['Special tokens']], ['256 bytes', 'none', 'none']);
  assert.equal('Shrinking factor' in rows, false);
  const superwords = { superwords_from: 7000, superword_words: 4, superword_digits: true, superword_marks: false };
  assert.equal(
    Object.fromEntries(optionRows({ ...TRAINING.options, ...superwords })).Superwords,
    'from 7\u202f000 tokens, of up to 4 words, with digits',
  );
  const unigram = { ...TRAINING.options, algorithm: 'unigram' };
  const variant = value => Object.fromEntries(optionRows({ ...unigram, variant: value })).Variant;
  assert.deepEqual([variant('sentencepiece'), variant('words')], ['SentencePiece', undefined]);
  assert.equal(
    stageNames({ type: 'Sequence', pretokenizers: [{ type: 'Split' }, { type: 'ByteLevel' }] }),
    'Split, ByteLevel',
  );
});

test('much unknown text of its own makes a tokenizer look better', () => {
  const ended = { ...TRAINING, state: 'done', held_out: { ...TRAINING.held_out, unknown_rate: 0.112 } };
  assert.match(
    compareWords(ended, REFERENCES, 'gpt2', id => id),
    / 11\u202f% of its own tokens are unknown, which makes it look better\.$/,
  );
});

test('compares with the active tokenizer on the held-out text', () => {
  const words = wanted => compareWords(TRAINING, REFERENCES, wanted, id => id.toUpperCase());
  assert.equal(words('bert'), words('gpt2')); // bert was not measured
  assert.equal(
    words('gpt2'),
    'On the held-out text it needs 100\u202f% more tokens than GPT2, with 3\u202f% of its vocabulary.',
  );
  assert.equal(compareWords(TRAINING, [], 'gpt2', String), '');
});

test('unknown text flatters another tokenizer', () => {
  const [gpt2, bert] = REFERENCES;
  assert.match(
    compareWords(TRAINING, [{ ...gpt2, unknown_rate: 0.12 }, bert], 'gpt2', id => id),
    / 12\u202f% of the tokens of gpt2 are unknown, which makes it look better\.$/,
  );
});
