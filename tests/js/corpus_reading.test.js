/** How a corpus is read. */
import assert from 'node:assert/strict';
import test from 'node:test';
import './page.js';

const { CorpusReading } = await import('../../lab_ui/js/screens/corpus/corpus_reading.js');

const CSV = {
  columns: ['words', 'lang'],
  text_column: 'words',
  language_column: 'lang',
  files: 1,
  first_files: [{}],
  cleaning: [],
};

test('the first documents of a table have their languages before them', () => {
  const element = new CorpusReading();
  const sample = [
    { text: 'eins', language: 'de' },
    { text: 'two', language: null },
  ];
  element.show(/** @type {any} */ ({ ...CSV, sample }));
  assert.deepEqual(
    [...element.querySelectorAll('ol li')].map(item => item.textContent),
    ['de eins', 'two'],
  );
});
