/** Lengths of documents in tokens, one column per tokenizer. */
import { h } from '../../ui/dom.js';
import { count, percent, plural, ratio } from '../../util/format.js';

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
  const row = (label, values) =>
    h('tr', {}, h('th', { scope: 'row' }, label), ...values.map(words => h('td', { class: 'number' }, words)));
  const above = settings.context_lengths ?? [];
  return h(
    'table',
    { class: 'length-table' },
    h('caption', {}, `Tokens per document, of ${plural(corpus.documents, 'document')}, without added special tokens`),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', {}),
        ...tokenizers.map(({ tokenizer }) =>
          h('th', { scope: 'col', class: 'number' }, h('bdi', {}, nameOf(tokenizer))),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      ...ROWS.map(([name, label, write]) =>
        row(
          label,
          measured.map(lengths => (lengths ? write(lengths[name]) : '–')),
        ),
      ),
      ...above.map(length =>
        row(
          `Longer than ${plural(length, 'token')}`,
          measured.map(lengths => percent(lengths?.share_above[length], 1)),
        ),
      ),
    ),
  );
}
