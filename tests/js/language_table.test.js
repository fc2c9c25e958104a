/** The order of the languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { LanguageTable } = await import('../../lab_ui/js/screens/corpus/language_table.js');
const { metricsOf, tokenizersOf } = await import('../../lab_ui/js/screens/corpus/language_columns.js');

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
  const rows = [rowOf('kk', null, null), rowOf('en', 1), rowOf('ne', null), rowOf('my', 22), rowOf('de', 1.5)];
  table.show(metricsOf(/** @type {any} */ (rows), 'en'));
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

test('one metric has a column per tokenizer, with the reason for each that was not measured', () => {
  const table = new LanguageTable();
  document.body.replaceChildren(table);
  const of = (id, languages) => ({ id, name: `<${id}>`, letter: 'A', result: { languages } });
  const doubtful = { ...rowOf('en', 1), unknown_rate: 0.2 };
  table.show(
    tokenizersOf(
      'language_premium',
      /** @type {any} */ ([of('x', [doubtful, rowOf('my', null)]), of('y', [rowOf('my', 22)])]),
      'en',
    ),
  );
  const cells = [...table.querySelectorAll('tbody tr')].map(row =>
    [...row.children].map(({ textContent }) => textContent),
  );
  assert.deepEqual(cells, [
    ['en', 'Latn', '1.00', '–'],
    ['my', 'Latn', '–1', '22.00'],
  ]);
  assert.equal(table.querySelector('.warning')?.textContent, '1.00');
  assert.equal(table.querySelector('li')?.textContent, 'No reference.');
  table.querySelector('[data-order="of y"]').click();
  const order = [...table.querySelectorAll('[data-language]')].map(row => row.getAttribute('data-language'));
  assert.deepEqual(order, ['my', 'en']);
  assert.match(table.querySelector('thead').textContent, /<x>.*en = 1/);
});
