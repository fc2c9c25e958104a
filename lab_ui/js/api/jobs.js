/** Long work of the backend: starting it, watching it, stopping it. */
import { LabError, ROOT, request } from './client.js';

/**
 * JOB of docs/reference/http-api.md.
 * @typedef {Object} Job
 * @property {string} id
 * @property {string} kind
 * @property {string} title
 * @property {'waiting'|'running'|'done'|'failed'|'cancelled'} state
 * @property {number} done
 * @property {number|null} total null: not known
 * @property {string} unit of `done` and `total`
 * @property {string} words
 * @property {import('./types.js').Entry|null} result of a finished download
 * @property {{code: string, message: string, hint: string}|null} error
 */

const ENDED = ['done', 'failed', 'cancelled'];
const AGAIN_MS = 1000;

/** Fetches a known tokenizer's files. @param {string} id @returns {Promise<Job>} */
export const startKnown = id => request('POST', 'tokenizers', { json: { known: id, wait: false } });

/**
 * Fetches a tokenizer from a Hub.
 * @param {string} reference `OWNER/NAME[@REVISION]`
 * @returns {Promise<Job>}
 */
export const startHub = reference => request('POST', 'tokenizers', { json: { hub: reference, wait: false } });

/** @returns {Promise<Job[]>} those of this run of the backend, oldest first */
export async function listJobs() {
  /** @type {{jobs: Job[]}} */
  const { jobs } = await request('GET', 'jobs');
  return jobs;
}

/** Asks a job to stop. @param {string} id @returns {Promise<Job>} */
export const stopJob = id => request('DELETE', path(id));

/** @param {Job} job @returns {boolean} whether it will not change any more */
export const ended = job => ENDED.includes(job.state);

/**
 * Follows a job to its end.
 * @param {Job} job @param {(job: Job) => void} onChange called at once and after each change
 * @returns {Promise<Job['result']>} null if it was stopped
 * @throws {LabError} why it failed
 */
export async function follow(job, onChange) {
  let now = job;
  onChange(now);
  while (!ended(now)) {
    now = await lastEvent(now, onChange);
    if (ended(now)) break;
    // The connection broke, not the job: ask, and listen again.
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
    now = await request('GET', path(job.id));
    onChange(now);
  }
  if (now.state === 'failed') throw failure(now);
  return now.state === 'done' ? now.result : null;
}

/** @param {Job} job */
const failure = ({ error }) =>
  error
    ? new LabError(error.code, error.message, error.hint)
    : new LabError('internal', 'The job failed without a reason.');

/**
 * Listens until the job has ended or the connection breaks.
 * @param {Job} job @param {(job: Job) => void} onChange
 * @returns {Promise<Job>} the job as the last event described it
 */
function lastEvent(job, onChange) {
  return new Promise(resolve => {
    const source = new EventSource(`${ROOT}/${path(job.id)}/events`);
    let now = job;
    source.onmessage = event => {
      now = JSON.parse(event.data);
      onChange(now);
      if (ended(now)) {
        source.close();
        resolve(now);
      }
    };
    source.onerror = () => {
      source.close();
      resolve(now);
    };
  });
}

/** @param {string} id */
const path = id => `jobs/${encodeURIComponent(id)}`;
