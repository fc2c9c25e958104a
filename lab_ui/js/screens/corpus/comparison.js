/** What differs between two analyses, as rows of tables. Knows nothing of the page. */
import { count } from '../../util/format.js';

/**
 * @typedef {import('../../api/schema.d.ts').AnalysisChanges} AnalysisChanges
 * @typedef {import('../../api/schema.d.ts').MetricChange} MetricChange
 * @typedef {import('../../api/schema.d.ts').Metric} Metric
 */

const PRECISION = 5;

/** "12 345", "0.10417", or words if it was not measured. @param {number|null} n */
export function valueWords(n) {
  if (n === null) return 'not measured';
  return Number.isInteger(n) ? count(n) : String(Number(n.toPrecision(PRECISION)));
}

/** "+12", "−0.5", or a dash where one of the two was not measured. @param {number|null} n */
export function differenceWords(n) {
  if (n === null) return '–';
  return `${n < 0 ? '−' : '+'}${valueWords(Math.abs(n))}`;
}

/**
 * The title of a number: that of its metric, and which part of it.
 * @param {string} name with dots into an object @param {Metric[]} metrics
 */
export function titleOf(name, metrics) {
  const parts = name.split('.');
  for (let n = parts.length; n > 0; n--) {
    const metric = metrics.find(one => one.name === parts.slice(0, n).join('.'));
    const rest = parts.slice(n).join(' ').replaceAll('_', ' ');
    if (metric) return rest ? `${metric.title}, ${rest}` : metric.title;
  }
  return name;
}

/** The languages that have differences, in order. @param {AnalysisChanges} changes @param {string} tokenizer */
export const languagesOf = ({ metrics }, tokenizer) => [
  ...new Set(metrics.filter(one => one.tokenizer === tokenizer).flatMap(({ language }) => language ?? [])),
];

/**
 * @param {AnalysisChanges} changes @param {string} tokenizer @param {string|null} language null: the whole corpus
 * @returns {MetricChange[]}
 */
export const rowsOf = ({ metrics }, tokenizer, language) =>
  metrics.filter(one => one.tokenizer === tokenizer && one.language === language);

/**
 * Says whether the two are comparable at all.
 * @param {AnalysisChanges} changes @param {(tokenizer: string) => string} nameOf
 * @returns {string[]} sentences
 */
export function differenceNotes({ same_text: isSame, compared, metrics, ...tokenizers }, nameOf) {
  /** @param {string[]} ids @param {string} words */
  const named = (ids, words) => (ids.length ? [`${words}: ${ids.map(nameOf).join(', ')}.`] : []);
  return [
    metrics.length
      ? `${count(metrics.length)} of ${count(compared)} numbers differ; those are listed.`
      : compared
        ? `All ${count(compared)} numbers are the same.`
        : 'The two analyses share no tokenizer.',
    ...(isSame ? [] : ['The files of the corpus are not the same, so the numbers are of different texts.']),
    ...named(tokenizers.added_tokenizers, 'Only in this run'),
    ...named(tokenizers.removed_tokenizers, 'Only in the earlier run'),
    ...named(tokenizers.changed_tokenizers, 'Tokenizers whose files have changed'),
  ];
}
