import assert from 'node:assert/strict';
import test from 'node:test';
import { isRankFile, isRankText } from '../../lab_ui/js/app/tokenizers/rank_file.js';
import { entryWords, groupOf, grouped, isHere, repositoryIn } from '../../lab_ui/js/app/tokenizers/tokenizer_groups.js';

const entry = (id, more = {}) =>
  /** @type {any} */ ({ id, source: 'built in', available: true, problem: null, size_bytes: null, ...more });
const ENTRIES = [
  entry('gpt2'),
  entry('bert', { source: 'downloaded', repository: 'org/bert' }),
  entry('llama', { source: 'downloaded', available: false, repository: 'org/llama' }),
  entry('mine', { source: 'added' }),
  entry('broken', { source: 'composed', available: false, problem: { message: 'gone', hint: '' } }),
  entry('plug', { source: 'plug-in' }),
];

test('what the user made comes first, what is to be downloaded last', () => {
  const found = grouped(ENTRIES).map(({ name, label, entries }) => [name, label, entries.map(({ id }) => id)]);
  assert.deepEqual(found, [
    ['yours', 'Your tokenizers', ['mine', 'broken']],
    ['here', 'Installed', ['gpt2', 'bert', 'plug']],
    ['away', 'Available to download', ['llama']],
  ]);
  assert.deepEqual(
    grouped(ENTRIES.filter(one => groupOf(one) === 'here')).map(({ name }) => name),
    ['here'],
  );
});

for (const [text, reference] of [
  ['google/gemma-2b', 'google/gemma-2b'],
  ['  hub:google/gemma-2b@v1.0 ', 'google/gemma-2b@v1.0'],
  ['https://huggingface.co/google/gemma-2b', 'google/gemma-2b'],
  ['org/name:model.gguf', 'org/name:model.gguf'],
  ['org/', null],
  ['gpt2', null],
  ['a b/c', null],
  ['org/name/more', null],
  ['../etc', null],
]) {
  test(`"${text}" names ${reference ?? 'no repository'}`, () => assert.equal(repositoryIn(text), reference));
}

test('a repository is here when its files are', () => {
  assert.equal(isHere(ENTRIES, 'org/bert'), true);
  assert.equal(isHere(ENTRIES, 'org/llama'), false);
  assert.equal(isHere(ENTRIES, 'org/bert@main'), false, 'another revision may be another tokenizer');
});

test('an entry that is not here says so, with its size only where it is known', () => {
  const away = more => entryWords(entry('x', { available: false, family: 'BPE', licence: 'MIT', ...more }));
  assert.equal(away({}), 'BPE · Available to download · MIT');
  assert.equal(away({ size_bytes: 2_300_000 }), 'BPE · Available to download · 2.3\u202fMB · MIT');
  assert.equal(away({ gated: true }), 'BPE · Available to download · asks you to accept its terms · MIT');
  assert.equal(entryWords(entry('y', { family: 'BPE', vocab_size: 50257 })), 'BPE · 50\u202f257 tokens');
});

test('rank files are recognised by their first lines', async () => {
  assert.equal(isRankText('IQ== 0\nIg== 1\nIw== 2'), true);
  assert.equal(isRankText('IQ== 0\r\nIg== 1\r\nIw'), true, 'the last line may be cut off');
  for (const text of ['', '[PAD]\n[UNK]\n', '{"a": 1}', '#version: 0.2\nh e\n', 'hello 1\nwörld 2\n'])
    assert.equal(isRankText(text), false, text);
  const file = new Blob(['IQ== 0\nIg== 1\n'.repeat(100)]);
  assert.equal(await isRankFile([file]), true);
  assert.equal(await isRankFile([file, file]), false);
});
