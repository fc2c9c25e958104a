import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortNames } from '../../lab_ui/js/app/short_names.js';

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
