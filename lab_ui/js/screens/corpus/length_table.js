/** Lengths of documents in tokens, one column per tokenizer. */
import { h } from '../../ui/dom.js';
import { count, percent, plural, ratio } from '../../util/format.js';
import { numbers, table } from '../../ui/table.js';

/** @type {[string, string, (value: number) => string][]} */
const ROWS = [
  ['mean', 'Mean', n => ratio(n, 1)],
  ['median', 'Median', count],
  ['deviation', 'Standard deviation', n => ratio(n, 1)],
  ['min', 'Shortest', count],
  ['p5', '5th percentile', count],
  ['p25', '25th percentile', count],
  ['p75', '75th percentile', count],
  ['p95', '95th percentile', count],
  ['p99', '99th percentile', count],
  ['max', 'Longest', count],
];

/**
 * @param {import('../../api/analyses.js').Analysis} analysis
 * @param {(tokenizer: string) => string} nameOf
 */
export function lengthTable({ tokenizers, corpus, settings }, nameOf) {
  const measured = tokenizers.map(({ lengths }) => lengths);
  const above = settings.context_lengths ?? [];
  return table({
    properties: { class: 'length-table' },
    caption: `Tokens per document, of ${plural(corpus.documents, 'document')}, without added special tokens`,
    columns: ['', ...tokenizers.map(({ tokenizer }) => numbers(h('bdi', {}, nameOf(tokenizer))))],
    rows: [
      ...ROWS.map(([name, label, write]) => [
        label,
        ...measured.map(lengths =>
          lengths ? write(/** @type {number} */ (lengths[/** @type {keyof typeof lengths} */ (name)])) : '–',
        ),
      ]),
      ...above.map(length => [
        `Longer than ${plural(length, 'token')}`,
        ...measured.map(lengths => percent(lengths?.share_above[length], 1)),
      ]),
    ],
  });
}
