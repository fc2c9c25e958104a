/**
 * The results of one kind that a screen shows: those that are kept, the one that is shown with what it is compared
 * with, and the job that makes the next one. Knows nothing of the page.
 *
 * A screen's own store says how results are read, by overriding the methods that begin with `read` and `remove`.
 * Reports `change` when any of it changed. What fails throws to the caller.
 */
import { Latest } from '../util/latest.js';

/**
 * @typedef {Pick<import('./state/job_store.js').JobStore, 'jobs'|'follow'|'followById'|'stop'|'addEventListener'>} Jobs
 * @typedef {{result: {id: number}|null}} EndedJob
 */
export class ResultStore extends EventTarget {
  /** Reading of the list, and of a result. */
  loading = new Latest();
  opening = new Latest();
  jobs;
  /** Of the jobs that make results. */
  kind;
  /** A result was asked for, and its job is not known yet. */
  isStarting = false;
  /** What is kept, the newest first. @type {any[]} */
  lines = [];
  /** The one that is shown; null: none. @type {any} */
  result = null;
  /** What it is compared with, as `readOther` gave it. @type {any} */
  other = null;
  /** Whether the list was read. */
  isLoaded = false;

  /** @param {string} kind @param {Jobs} jobs @param {AbortSignal} life ends it */
  constructor(kind, jobs, life) {
    super();
    this.kind = kind;
    this.jobs = jobs;
    jobs.addEventListener('change', () => this.onJobs(), { signal: life });
    life.addEventListener('abort', () => this.stop(), { once: true });
  }

  /** @param {AbortSignal} [_signal] @returns {Promise<any[]>} */
  async readList(_signal) {
    return [];
  }

  /** @param {number} _id @param {AbortSignal} _signal @returns {Promise<any>} */
  async readResult(_id, _signal) {}

  /**
   * @param {number} _before id of an earlier one
   * @param {number} _id
   * @param {AbortSignal} _signal
   * @returns {Promise<any>}
   */
  async readOther(_before, _id, _signal) {
    return null;
  }

  /** @param {number} _id @returns {Promise<any>} */
  async removeResult(_id) {}

  /** The id of the earlier result that is compared; null: none. @returns {number|null} */
  get before() {
    return this.other?.id ?? null;
  }

  /** What is shown if nothing is asked for. @returns {{id: number}|null} */
  get newest() {
    return this.lines[0] ?? null;
  }

  /** The job under way, of this page or found again after a reload; null: none. */
  get job() {
    return this.jobs.jobs.find(({ kind }) => kind === this.kind) ?? null;
  }

  get isBusy() {
    return this.isStarting || this.job !== null;
  }

  /** Jobs have changed. */
  onJobs() {
    this.changed();
  }

  /** The job that was under way when the page was opened has ended. @param {EndedJob} _job */
  async takeResumed(_job) {}

  /** Stops asking; a job goes on. */
  stop() {
    this.loading.stop();
    this.opening.stop();
  }

  /** @param {number|null} id */
  knows(id) {
    return this.lines.some(line => line.id === id);
  }

  /** @param {string} noun @param {...(number|null)} ids @returns {string[]} those that are not kept, in words */
  missing(noun, ...ids) {
    return ids.filter(id => id !== null && !this.knows(id)).map(id => `${noun} ${id}`);
  }

  /**
   * Shows a result.
   * @param {number|null} id null: none @param {number|null} [before] id of the earlier one that it is compared with
   */
  async show(id, before = null) {
    if (id === null) {
      this.opening.stop();
      await this.take(null, null);
      return;
    }
    const found = await this.opening.run(signal =>
      Promise.all([this.readResult(id, signal), before === null ? null : this.readOther(before, id, signal)]),
    );
    if (found) await this.take(found[0], found[1]);
  }

  /** What was read is shown. @param {any} result null: none @param {any} other @returns {void|Promise<any>} */
  take(result, other) {
    this.result = result;
    this.other = other;
    this.changed();
  }

  /**
   * Starts a job, one at a time, and waits for its end.
   * @param {() => Promise<import('../api/schema.d.ts').Job>} start
   * @param {(result: {id: number}|null) => Promise<any>} take what the job gave; null: it was stopped
   * @returns {Promise<any>} what `take` makes of it; null: another job is under way
   */
  async follow(start, take) {
    if (this.isBusy) return null;
    this.isStarting = true;
    this.changed();
    let following;
    try {
      following = this.jobs.follow(await start());
    } finally {
      this.isStarting = false;
      this.changed();
    }
    return take(await following);
  }

  /** Asks the job under way to stop. */
  async cancel() {
    if (this.job) await this.jobs.stop(this.job.id);
  }

  /** @param {number} id */
  async remove(id) {
    await this.removeResult(id);
    this.lines = await this.readList();
    if (this.result?.id === id) await this.show(this.newest?.id ?? null);
    else if (this.before === id) await this.show(this.result?.id ?? null);
    else this.changed();
  }

  changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}
