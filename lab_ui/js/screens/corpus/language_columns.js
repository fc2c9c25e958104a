/** What the table of languages has: every metric of one tokenizer, or one metric of every tokenizer. */
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { MUCH_UNKNOWN } from '../../text/figures.js';
import { count, percent, ratio } from '../../util/format.js';

/**
 * @typedef {import('../../api/schema.d.ts').LanguageResult} LanguageResult
 * @typedef {{name: string, label: string, badge?: Node, unit: string, write: (value: number) => string}} Column `badge`
 *   of the tokenizer
 * @typedef {{value: number|null, reason: string, isDoubtful: boolean}} Cell `reason`: why it was not measured
 * @typedef {{language: string, script: string|null, cells: Object<string, Cell>}} Row
 * @typedef {{columns: Column[], rows: Row[]}} Content in the order of the corpus
 */

const UNKNOWN_REASON = 'not measured';
const share = (/** @type {number} */ value) => percent(value, 1);

/** @type {(Column & {isFlattered: boolean})[]} `isFlattered`: unknown tokens make it look better than it is */
const METRICS = [
  { name: 'words', label: 'Words', unit: 'by white space', write: count, isFlattered: false },
  { name: 'tokens', label: 'Tokens', unit: 'in all', write: count, isFlattered: false },
  { name: 'fertility', label: 'Fertility', unit: 'tokens per word', write: ratio, isFlattered: true },
  { name: 'continued_word_rate', label: 'Continued words', unit: 'of words', write: share, isFlattered: false },
  { name: 'bytes_per_token', label: 'Bytes per token', unit: 'UTF-8', write: ratio, isFlattered: true },
  { name: 'premium', label: 'Premium', unit: 'to reference', write: ratio, isFlattered: true },
  { name: 'unknown_rate', label: 'Unknown', unit: 'of tokens', write: share, isFlattered: true },
  { name: 'unknown_character_rate', label: 'Lost', unit: 'of characters', write: share, isFlattered: true },
];

/** The metric of a chart of languages, by the name of its figure. @type {Object<string, string>} */
const OF_FIGURES = {
  language_premium: 'premium',
  language_bytes: 'bytes_per_token',
  fertility: 'fertility',
  continued_words: 'continued_word_rate',
  language_unknown: 'unknown_rate',
};

/**
 * Every metric of one tokenizer.
 * @param {LanguageResult[]} results @param {string|null} reference @returns {Content}
 */
export function metricsOf(results, reference) {
  const columns = METRICS.map(metric => ({ ...metric, unit: unitOf(metric, reference) }));
  const rows = results.map(result => ({
    language: result.language,
    script: result.script,
    cells: Object.fromEntries(METRICS.map(metric => [metric.name, cellOf(result, metric)])),
  }));
  return { columns, rows };
}

/**
 * One metric, with a column per tokenizer.
 * @param {string} figure that shows it
 * @param {{id: string, name: string, letter: string, result: {languages: LanguageResult[]}}[]} tokenizers
 * @param {string|null} reference
 * @returns {Content}
 */
export function tokenizersOf(figure, tokenizers, reference) {
  const metric = METRICS.find(({ name }) => name === OF_FIGURES[figure]) ?? METRICS[0];
  const columns = tokenizers.map(({ id, name, letter }) => ({
    ...metric,
    name: keyOf(id),
    label: name,
    badge: tokenizerBadge(letter),
    unit: unitOf(metric, reference),
  }));
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const { id, result } of tokenizers)
    for (const one of result.languages) {
      const row = rows.get(one.language) ?? { language: one.language, script: one.script, cells: {} };
      row.cells[keyOf(id)] = cellOf(one, metric);
      rows.set(one.language, row);
    }
  return { columns, rows: [...rows.values()] };
}

/** The column of a tokenizer, which may be called as another column is. @param {string} id */
const keyOf = id => `of ${id}`;

/** @param {Column} metric @param {string|null} reference */
const unitOf = ({ name, unit }, reference) => (name === 'premium' && reference ? `${reference} = 1` : unit);

/** @param {LanguageResult} result @param {{name: string, isFlattered: boolean}} metric @returns {Cell} */
const cellOf = (result, { name, isFlattered }) => ({
  value: /** @type {number|null} */ (result[/** @type {keyof LanguageResult} */ (name)]),
  reason: result.not_measured[name] ?? UNKNOWN_REASON,
  isDoubtful: isFlattered && Math.max(result.unknown_rate ?? 0, result.unknown_character_rate ?? 0) > MUCH_UNKNOWN,
});
