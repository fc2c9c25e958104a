/** What the Corpus screen shows, and how its address says it. */
import { addressOf, flag, number, oneOf, text } from '../../app/state/address_fields.js';

/**
 * @typedef {'overview'|'frequencies'|'languages'|'lengths'|'robustness'|'concordance'} View
 * @typedef {'frequent'|'unseen'|'settings'} Drawer
 * @typedef {Object} CorpusState
 * @property {string|null} corpus id; null: the first one
 * @property {number|null} analysis id; null: the newest of the corpus
 * @property {number|null} before id of the earlier analysis that it is compared with
 * @property {View} view
 * @property {Drawer} drawer
 * @property {string|null} tokenizer whose tokens are listed; null: the first one
 * @property {string} search in the table of frequencies
 * @property {string|null} metric of languages, or all; null: the usual one of the corpus
 * @property {boolean} asTable whether the metric is a table with a column per tokenizer, in place of a chart
 * @property {number|null} id of the token whose occurrences are shown
 * @property {string} word whose occurrences are shown; empty: a token's
 *
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 * @typedef {import('../../api/schema.d.ts').TokenizerResult} TokenizerResult
 * @typedef {Object} Shown
 * @property {Analysis} analysis
 * @property {{id: string, name: string, letter: string, result: TokenizerResult}[]} tokenizers
 * @property {TokenizerResult} chosen whose tokens and languages are listed
 * @property {CorpusState & {metric: string}} state
 * @property {(name: string) => Promise<any>} figure reads a figure
 * @property {(offset: number, limit: number, search: string) => Promise<any>} rows reads frequencies of the chosen one
 */

/** @type {{value: View, label: string}[]} */
export const VIEWS = [
  { value: 'overview', label: 'Overview' },
  { value: 'frequencies', label: 'Frequencies' },
  { value: 'languages', label: 'Languages' },
  { value: 'lengths', label: 'Lengths' },
  { value: 'robustness', label: 'Robustness' },
  { value: 'concordance', label: 'Concordance' },
];

/** All metrics of languages, as a table of one tokenizer. */
export const TABLE = 'table';

export const PREMIUM = 'language_premium';
const BYTES = 'language_bytes';

/** Charts of languages, by the name of their figure, and the table. */
export const METRICS = [
  { value: PREMIUM, label: 'Premium' },
  { value: BYTES, label: 'Bytes per token' },
  { value: 'fertility', label: 'Fertility' },
  { value: 'continued_words', label: 'Continued words' },
  { value: 'language_unknown', label: 'Unknown' },
  { value: TABLE, label: 'All metrics' },
];

/** The chart that Languages opens on: only a parallel corpus has a premium. @param {{is_parallel: boolean}} corpus */
export const usualMetric = ({ is_parallel: isParallel }) => (isParallel ? PREMIUM : BYTES);

/** @type {{value: Drawer, label: string}[]} */
export const DRAWERS = [
  { value: 'frequent', label: 'Frequent tokens' },
  { value: 'unseen', label: 'Never seen' },
  { value: 'settings', label: 'Settings' },
];

const address = /** @type {typeof addressOf<CorpusState>} */ (addressOf);
export const { paramsOf, stateOf } = address({
  corpus: text('corpus'),
  analysis: number('analysis'),
  before: number('before'),
  view: oneOf('tab', VIEWS, 'overview'),
  drawer: oneOf('side', DRAWERS, 'frequent'),
  tokenizer: text('tokenizer'),
  search: text('q', ''),
  metric: oneOf('metric', METRICS, null),
  asTable: flag('as', 'table'),
  id: number('id'),
  word: text('word', ''),
});
