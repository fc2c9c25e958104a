/** What the Benchmark screen shows, and how its address says it. */

/**
 * @typedef {'results'|'stages'|'growth'|'inputs'|'race'|'history'} View
 * @typedef {'speed'|'latency'|'memory'} Columns
 * @typedef {Object} BenchmarkState
 * @property {number|null} run id; null: the newest
 * @property {number|null} before id of the earlier run that it is compared with
 * @property {View} view
 * @property {Columns} columns of the table of results
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

/** @param {BenchmarkState} state @returns {URLSearchParams} */
export function paramsOf({ run, before, view, columns, row }) {
  const params = new URLSearchParams();
  if (run !== null) params.set('run', String(run));
  if (before !== null) params.set('before', String(before));
  if (view !== 'results') params.set('tab', view);
  if (columns !== 'speed') params.set('columns', columns);
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
    row: params.get('row') || null,
  };
}
