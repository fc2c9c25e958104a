import assert from 'node:assert/strict';
import test from 'node:test';
import { withoutPractice } from '../../lab_ui/js/api/corpora.js';
import { analysedWords, corpusFacts, ratioWords } from '../../lab_ui/js/screens/corpus/corpus_words.js';

const CORPUS = {
  id: 'own',
  title: 'own.jsonl.gz',
  format: 'jsonl',
  files: 1,
  bytes: 1_800_000,
  text_bytes: 3_800_000,
  documents: 20,
  sha256: '',
  languages: ['de', 'fr'],
  is_parallel: false,
  text_column: 'body',
  language_column: 'lang',
  cleaning: [],
  builtin: false,
};

test('the facts of a corpus name its columns and the size of its text, not of its packed file', () => {
  assert.equal(corpusFacts(CORPUS), '3.8\u202fMB, 20 documents, text = body, language = lang, 2 languages');
  const plain = { ...CORPUS, text_column: null, language_column: null, languages: [], text_bytes: null };
  assert.equal(corpusFacts(plain), '1.8\u202fMB, 20 documents');
});

test('a text that comes with the lab is offered once, as practice text or as corpus', () => {
  const corpora = /** @type {any[]} */ ([
    { id: 'python', builtin: true },
    { id: 'udhr', builtin: true },
    { id: 'topics' },
  ]);
  const left = withoutPractice(corpora, [{ name: 'python' }, { name: 'topics' }]);
  assert.deepEqual(
    left.map(({ id }) => id),
    ['udhr', 'topics'],
    'one of the user with the same id is another text',
  );
});

test('a difference in tokens has its interval, and says where the documents do not show it', () => {
  const of = (ratio, low, high) => ({
    ratios: [{ tokenizer: 'b', against: 'a', ratio, interval: /** @type {[number, number]} */ ([low, high]) }],
    level: 0.95,
    resamples: 1000,
    groups: 300,
    seed: 0,
  });
  const words = (...values) => ratioWords(of(...values), { id: 'a', letter: 'A' }, { id: 'b' })?.words;
  assert.equal(words(0.9, 0.88, 0.925), '10.0\u202f% fewer tokens than A (7.50 to 12.0\u202f%)');
  assert.equal(words(2.5, 2.25, 3), '150\u202f% more tokens than A (125 to 200\u202f%)');
  const lossy = { id: 'a', letter: 'A', result: { unknown_rate: 0.096 } };
  assert.equal(
    ratioWords(of(2.5, 2.25, 3), lossy, { id: 'b' })?.words,
    '150\u202f% more tokens than A (125 to 200\u202f%); 9.6\u202f% of those of A are unknown',
  );
  assert.equal(words(1.01, 0.99, 1.03), 'Not told apart from A (−1.00 to 3.00\u202f% tokens)');
  assert.equal(ratioWords(of(1, 1, 1), { id: 'a', letter: 'A' }, { id: 'a' }), null);
  assert.equal(ratioWords(null, { id: 'a', letter: 'A' }, { id: 'b' }), null);
});

test('an analysis is shown with the name that it was given', () => {
  const corpus = /** @type {any} */ ({ title: 'PUD', languages: [], documents: 3, bytes: 1000, sampled: null });
  assert.equal(analysedWords({ corpus, name: 'PUD' }), 'PUD: 3 documents, 1\u202fkB');
  assert.equal(analysedWords({ corpus, name: 'For the paper' }), 'For the paper · PUD: 3 documents, 1\u202fkB');
});
