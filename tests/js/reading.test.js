/** How to read a text: the examples are of the text, and no sentence is said that does not hold. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  characterSentence,
  countsSentence,
  modelOf,
  sameSpans,
  splitCharacter,
  splitWords,
  unknownExample,
  unknownSentence,
  wordSentence,
} from '../../lab_ui/js/text/reading.js';
import { factWords } from '../../lab_ui/js/text/fact_words.js';
import { namesInWords } from '../../lab_ui/js/text/short_name.js';
import { TokenSpans, UNKNOWN } from '../../lab_ui/js/text/token_spans.js';
import { nextWith, unknownWordsOf } from '../../lab_ui/js/text/unknown_tokens.js';
import { tokensOf } from './helpers.js';

/** Tokens of ASCII text. @param {[number, number, number?, number?][]} list start, end, flags, id */
function spansOf(list) {
  const column = (n, Type = Uint32Array) => Type.from(list, one => one[n] ?? 0);
  const ids = Uint32Array.from(list, (one, n) => one[3] ?? n + 1);
  return new TokenSpans({
    ids,
    start_utf8: column(0),
    end_utf8: column(1),
    start_utf16: column(0),
    end_utf16: column(1),
    flags: column(2, Uint8Array),
  });
}

const textsOf = words => words.map(({ text }) => text);

test('words of several tokens are found, those of few tokens first', () => {
  const text = 'unbelievability of tokenization';
  const five = [
    [0, 2],
    [2, 4],
    [4, 8],
    [8, 11],
    [11, 15],
  ];
  const tokens = spansOf([...five, [15, 18], [18, 24], [24, 31]]);
  assert.deepEqual(textsOf(splitWords(tokens, text)), ['tokenization', 'unbelievability']);
});

const NO_WORDS = [
  ['a word of one token', 'tokens', [[0, 6]]],
  [
    'a short word',
    "isn't so",
    [
      [0, 2],
      [2, 3],
      [3, 5],
      [5, 8],
    ],
  ],
  [
    'a token that goes on after the word',
    'tokens, two',
    [
      [0, 3],
      [3, 7],
      [7, 11],
    ],
  ],
  [
    'a token that starts in the word before',
    'one tokens',
    [
      [0, 5],
      [5, 10],
    ],
  ],
  [
    'a word with digits',
    'tokens12',
    [
      [0, 3],
      [3, 8],
    ],
  ],
  [
    'an unknown part',
    'tokens',
    [
      [0, 3],
      [3, 6, UNKNOWN],
    ],
  ],
  [
    'a script without spaces between words',
    '東京都市',
    [
      [0, 2],
      [2, 4],
    ],
  ],
];
for (const [name, text, list] of NO_WORDS)
  test(`not an example: ${name}`, () => assert.deepEqual(splitWords(spansOf(list), text), []));

test('a character that is split is no word of whole characters', () => {
  assert.deepEqual(splitWords(tokensOf('सभीम', [4, 6, 12]), 'सभीम'), []);
});

test('the space before a word may be in its first token', () => {
  const [word] = splitWords(
    spansOf([
      [0, 2],
      [2, 8],
      [8, 15],
    ]),
    'so unaffordable'.slice(0, 15),
  );
  assert.equal(word.text, 'unaffordable');
  assert.deepEqual(word.tokens, [1, 2]);
});

const traceOf = (spans, model = 'bpe', ids = spans.map((_, n) => n + 1)) => ({
  pretokens: [
    {
      span: [spans[0][0], spans.at(-1)[1]],
      steps: { model },
      tokens: spans.map((span, n) => ({ id: ids[n], span })),
    },
  ],
});
const TWO = [
  [0, 5],
  [5, 12],
];

test('a model is named if the trace has the tokens of the text', () => {
  const tokens = spansOf(TWO);
  const [word] = splitWords(tokens, 'tokenization');
  assert.equal(modelOf(traceOf(TWO), tokens, word), 'bpe');
  assert.equal(modelOf(traceOf(TWO, 'bpe', [1, 9]), tokens, word), null, 'another id');
  assert.equal(
    modelOf(
      traceOf([
        [0, 4],
        [4, 12],
      ]),
      tokens,
      word,
    ),
    null,
    'another boundary',
  );
  const apart = { pretokens: TWO.map(span => traceOf([span]).pretokens[0]) };
  assert.equal(modelOf(apart, tokens, word), null, 'the pretokenizer made the boundary, not the model');
});

const word = { text: 'tokenization', from: 0, to: 12, tokens: [0, 1] };
const say = (model, spellings, fromBytes = true) => wordSentence(word, model, { name: 'M', spellings, fromBytes });

