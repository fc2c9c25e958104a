import assert from 'node:assert/strict';
import test from 'node:test';
import { compressionFigure, countFigure, logTicks, lossFigure } from '../../lab_ui/js/screens/train/figures.js';
import { placeLabels } from '../../lab_ui/js/screens/train/label_places.js';
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

const BOX = { width: 400, height: 260 };
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
  { tokenizer: 'gpt2', title: 'gpt2', vocab_size: 50257, bytes_per_token: 4, unknown_rate: 0 },
  { tokenizer: 'bert', title: 'bert', vocab_size: 30522, bytes_per_token: null, unknown_rate: null },
];
const CURVE = /** @type {any} */ ({
  points: [
    { vocab_size: 256, bytes_per_token: 1, held_out_tokens: 1000 },
    { vocab_size: 1668, bytes_per_token: 2, held_out_tokens: 500 },
  ],
  counts: [
    { rank: 0, count: 900 },
    { rank: 1411, count: 158 },
  ],
  losses: [],
  references: REFERENCES,
});
const CHOSEN = [
  { id: 'bert', letter: 'A', name: 'BERT', note: '' },
  { id: 'gpt2', letter: 'B', name: '<b>GPT-2</b>', note: '' },
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
  const unigram = { ...TRAINING.options, algorithm: 'unigram' };
  const variant = value => Object.fromEntries(optionRows({ ...unigram, variant: value })).Variant;
  assert.deepEqual([variant('sentencepiece'), variant('words')], ['SentencePiece', undefined]);
  assert.equal(
    stageNames({ type: 'Sequence', pretokenizers: [{ type: 'Split' }, { type: 'ByteLevel' }] }),
    'Split, ByteLevel',
  );
});

test('words and characters are measured at the end, and much unknown text makes their mark hollow', () => {
  const options = { ...TRAINING.options, algorithm: 'wordlevel', unknown_token: '[UNK]' };
  const none = { points: [], counts: [], losses: [], references: [] };
  const running = { ...TRAINING, options, held_out: { ...TRAINING.held_out, bytes_per_token: null } };
  assert.match(/** @type {any} */ (compressionFigure(running, none, [], BOX)).reason, /when the training ends/);
  const points = [{ vocab_size: 1000, bytes_per_token: 5.15, held_out_tokens: 42 }];
  const ended = {
    ...running,
    state: /** @type {const} */ ('done'),
    held_out: { ...TRAINING.held_out, unknown_rate: 0.112 },
  };
  const chart = /** @type {any} */ (compressionFigure(ended, { ...CURVE, points }, [], BOX));
  const mark = chart.figure.data[1];
  assert.deepEqual([mark.x, mark.y, mark.marker.symbol], [[1000], [5.15], 'circle-open']);
  assert.match(mark.hovertext[0], /11\u202f% of its tokens are unknown/);
  assert.match(chart.subtitle, /hollow/);
  assert.match(
    compareWords(ended, CURVE, 'gpt2', id => id),
    / 11\u202f% of its own tokens are unknown, which makes it look better\.$/,
  );
});

test('WordPiece merges by score: its counts are points, without a limit at which it ends', () => {
  const options = { ...TRAINING.options, algorithm: 'wordpiece', score: 'likelihood' };
  const curve = {
    ...CURVE,
    counts: [
      { rank: 0, count: 3 },
      { rank: 1, count: 900 },
      { rank: 2, count: 2 },
    ],
  };
  const { figure } = /** @type {any} */ (countFigure({ ...TRAINING, options }, curve, BOX));
  assert.deepEqual(
    figure.data.map(({ mode }) => mode),
    ['markers'],
  );
  assert.deepEqual([figure.layout.annotations, figure.layout.shapes], [[], []]);
});

test('the value at the end of the losses has room above them', () => {
  const losses = [1, 2, 3].map(n => ({ iteration: n, loss: 7 + n, tokens: 9 }));
  for (const height of [120, 260, 600]) {
    const chart = lossFigure(TRAINING, { ...CURVE, losses }, { width: 400, height });
    const [least, most] = /** @type {any} */ (chart).figure.layout.yaxis.range;
    assert.ok(((most - 10) / (most - least)) * (height - 58) >= 23.9, String(height));
  }
});

test('compares with the active tokenizer on the held-out text', () => {
  const words = wanted => compareWords(TRAINING, CURVE, wanted, id => id.toUpperCase());
  assert.equal(words('bert'), words('gpt2')); // bert was not measured
  assert.equal(
    words('gpt2'),
    'On the held-out text it needs 100\u202f% more tokens than GPT2, with 3\u202f% of its vocabulary.',
  );
  assert.equal(compareWords(TRAINING, null, 'gpt2', String), '');
});

