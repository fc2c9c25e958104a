import assert from 'node:assert/strict';
import test from 'node:test';
import { findEntries } from '../../lab_ui/js/app/tokenizers/find_entries.js';

const entry = (id, name, family, origin, source) => ({ id, name, family, origin, source });
const ENTRIES = [
  entry('gpt2', 'GPT-2', 'byte-level BPE', 'OpenAI, r50k_base.tiktoken', 'built in'),
  entry('o200k_harmony', 'o200k_harmony (gpt-oss)', 'byte-level BPE', 'OpenAI, o200k_base.tiktoken', 'built in'),
  entry('qwen3', 'Qwen3', 'byte-level BPE', 'Qwen/Qwen3-8B', 'downloaded'),
  entry('mine', 'mine', null, null, 'added'),
];

for (const [text, expected] of [
  ['', ['gpt2', 'o200k_harmony', 'qwen3', 'mine']],
  ['  ', ['gpt2', 'o200k_harmony', 'qwen3', 'mine']],
  ['GPT', ['gpt2', 'o200k_harmony']],
  ['bpe openai', ['gpt2', 'o200k_harmony']],
  ['openai r50k', ['gpt2']],
  ['harmony', ['o200k_harmony']],
  ['qwen/', ['qwen3']],
  ['null', []],
  ['gpt2 qwen', []],
]) {
  test(`finds ${expected.join(', ') || 'nothing'} for "${text}"`, () => {
    assert.deepEqual(
      findEntries(ENTRIES, text).map(({ id }) => id),
      expected,
    );
  });
}
