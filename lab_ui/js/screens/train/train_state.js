/** What the Train screen shows, and how its address says it. */

/**
 * @typedef {'setup'|'log'|'past'} Tab
 * @typedef {Object} TrainState
 * @property {number|null} training id; null: the newest
 * @property {Tab} tab of the panel
 * @property {boolean} isNew the setup is that of the next training, not of the one that is shown
 */

/** @type {{value: Tab, label: string}[]} */
export const TABS = [
  { value: 'setup', label: 'Setup' },
  { value: 'log', label: 'Log' },
  { value: 'past', label: 'Past trainings' },
];

/** @param {TrainState} state @returns {URLSearchParams} */
export function paramsOf({ training, tab, isNew }) {
  const params = new URLSearchParams();
  if (training !== null) params.set('training', String(training));
  if (tab !== 'setup') params.set('tab', tab);
  if (isNew) params.set('new', '1');
  return params;
}

/** The inverse of `paramsOf`; ignores unknown values. @param {URLSearchParams} params @returns {TrainState} */
export const stateOf = params => ({
  training: /^\d+$/.test(params.get('training') ?? '') ? Number(params.get('training')) : null,
  tab: TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'setup',
  isNew: params.get('new') === '1',
});
