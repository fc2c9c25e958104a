/** Long work of the backend: starting it, watching it, stopping it. */
import { ROOT, request } from './client.js';
/** @import {Job} from './schema.d.ts' */

/** @param {string} id */
const addressOf = id => `jobs/${encodeURIComponent(id)}`;

/**
 * Fetches a known tokenizer's files.
 * @param {string} id @param {string} [token] of the user, for the Hub
 * @returns {Promise<Job>}
 */
export const startKnown = (id, token) => request('POST', 'tokenizers', { json: { known: id, token, wait: false } });

/**
 * Fetches a tokenizer from a Hub.
 * @param {string} reference `OWNER/NAME[@REVISION]` @param {string} [token] of the user, for the Hub
 * @returns {Promise<Job>}
 */
export const startHub = (reference, token) =>
  request('POST', 'tokenizers', { json: { hub: reference, token, wait: false } });

/** @returns {Promise<Job[]>} those of this run of the backend, oldest first */
export async function listJobs() {
  /** @type {{jobs: Job[]}} */
  const { jobs } = await request('GET', 'jobs');
  return jobs;
}

/** @param {string} id @returns {Promise<Job>} as it is now */
export const getJob = id => request('GET', addressOf(id));

/** Asks a job to stop. @param {string} id @returns {Promise<Job>} */
export const stopJob = id => request('DELETE', addressOf(id));

/** Starts a job again that was interrupted. @param {string} id @returns {Promise<Job>} another one */
export const restartJob = id => request('POST', `${addressOf(id)}/restart`);

/**
 * Watches all jobs, in one connection: a browser allows six per host, over all its tabs.
 * @param {(jobs: Job[]) => void} onJobs gets the jobs that have not ended, then those that are new or have changed
 * @param {() => void} onLost called once, when the connection ends, breaks or cannot be made
 * @returns {() => void} ends the watching
 */
export function watchJobs(onJobs, onLost) {
  const source = new EventSource(`${ROOT}/jobs/events`);
  source.onmessage = event => onJobs(JSON.parse(event.data).jobs);
  source.onerror = () => {
    source.close();
    onLost();
  };
  return () => source.close();
}
