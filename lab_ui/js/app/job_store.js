/**
 * The long work of the backend, as the page knows it: jobs of this page and those that were running when it was opened.
 * A job is followed until it has ended. Where the connection is lost, the job says so and the store tries again, after
 * 1 s, 2 s, 4 s and so on, up to half a minute.
 *
 * Reports `change` when a job or its connection changed, and `ended` (detail: `{job, resumed}`) for each job that
 * ended; `resumed`: it was running when the page was opened, so nobody here waits for its result.
 */
import { LabError } from '../api/client.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
const ENDED = ['done', 'failed', 'cancelled'];

/**
 * @typedef {Object} JobClient `api/jobs.js`
 * @property {() => Promise<Object[]>} listJobs
 * @property {(id: string) => Promise<Object>} getJob
 * @property {(id: string) => Promise<Object>} stopJob
 * @property {(id: string, onJob: (job: Object) => void, onLost: () => void) => () => void} watchJob returns what ends
 *   it
 * @typedef {{setTimeout: (act: () => void, ms: number) => any}} Clock
 */
export class JobStore extends EventTarget {
  #client;
  #clock;
  /**
   * @type {Map<string, {job: Object, isLost: boolean, isResumed: boolean, wake: () => void, last: Promise<Object>}>}
   */
  #running = new Map();

  /** @param {JobClient} client @param {Clock} [clock] */
  constructor(client, clock = { setTimeout: (act, ms) => setTimeout(act, ms) }) {
    super();
    this.#client = client;
    this.#clock = clock;
  }

  /** JOBs that have not ended, oldest first, each with `isLost`: the connection to it is lost. @returns {Object[]} */
  get jobs() {
    return [...this.#running.values()].map(({ job, isLost }) => ({ ...job, isLost }));
  }

  /** Finds the jobs that are running already, and follows them. */
  async resume() {
    const jobs = await this.#patiently(() => this.#client.listJobs());
    for (const job of jobs) if (!hasEnded(job) && !this.#running.has(job.id)) this.#begin(job, true);
  }

  /**
   * Follows a job that was just started, or waits for one that is followed already.
   * @param {Object} job
   * @returns {Promise<any>} its result, null if it was stopped
   * @throws {LabError} why it failed
   */
  async follow(job) {
    const entry = this.#running.get(job.id) ?? this.#begin(job, false);
    entry.isResumed = false;
    const last = await entry.last;
    if (last.state === 'failed') throw failureOf(last);
    return last.state === 'done' ? last.result : null;
  }

  /** Asks a job to stop. @param {string} id @returns {Promise<void>} */
  async stop(id) {
    await this.#client.stopJob(id);
    this.#running.get(id)?.wake(); // it may be waiting to try again
  }

  #begin(job, isResumed) {
    const entry = { job, isLost: false, isResumed, wake: () => {}, last: Promise.resolve(job) };
    this.#running.set(job.id, entry);
    this.#changed();
    entry.last = this.#follow(entry);
    return entry;
  }

  /** @returns {Promise<Object>} the job when it has ended */
  async #follow(entry) {
    try {
      while (!hasEnded(entry.job)) {
        await this.#watch(entry);
        if (!hasEnded(entry.job)) await this.#ask(entry);
      }
    } finally {
      this.#running.delete(entry.job.id);
      this.#changed();
    }
    const { job, isResumed: resumed } = entry;
    this.dispatchEvent(new CustomEvent('ended', { detail: { job, resumed } }));
    return job;
  }

  /** Takes what the backend reports, until the job has ended or the connection breaks. */
  #watch(entry) {
    return new Promise(resolve => {
      const end = this.#client.watchJob(
        entry.job.id,
        job => {
          this.#take(entry, job);
          if (hasEnded(job)) finish();
        },
        () => finish(),
      );
      const finish = () => {
        end();
        resolve(undefined);
      };
    });
  }

  /** Asks how the job stands, until there is an answer. A backend that was started anew does not know it. */
  async #ask(entry) {
    try {
      const job = await this.#patiently(() => this.#client.getJob(entry.job.id), entry);
      this.#take(entry, job);
    } catch (error) {
      this.#take(entry, { ...entry.job, state: 'failed', error: wordsOf(error) });
    }
  }

  #take(entry, job) {
    Object.assign(entry, { job, isLost: false });
    this.#changed();
  }

  /**
   * Asks again while nobody answers, each time after a longer wait.
   * @template T
   * @param {() => Promise<T>} ask
   * @param {{isLost: boolean, wake: () => void}} [entry] whose connection it is
   * @returns {Promise<T>}
   */
  async #patiently(ask, entry) {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      // The first question waits as well: a connection that breaks at once would be asked for without a pause.
      if (entry) await this.#pause(wait, entry);
      try {
        return await ask();
      } catch (error) {
        if (error.code !== 'backend_gone') throw error;
        if (entry && !entry.isLost) {
          entry.isLost = true;
          this.#changed();
        }
      }
      if (!entry) await this.#pause(wait, { wake: () => {} });
    }
  }

  #pause(ms, entry) {
    return new Promise(resolve => {
      entry.wake = () => resolve(undefined);
      this.#clock.setTimeout(entry.wake, ms);
    });
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}

/** @param {Object} job @returns {boolean} whether nothing of it will change any more */
const hasEnded = job => ENDED.includes(job.state);

const wordsOf = ({ code, message, hint }) => ({ code: code ?? 'internal', message, hint: hint ?? '' });

/** @param {Object} job that failed @returns {LabError} */
export const failureOf = job => new LabError(job.error.code, job.error.message, job.error.hint);
