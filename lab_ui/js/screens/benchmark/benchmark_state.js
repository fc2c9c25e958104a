/** What the Benchmark screen shows, and how its address says it. */

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

/** @param {BenchmarkState} state @returns {URLSearchParams} */
export function paramsOf({ run, before, view, columns, race, row }) {
  const params = new URLSearchParams();
  if (run !== null) params.set('run', String(run));
  if (before !== null) params.set('before', String(before));
  if (view !== 'results') params.set('tab', view);
  if (columns !== 'speed') params.set('columns', columns);
  if (race !== 'encoding') params.set('race', race);
  if (row !== null) params.set('row', row);
  return params;
}

/** The inverse of `paramsOf`; ignores unknown values. @param {URLSearchParams} params @returns {BenchmarkState} */
export function stateOf(params) {
  /** @param {string} name */
  const number = name => (/^\d+$/.test(params.get(name) ?? '') ? Number(params.get(name)) : null);
  return {
    run: number('run'),
    before: number('before'),
    view: VIEWS.find(({ value }) => value === params.get('tab'))?.value ?? 'results',
    columns: COLUMNS.find(({ value }) => value === params.get('columns'))?.value ?? 'speed',
    race: RACES.find(({ value }) => value === params.get('race'))?.value ?? 'encoding',
    row: params.get('row') || null,
  };
}
