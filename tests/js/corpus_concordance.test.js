import assert from 'node:assert/strict';
import test from 'node:test';
import { ConcordanceSearch, foundWords } from '../../lab_ui/js/screens/corpus/concordance_search.js';
import { directionOf } from '../../lab_ui/js/text/direction.js';

const WANTED = { tokenizer: 'gpt2', corpus: 'cats' };

/** A corpus of five occurrences, two on a page; `fails` makes the next page fail. */
function lab() {
  const state = { asked: [], fails: false };
  const client = {
    concordance: async query => {
      state.asked.push(query);
      if (state.fails) throw new Error('the file changed');
      const from = Number(query.start ?? 0);
      const occurrences = [0, 1, 2, 3, 4].slice(from, from + 2).map(document => ({ document }));
      const next = from + 2 < 5 ? String(from + 2) : null;
      return { found: { id: query.id ?? null, text: 'cat', bytes: '636174' }, occurrences, next, searched_bytes: 10 };
    },
    segmentations: async ({ word }) => ({ word, occurrences: 5, distinct: 1, segmentations: [], more: false }),
  };
  return { search: new ConcordanceSearch(/** @type {any} */ (client)), state };
}

const documents = search => search.occurrences.map(({ document }) => document);

test('pages follow one another to the end of the corpus, each occurrence once', async () => {
  const { search, state } = lab();
  await search.start({ ...WANTED, id: 7 });
  assert.deepEqual([documents(search), search.next, search.segmentations], [[0, 1], '2', null]);
  await Promise.all([search.more(), search.more()]);
  assert.deepEqual(documents(search), [0, 1, 2, 3], 'a second press while it searches asks for nothing');
  await search.more();
  await search.more();
  assert.deepEqual([documents(search), search.next, state.asked.length], [[0, 1, 2, 3, 4], null, 3]);
});

test('a word has its segmentations too; a new search forgets the one before', async () => {
  const { search } = lab();
  await search.start({ ...WANTED, word: 'cat' });
  await search.more();
  assert.deepEqual([search.segmentations.occurrences, search.found.id], [5, null]);
  const late = search.start({ ...WANTED, id: 1 });
  await search.start({ ...WANTED, id: 2 });
  await late;
  assert.deepEqual([search.found.id, documents(search), search.segmentations], [2, [0, 1], null]);
  await search.start(null);
  assert.deepEqual([search.found, documents(search)], [null, []]);
});

test('a page that fails leaves what was found, and is asked for again', async () => {
  const { search, state } = lab();
  await search.start({ ...WANTED, id: 7 });
  state.fails = true;
  await assert.rejects(search.more(), /the file changed/);
  assert.deepEqual([documents(search), search.isBusy], [[0, 1], false]);
  state.fails = false;
  await search.more();
  assert.deepEqual(documents(search), [0, 1, 2, 3]);
});

test('the count says whether it is of the whole corpus', () => {
  const of = (shown, next, searched = 0) => ({ occurrences: Array(shown).fill({}), next, searched });
  assert.equal(foundWords(of(0, null)), 'It does not occur in the corpus.');
  assert.equal(foundWords(of(1, null)), 'The only occurrence');
  assert.equal(foundWords(of(12, null), 12), 'All 12 occurrences');
  assert.equal(foundWords(of(50, '2'), 120), 'The first 50 of 120 occurrences');
  assert.equal(foundWords(of(50, '2')), 'The first 50 occurrences; the rest is not searched yet');
  assert.equal(foundWords(of(0, '2', 64e6)), 'None in the first 64.0\u202fMB; the rest is not searched yet');
});

test('a text runs as its first letter does', () => {
  assert.deepEqual(['12, שלום abc', '«نص»', 'abc שלום', '日本', '123', ''].map(directionOf), [
    'rtl',
    'rtl',
    'ltr',
    'ltr',
    'ltr',
    'ltr',
  ]);
});
