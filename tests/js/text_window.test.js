import assert from 'node:assert/strict';
import test from 'node:test';
import { factRows, idsOf, share, stageWords, weighedSegmentations } from '../../lab_ui/js/text/boundary_facts.js';
import { asSentence, problemWords } from '../../lab_ui/js/util/format.js';
import { byteLength, boundariesOf, sameBoundaries, unitsAt, windowAround } from '../../lab_ui/js/text/text_window.js';

test('a text that fits is taken whole, a longer one by whole lines', () => {
  const text = 'first\nsecond\nthird\nfourth\nfifth\n';
  assert.deepEqual(windowAround(text, 8, 100), { from: 0, to: text.length, text, whole: true });
  const part = windowAround(text, text.indexOf('third') + 2, 20);
  assert.equal(part.whole, false);
  assert.equal(part.text, 'second\nthird\n');
  assert.equal(part.text, text.slice(part.from, part.to));
  assert.equal(windowAround(text, 0, 14).text, 'first\nsecond\n', 'from the start of the text');
  assert.equal(windowAround(text, text.length, 14).text, 'fourth\nfifth\n', 'to the end of it');
});

test('a line that is too long is split between whole characters', () => {
  const text = '👩'.repeat(50);
  for (const most of [10, 11]) {
    const part = windowAround(text, 50, most);
    assert.ok(part.from <= 50 && part.to > 50 && part.text.length <= most);
    assert.equal(part.text, '👩'.repeat(part.text.length / 2));
  }
});

test('bytes and UTF-16', () => {
  const text = 'aé語👩b';
  assert.equal(byteLength(text), 11);
  assert.deepEqual(
    [0, 1, 3, 6, 10, 11].map(byte => unitsAt(text, byte)),
    [0, 1, 2, 3, 5, 6],
  );
});

test('boundaries are where a token ends and none goes on', () => {
  assert.deepEqual(
    boundariesOf(
      [
        [0, 2],
        [2, 3],
        [4, 5],
      ],
      0,
      5,
    ),
    [2, 3, 4],
  );
  assert.deepEqual(
    boundariesOf(
      [
        [0, 3],
        [1, 3],
        [3, 6],
      ],
      0,
      6,
    ),
    [3],
    'two tokens of one character',
  );
  assert.deepEqual(
    boundariesOf(
      [
        [-4, 2],
        [2, 9],
      ],
      0,
      5,
    ),
    [2],
    'tokens that reach out of the part',
  );
});

test('a part has the boundaries of the whole', () => {
  const inside = { atStart: false, atEnd: false };
  assert.ok(sameBoundaries([1, 10, 12, 18], [2, 10, 12], 10, 20, inside), 'near the edges of the part it may differ');
  assert.ok(!sameBoundaries([10, 12], [10, 13], 10, 20, inside));
  assert.ok(
    !sameBoundaries([1, 10], [2, 10], 10, 20, { atStart: true, atEnd: false }),
    'the edge of the text is no edge of the part',
  );
});

test('facts of a missing and of a blocked merge', () => {
  const place = {
    at: 5,
    boundary: true,
    stage: 'model',
    rule: 'bpe',
    summary: 'no merge joins “a” and “b”',
    edit: null,
    details: { missing: [7, 8], blocked: [{ rank: 8461, pair: [77, 72], by: { rank: 268, pair: [68, 77], id: 268 } }] },
  };
  const rows = factRows(place);
  assert.deepEqual(
    rows.map(row => [row.name, row.tokens, row.text]),
    [
      ['missing merge', [7, 8], undefined],
      ['blocked merge', [77, 72], 'rank 8\u202f461'],
      ['came first', [68, 77], 'rank 268'],
    ],
  );
  assert.deepEqual(idsOf(place), [7, 8, 77, 72, 68]);
  assert.equal(stageWords(place), 'Model · BPE');
  const built = { boundary: false, rule: 'bpe', details: { merges: [{ rank: 3, score: -5, pair: [1, 2] }] } };
  assert.deepEqual(
    factRows(built),
    [{ name: 'merge', tokens: [1, 2], text: 'score −5' }],
    'a model that merges by score',
  );
  assert.equal(asSentence(place.summary), 'No merge joins “a” and “b”.');
  assert.equal(asSentence('gpt2 has no chat template'), 'gpt2 has no chat template.', 'a name stays as it is');
});

