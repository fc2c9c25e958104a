import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortNames } from '../../lab_ui/js/app/tokenizers/short_names.js';

test('the bar leaves out what is in brackets', () => {
  assert.deepEqual(shortNames(['BERT base, uncased', 'cl100k_base (GPT-4)']), ['BERT base, uncased', 'cl100k_base']);
});

test('many names are shortened to what tells them apart', () => {
  const names = ['BERT base, uncased', 'XLNet base, cased', 'GPT-2', 'T5 base', 'GPT (GPT-1)'];
  assert.deepEqual(shortNames(names), ['BERT base', 'XLNet base', 'GPT-2', 'T5 base', 'GPT']);
  assert.deepEqual(shortNames([...names.slice(0, 4), 'BERT base, cased']), [
    'BERT base, uncased',
    'XLNet base',
    'GPT-2',
    'T5 base',
    'BERT base, cased',
  ]);
});

test('a long name loses its end, or its middle where its end tells it apart', () => {
  const names = ['wordpiece-4096-books', 'unigram-4096-my-very-long-corpus', 'GPT-2'];
  assert.deepEqual(shortNames(names), ['wordpiece-4096-books', 'unigram-4096-my-ver…', 'GPT-2']);
  const twins = ['unigram-4096-my-very-long-corpus', 'unigram-4096-my-very-long-novel'];
  assert.deepEqual(shortNames(twins), ['unigram-40…ng-corpus', 'unigram-40…ong-novel']);
});
