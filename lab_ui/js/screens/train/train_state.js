/** What the Train screen shows, and how its address says it. */
import { addressOf, flag, number, oneOf } from '../../app/state/address_fields.js';

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

const address = /** @type {typeof addressOf<TrainState>} */ (addressOf);
export const { paramsOf, stateOf } = address({
  training: number('training'),
  tab: oneOf('tab', TABS, 'setup'),
  isNew: flag('new', '1'),
});
