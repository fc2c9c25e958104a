/** How far a job is: a bar, and words for what it waits for. Knows nothing of what the job does. */
import { h } from './dom.js';

export const LOST = 'Connection lost, trying again';

/** @typedef {{done: number, total: number|null, state: string, isLost?: boolean}} Progress of a job */

/** @param {string} label what is under way @returns {HTMLProgressElement} for `writeProgress` */
export const progressBar = label => h('progress', { 'aria-label': label });

/** @param {HTMLProgressElement} bar @param {Pick<Progress, 'done'|'total'>} job whose `total` may not be known */
export function writeProgress(bar, { done, total }) {
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute('value');
}

/** Why a job does not go on: `waitWords(job) || job.message`. @param {Progress} job @returns {string} empty: it does */
export const waitWords = ({ state, isLost }) => (isLost ? LOST : state === 'waiting' ? 'Waiting for other work' : '');
