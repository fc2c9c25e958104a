/** What the Benchmark screen shows, and how its address says it. */
import { addressOf, number, oneOf, text } from '../../app/state/address_fields.js';

/**
 * @typedef {'results'|'stages'|'growth'|'inputs'|'race'|'history'} View
 * @typedef {'speed'|'latency'|'memory'} Columns
 * @typedef {'encoding'|'training'} Race
 * @typedef {Object} BenchmarkState
 * @property {number|null} run id; null: the newest
 * @property {number|null} before id of the earlier run that it is compared with
 * @property {View} view
 * @property {Columns} columns of the table of results
 * @property {Race} race which race its view shows
 * @property {string|null} row key of the row whose details are shown
 */

/** @type {{value: View, label: string}[]} */
export const VIEWS = [
  { value: 'results', label: 'Results' },
  { value: 'stages', label: 'Where the time goes' },
  { value: 'growth', label: 'Growth' },
  { value: 'inputs', label: 'Hard inputs' },
  { value: 'race', label: 'Race' },
  { value: 'history', label: 'History' },
];

/** @type {{value: Columns, label: string}[]} */
export const COLUMNS = [
  { value: 'speed', label: 'Speed' },
  { value: 'latency', label: 'Latency' },
  { value: 'memory', label: 'Load and memory' },
];

/** @type {{value: Race, label: string, hint: string}[]} */
export const RACES = [
  { value: 'encoding', label: 'Encoding', hint: 'Algorithms that apply merges to a text' },
  { value: 'training', label: 'Training', hint: 'Algorithms that learn merges from a text' },
];

const address = /** @type {typeof addressOf<BenchmarkState>} */ (addressOf);
export const { paramsOf, stateOf } = address({
  run: number('run'),
  before: number('before'),
  view: oneOf('tab', VIEWS, 'results'),
  columns: oneOf('columns', COLUMNS, 'speed'),
  race: oneOf('race', RACES, 'encoding'),
  row: text('row'),
});
