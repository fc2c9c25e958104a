/** The states of a training: which of them go on, and how each is called. */

/** @typedef {import('../api/trainings.js').Training} Training */

/** @type {Object<string, string|undefined>} */
const WORDS = {
  running: 'Running',
  paused: 'Paused',
  done: 'Finished',
  kept: 'Stopped and kept',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
};

/** "Finished" @param {Pick<Training, 'state'>} training */
export const stateWords = ({ state }) => WORDS[state] ?? state;

/** Whether a training goes on. @param {Pick<Training, 'state'>|null} training @returns {boolean} */
export const isLive = training => training?.state === 'running' || training?.state === 'paused';