test('each model has its own reason', () => {
  assert.match(say('word_piece', ['token', '##ization']).text, /not in M’s vocabulary.*longest start.*## marks/);
  assert.match(say('bpe', ['token', 'ization']).text, /single bytes.*No merge joins “token” and “ization”.*two tokens/);
  assert.match(say('bpe', ['▁token', 'ization'], false).text, /single characters/);
  assert.match(say('bpe', [' token', 'ization']).text, /“·token”/);
  assert.match(say('unigram', ['▁token', 'ization']).text, /best sum.*these are two/);
});

test('nothing is said where it does not hold', () => {
  for (const model of ['word_level', 'words', 'characters', 'added']) assert.equal(say(model, ['a', 'b']), null, model);
  assert.equal(say('word_piece', ['token', 'ization']), null, 'two pretokens');
  assert.equal(say('bpe', ['token', null]), null, 'a token that cannot be written');
});

test('only a word in Latin letters is called rare', () => {
  assert.match(say('unigram', ['a', 'b']).title, /rare word/);
  const hindi = { ...word, text: 'मनुष्यों' };
  assert.doesNotMatch(wordSentence(hindi, 'unigram', { name: 'M', spellings: [], fromBytes: true }).title, /rare/);
});

test('an unknown character, and unknown text', () => {
  const one = unknownExample(
    spansOf([
      [0, 1],
      [1, 2, UNKNOWN],
    ]),
    'の寿',
  );
  assert.equal(one.text, '寿');
  assert.match(
    unknownSentence(one, 'BERT', '[UNK]').text,
    /^寿 is not in BERT’s vocabulary.*\[UNK\].*character is lost/,
  );
  const more = unknownExample(spansOf([[0, 6, UNKNOWN]]), ' 寿司x.y');
  assert.equal(more.text, '寿司x.y', 'without the space before it');
  assert.match(unknownSentence(more, 'T5', '<unk>').text, /cannot build “寿司x\.y”.*<unk>.*text is lost/);
  const long = { ...more, text: 'x'.repeat(3000) };
  assert.match(unknownSentence(long, 'T5', '<unk>').text, /cannot build “x{40}…” from/);
  assert.equal(unknownExample(spansOf([[0, 2]]), 'ab'), null);
});

test('a character in several tokens', () => {
  const split = splitCharacter(tokensOf('a東b', [1, 3, 4, 5]), 'a東b');
  assert.deepEqual(split, { text: '東', from: 1, to: 2, tokens: [1, 2] });
  assert.match(characterSentence(split, 'GPT-2').text, /^東 is three bytes in UTF-8\. GPT-2 has them in two tokens/);
  assert.equal(splitCharacter(tokensOf('ab', [1, 2]), 'ab'), null);
});

test('the counts of the others', () => {
  const other = (name, isSame) => ({ name, isSame, count: 3 });
  assert.deepEqual(countsSentence([other('GPT-2', false)], true), {
    title: 'GPT-2 tokenizes the same text differently.',
    text: 'Press GPT-2 at the top, or open Compare. Added tokens do not count.',
  });
  assert.match(countsSentence([other('GPT-2', true)], false).title, /^GPT-2 has the same boundaries/);
  assert.doesNotMatch(countsSentence([other('GPT-2', true)], false).text, /Added/);
  assert.match(
    countsSentence([other('A', true), other('B', true)], false).title,
    /^All tokenizers in use have the same/,
  );
  assert.match(countsSentence([other('A', true), other('B', false)], false).title, /differently/);
  assert.ok(
    sameSpans(
      spansOf(TWO),
      spansOf([
        [0, 5, 0, 9],
        [5, 12],
      ]),
    ),
    'ids do not matter',
  );
  assert.ok(
    !sameSpans(
      spansOf(TWO),
      spansOf([
        [0, 4],
        [4, 12],
      ]),
    ),
  );
  assert.ok(!sameSpans(spansOf(TWO), spansOf([[0, 12]])));
});

test('short names, as long as they stay different', () => {
  assert.deepEqual(namesInWords(['BERT base, uncased', 'GPT-2', 'cl100k_base (GPT-4)', 'google/gemma-2b']), [
    'BERT',
    'GPT-2',
    'cl100k_base',
    'gemma-2b',
  ]);
  const two = ['BERT base, uncased', 'BERT base, cased'];
  assert.deepEqual(namesInWords(two), two);
});

test('the next token of a kind, round the end', () => {
  const tokens = spansOf([
    [0, 1, UNKNOWN],
    [1, 2],
    [2, 3, UNKNOWN],
  ]);
  assert.deepEqual(
    [-1, 0, 1, 2].map(after => nextWith(tokens, UNKNOWN, after)),
    [0, 2, 2, 0],
  );
  assert.equal(nextWith(spansOf([[0, 1]]), UNKNOWN, 0), -1);
  const words = unknownWordsOf(
    spansOf([
      [0, 1, UNKNOWN, 100],
      [1, 2],
    ]),
    { special_tokens: [{ text: '[UNK]', id: 100 }] },
  );
  assert.deepEqual([words(0), words(1)], ['[UNK]', undefined]);
});

const RESULT = {
  text_bytes: 86,
  count: 26,
  text_token_count: 24,
  unknown_count: 1,
  unknown_rate: 1 / 24,
  split_character_count: 0,
  bytes_per_token: 86 / 24,
  characters_per_token: 68 / 24,
};
const plain = fact => fact && `${fact.number} ${fact.label}`.replaceAll('\u202f', ' ');

test('the figures over the text', () => {
  const facts = factWords(RESULT, 7);
  assert.deepEqual(Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, plain(fact)])), {
    tokens: '24 tokens',
    added: '+ 2 added',
    density: '2.83 characters per token',
    split: null,
    unknown: '1 unknown',
  });
  assert.match(facts.density.tip, /3\.58 bytes per token\. 3\.43 tokens per word/);
  assert.match(facts.unknown.tip.replaceAll('\u202f', ' '), /not in the vocabulary: 4\.2 % of all/);
  assert.match(factWords(RESULT, null).density.tip, /no space between words/);
  assert.doesNotMatch(factWords(RESULT, undefined).density.tip, /word/);
  assert.equal(
    factWords({ ...RESULT, text_bytes: 0 }, 0).added.number,
    '+ 2',
    'tokens are added around an empty text, too',
  );
  assert.equal(plain(factWords({ ...RESULT, split_character_count: 1 }, 7).split), '1 character split');
});
