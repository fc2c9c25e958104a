/** The order of the languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { LanguageTable } = await import('../../lab_ui/js/screens/corpus/language_table.js');

const rowOf = (language, premium, script = 'Latn') => ({
  language,
  script,
  words: 1,
  tokens: 1,
  fertility: 1,
  continued_word_rate: 0,
  bytes_per_token: 1,
  premium,
  unknown_rate: 0,
  not_measured: { premium: 'no reference' },
});

test('what was not measured comes last in both orders', () => {
  const table = new LanguageTable();
  document.body.append(table);
  table.show([rowOf('kk', null, null), rowOf('en', 1), rowOf('ne', null), rowOf('my', 22), rowOf('de', 1.5)], 'en');
  const order = () => [...table.querySelectorAll('[data-language]')].map(row => row.getAttribute('data-language'));
  const sort = name => table.querySelector(`[data-order=${name}]`).click();
  sort('premium');
  assert.deepEqual(order(), ['my', 'de', 'en', 'kk', 'ne'], 'descending');
  sort('premium');
  assert.deepEqual(order(), ['en', 'de', 'my', 'kk', 'ne'], 'ascending');
  sort('premium');
  assert.deepEqual(order(), ['kk', 'en', 'ne', 'my', 'de'], 'as the corpus has them');
  sort('script');
  assert.equal(order().at(-1), 'kk');
});