test('facts of the other models', () => {
  const unigram = {
    boundary: true,
    rule: 'unigram',
    details: {
      score: -3.5,
      segmentation_without: { tokens: [{ id: 4 }, { id: null }], score: -5 },
      runner_up: { tokens: [{ id: 5 }], score: -4 },
      worse_by: 1.5,
    },
  };
  assert.deepEqual(
    factRows(unigram).map(row => [row.name, row.tokens, row.text]),
    [
      ['best path', [], '−3.50'],
      ['without this boundary', [4], 'score −5.00, 1.50 less'],
      ['runner-up', [5], 'score −4.00'],
    ],
  );
  const wordPiece = {
    boundary: true,
    rule: 'word_piece',
    details: {
      before: { byte: 0, candidates: ['unable', 'unabl'], tried: 5, found: 3 },
      after: { byte: 2, candidates: ['##able'], tried: 1, found: null },
    },
  };
  assert.deepEqual(
    factRows(wordPiece).map(row => [row.name, row.tokens, row.texts]),
    [
      ['before it', [3], ['unable', 'unabl']],
      ['after it', [], ['##able']],
    ],
  );
  assert.deepEqual(factRows({ boundary: true, rule: null, details: null }), []);
  assert.equal(stageWords({ stage: 'pretokenizer', rule: 'GPT-2 pattern' }), 'Pretokenizer · GPT-2 pattern');
  assert.equal(stageWords({ stage: 'edge', rule: null }), 'Edge of the text');
});

test('what went wrong, in one line', () => {
  assert.equal(
    problemWords({ message: 'its files are not here', hint: 'download it in the Library' }),
    'Its files are not here. Download it in the Library.',
  );
  assert.equal(problemWords({ message: 'It broke.', hint: '' }), 'It broke.');
  assert.equal(problemWords({ message: 'no text', hint: 'no text' }), 'No text.');
});

test('the segmentations of a Unigram model', () => {
  const way = (probability, ...ids) => ({
    tokens: ids.map(id => ({ id, span: [0, 1] })),
    score: Math.log(probability),
    probability,
  });
  const segment = {
    text: '▁abc',
    span: [0, 3],
    segmentations: [way(0.75, 4, 5), way(0.25, 6)],
    boundaries: [
      { byte: 1, character: 2, probability: 0.75 },
      { byte: 2, character: 3, probability: 0 },
    ],
  };
  const place = {
    at: 1,
    boundary: true,
    rule: 'unigram',
    details: {
      score: -3,
      worse_by: 1,
      segmentation_without: {
        tokens: [
          { id: 9, span: [0, 2] },
          { id: 8, span: [3, 4] },
        ],
        score: -4,
      },
      runner_up: { tokens: [{ id: 6 }], score: -4 },
      probability: 0.75,
      segment,
    },
  };
  assert.deepEqual(
    factRows(place).map(row => [row.name, row.text]),
    [
      ['best path', '−3.00'],
      ['without this boundary', 'score −4.00, 1.00 less'],
      ['boundary here', 'probability 75.0\u202f%'],
    ],
    'the runner-up is among the segmentations',
  );
  assert.deepEqual(factRows(place)[1].tokens, [9], 'of the stretch alone');
  assert.deepEqual(weighedSegmentations(place), {
    segmentations: [
      { share: '75.0\u202f%', tokens: [4, 5], score: '−0.29' },
      { share: '25.0\u202f%', tokens: [6], score: '−1.39' },
    ],
    parts: [
      { text: '▁a', probability: null, here: false },
      { text: 'b', probability: 0.75, here: true },
      { text: 'c', probability: 0, here: false },
    ],
    partOf: null,
  });
  assert.equal(
    weighedSegmentations({
      ...place,
      details: { ...place.details, segment: { ...segment, excerpt_of: { span: [0, 9000], characters: 9001 } } },
    }).partOf,
    9001,
  );
  const far = {
    ...place,
    details: { ...place.details, segment: null, runner_up: { tokens: [{ id: 6 }], score: -4, left_out: 7 } },
  };
  assert.deepEqual(
    factRows(far).find(row => row.name === 'runner-up'),
    { name: 'runner-up', tokens: [6], text: 'score −4.00, 7 more tokens' },
  );
  assert.deepEqual(idsOf(place), [9, 4, 5, 6]);
  assert.equal(weighedSegmentations({ ...place, details: { ...place.details, segment: null } }), null);
  assert.deepEqual([0, 1e-9, 0.5, 0.99999, 1].map(share), [
    '0\u202f%',
    '< 0.1\u202f%',
    '50.0\u202f%',
    '> 99.9\u202f%',
    '100\u202f%',
  ]);
});
