import assert from 'node:assert/strict';
import test from 'node:test';
import { areTokenizer } from '../../lab_ui/js/app/tokenizers/tokenizer_file.js';

const file = (name, text = '') => new File([text], name);
const MODEL = JSON.stringify({ model: { type: 'WordLevel', vocab: { a: 0 } } });

const CASES = [
  ['a tokenizer.json', [file('tokenizer.json', MODEL)], true],
  ['one of another name', [file('mine.JSON', MODEL)], true],
  ['one with the file that goes with it', [file('tokenizer_config.json', '{}'), file('tokenizer.json', MODEL)], true],
  ['a SentencePiece model', [file('spiece.model', '\0')], true],
  ['a rank file', [file('cl100k_base.tiktoken', 'IQ== 0\n')], true],
  ['a GGUF file', [file('m.gguf', 'GGUF')], true],
  ['a vocabulary and its merges', [file('vocab.json', '{"a": 0}'), file('merges.txt', '')], true],
  ['a vocabulary alone', [file('vocab.json', '{"vocab": 0}')], false],
  ['a vocab.txt, which may be a text', [file('vocab.txt', 'a\nb')], false],
  ['a text about tokenizers', [file('a.txt', MODEL)], false],
  ['JSON without a model', [file('a.json', '{"vocab": {}, "model": "bert"}')], false],
  ['JSON that is null', [file('a.json', 'null')], false],
  ['JSON with an error', [file('a.json', `${MODEL},`)], false],
];

for (const [what, files, expected] of CASES)
  test(`${what} is ${expected ? '' : 'not '}taken for a tokenizer`, async () => {
    assert.equal(await areTokenizer(files), expected);
  });