test('unknown text flatters a tokenizer: its mark is hollow and says why', () => {
  const [gpt2, bert] = REFERENCES;
  const flattered = { ...CURVE, references: [{ ...gpt2, unknown_rate: 0.12 }, bert] };
  assert.match(
    compareWords(TRAINING, flattered, 'gpt2', id => id),
    / 12\u202f% of the tokens of gpt2 are unknown, which makes it look better\.$/,
  );
  const markOf = curve => {
    const chart = /** @type {any} */ (compressionFigure(TRAINING, curve, CHOSEN, BOX));
    const [{ marker, hovertext }] = chart.figure.data.filter(trace => trace.marker?.symbol);
    return { symbol: marker.symbol, words: hovertext[0], subtitle: chart.subtitle };
  };
  const hollow = markOf(flattered);
  assert.match(hollow.symbol, /-open$/);
  assert.match(hollow.words, /12\u202f% of its tokens are unknown: compression looks better than it is/);
  assert.match(hollow.subtitle, /hollow: more than 5 % of its tokens are unknown/);
  const few = markOf({ ...CURVE, references: [{ ...gpt2, unknown_rate: 0.004 }, bert] });
  assert.doesNotMatch(few.symbol + few.subtitle, /open|hollow/);
  assert.match(few.words, /0\.40\u202f% of its tokens are unknown$/);
});

test('the chart of compression marks the tokenizers that were measured, and no name is markup', () => {
  const chart = /** @type {any} */ (compressionFigure(TRAINING, CURVE, CHOSEN, BOX));
  const marks = chart.figure.data.filter(trace => trace.marker?.symbol);
  assert.deepEqual(
    marks.map(({ x, y, name }) => [x, y, name]),
    [[[50257], [4], '&lt;b&gt;GPT-2&lt;/b&gt;']],
  );
  assert.equal(chart.table.rows.length, 3);
  assert.match(chart.csv, /^"tokenizer","vocabulary size","bytes per token"\r\n"This training",256,1\r\n/);
  assert.equal(chart.figure.layout.shapes.length, 1, 'the target');
  const ended = /** @type {any} */ (compressionFigure({ ...TRAINING, vocab_size: 8192 }, CURVE, [], BOX));
  assert.equal(ended.figure.layout.annotations.length, 2);
});

test('a chart without values has a reason', () => {
  const none = { points: [], counts: [], losses: [], references: [] };
  const unheld = { ...TRAINING, held_out: null, body: { held_out: null } };
  for (const found of [
    compressionFigure(TRAINING, none, [], BOX),
    compressionFigure(unheld, none, [], BOX),
    countFigure(TRAINING, none, BOX),
    lossFigure(TRAINING, none, BOX),
  ])
    assert.match(/** @type {any} */ (found).reason, /\.$/);
});

test('counts have the limit at which training ends, if it is near', () => {
  const low = { ...CURVE, counts: [...CURVE.counts, { rank: 5000, count: 3 }] };
  const shapes = curve => /** @type {any} */ (countFigure(TRAINING, curve, BOX)).figure.layout.shapes.length;
  assert.deepEqual([shapes(low), shapes({ ...CURVE, counts: [{ rank: 0, count: 90_000 }] })], [1, 0]);
});

test('a logarithmic axis has few ticks, all within its range', () => {
  assert.deepEqual(logTicks([2.3, 5.1]), [1000, 10_000, 100_000]);
  assert.deepEqual(logTicks([3.8, 4.8]), [10_000, 20_000, 50_000]);
});

test('labels keep clear of each other and of marks, and shrink where there is no room', () => {
  const area = { left: 0, right: 300, top: 0, bottom: 200 };
  const at = (x, y, name) => ({ x, y, name, short: 'X' });
  const far = placeLabels([at(50, 50, 'one'), at(200, 150, 'two')], area, []);
  assert.deepEqual(
    far.map(({ text, anchor }) => [text, anchor]),
    [
      ['one', 'left'],
      ['two', 'left'],
    ],
  );
  const [edge] = placeLabels([at(292, 100, 'cl100k_base')], area, []);
  assert.equal(edge.anchor, 'right');
  const crowd = placeLabels(
    Array.from({ length: 8 }, (_, n) => at(150 + 6 * n, 100, 'a very long name of a tokenizer')),
    area,
    [],
  );
  assert.ok(crowd.some(({ text }) => text === 'X'));
});
