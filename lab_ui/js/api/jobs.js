/** Long work that the backend does: starting it, watching it, stopping it. JOB: see docs/reference/http-api.md. */
import { LabError, request } from './client.js';

const ENDED = ['done', 'failed', 'cancelled'];
const AGAIN_MS = 1000;

/** Fetches a known tokenizer's files. @param {string} id @returns {Promise<Object>} a JOB */
export const startKnown = id => request('POST', 'tokenizers', { json: { known: id, wait: false } });

/**
 * Fetches a tokenizer from a Hub.
 * @param {string} reference `OWNER/NAME[@REVISION]`
 * @returns {Promise<Object>} a JOB
 */
export const startHub = reference => request('POST', 'tokenizers', { json: { hub: reference, wait: false } });

/** @returns {Promise<Object[]>} JOBs of this run of the backend, oldest first */
export const listJobs = async () => (await request('GET', 'jobs')).jobs;

/** Asks a job to stop. @param {string} id */
export const stopJob = id => request('DELETE', `jobs/${encodeURIComponent(id)}`);

/** @param {Object} job @returns {boolean} whether nothing of it will change any more */
export const ended = job => ENDED.includes(job.state);

/**
 * Follows a job to its end.
 * @param {Object} job @param {(job: Object) => void} onChange gets it whenever it has changed
 * @returns {Promise<any>} its result, null where it was stopped
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
    now = await request('GET', `jobs/${encodeURIComponent(job.id)}`);
    onChange(now);
  }
  if (now.state === 'failed') throw new LabError(now.error.code, now.error.message, now.error.hint);
  return now.state === 'done' ? now.result : null;
}

/** The job as the last event told it: when it has ended, or when the connection broke. */
function lastEvent(job, onChange) {
  return new Promise(resolve => {
    const source = new EventSource(`api/v1/jobs/${encodeURIComponent(job.id)}/events`);
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
