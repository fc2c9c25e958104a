/**
 * The long work of the backend, as the page knows it: jobs of this page and those that were running when it was opened.
 * A job is followed until it has ended. One connection reports all jobs, and is open while any is followed. If it is
 * lost, the jobs say so and the store tries again, after 1 s, 2 s, 4 s and so on, up to half a minute.
 *
 * Reports `change` when a job or the connection changed, and `ended` (detail: `{job, resumed}`) for each job that
 * ended; `resumed`: it was running when the page was opened, so nobody here waits for its result.
 */
import { LabError } from '../../api/client.js';
import { BackOff } from '../../util/back_off.js';

const ENDED = ['done', 'failed', 'cancelled', 'interrupted'];

/**
 * @typedef {import('../../api/schema.d.ts').Job} Job
 * @typedef {Job & {isLost?: boolean}} ShownJob `isLost`: the connection to it is lost
 * @typedef {Pick<typeof import('../../api/jobs.js'), 'listJobs'|'getJob'|'stopJob'|'restartJob'|'watchJobs'>} JobClient
 * @typedef {{setTimeout: (callback: () => void, ms: number) => any}} Clock
 * @typedef {{job: Job, isResumed: boolean, end: () => void, last: Promise<Job>}} Followed `last`: the job when it has
 *   ended
 */
export class JobStore extends EventTarget {
  #client;
  #clock;
  /** @type {Map<string, Followed>} */
  #running = new Map();
  /** Jobs that an earlier run of the backend left and that can be started again. @type {Map<string, Job>} */
  #left = new Map();
  #isListening = false;
  /** Whether the connection has reported the jobs that have not ended. */
  #isOpen = false;
  #isLost = false;
  /** Ends the wait before the next try. */
  #wake = () => {};

  /** @param {JobClient} client @param {Clock} [clock] */
  constructor(client, clock = { setTimeout: (callback, ms) => setTimeout(callback, ms) }) {
    super();
    this.#client = client;
    this.#clock = clock;
  }

  /** JOBs that have not ended, oldest first, each with `isLost`: the connection to it is lost. */
  get jobs() {
    return [...this.#running.values()].map(({ job }) => ({ ...job, isLost: this.#isLost }));
  }

  /** JOBs that were interrupted and can be started again, oldest first. */
  get left() {
    return [...this.#left.values()];
  }

  /** Finds the jobs that are running already, and follows them. */
  async resume() {
    const jobs = await this.#patiently(() => this.#client.listJobs());
    for (const job of jobs) {
      if (job.can_restart) this.#leave(job);
      else if (job.state === 'interrupted')
        this.dispatchEvent(new CustomEvent('ended', { detail: { job, resumed: true } }));
      if (!hasEnded(job) && !this.#running.has(job.id)) this.#begin(job, true);
    }
  }

  /**
   * Follows a job that was just started, or waits for one that is followed already.
   * @param {Job} job
   * @returns {Promise<any>} its result, null if it was stopped
   * @throws {LabError} why it failed
   */
  async follow(job) {
    const entry = this.#running.get(job.id) ?? this.#begin(job, false);
    entry.isResumed = false;
    const last = await entry.last;
    if (last.error) throw failureOf(last);
    return last.state === 'done' ? last.result : null;
  }

  /** As `follow`, for a job of which only the id is known. @param {string} id @returns {Promise<any>} */
  async followById(id) {
    return this.follow(this.#running.get(id)?.job ?? (await this.#patiently(() => this.#client.getJob(id))));
  }

  /** Asks a job to stop, or dismisses one that was interrupted. @param {string} id @returns {Promise<void>} */
  async stop(id) {
    await this.#unlessGone(id, this.#client.stopJob(id));
    this.#forget(id);
    this.#wake();
  }

  /** Starts a job again that was interrupted. @param {string} id @returns {Promise<void>} */
  async restart(id) {
    const job = await this.#unlessGone(id, this.#client.restartJob(id));
    this.#forget(id);
    if (!this.#running.has(job.id)) this.#begin(job, true);
  }

  /**
   * What is asked of an interrupted job. One that another program has started, or that is no longer known, is offered
   * no more.
   * @template T
   * @param {string} id @param {Promise<T>} answer @returns {Promise<T>}
   */
  async #unlessGone(id, answer) {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof LabError && ['not_found', 'conflict'].includes(error.code)) this.#forget(id);
      throw error;
    }
  }

  /** @param {Job} job */
  #leave(job) {
    this.#left.set(job.id, job);
    this.#changed();
  }

  /** @param {string} id */
  #forget(id) {
    if (this.#left.delete(id)) this.#changed();
  }

  /** @param {Job} job @param {boolean} isResumed */
  #begin(job, isResumed) {
    /** @type {Followed} */
    const entry = { job, isResumed, end: () => {}, last: Promise.resolve(job) };
    const hasLast = new Promise(resolve => {
      entry.end = () => resolve(undefined);
    });
    this.#running.set(job.id, entry);
    this.#changed();
    entry.last = this.#end(entry, hasLast);
    if (hasEnded(job)) entry.end();
    else if (this.#isOpen)
      this.#ask(entry); // its last change may have been reported already
    else this.#listen();
    return entry;
  }

  /** @param {Followed} entry @param {Promise<unknown>} hasLast @returns {Promise<Job>} */
  async #end(entry, hasLast) {
    await hasLast;
    const { job, isResumed: resumed } = entry;
    this.#running.delete(job.id);
    this.#changed();
    this.dispatchEvent(new CustomEvent('ended', { detail: { job, resumed } }));
    return job;
  }

  /** Takes what the backend reports while a job is followed. */
  async #listen() {
    if (this.#isListening) return;
    this.#isListening = true;
    const backOff = new BackOff();
    while (this.#running.size) {
      if (await this.#hear()) backOff.reset();
      else this.#setLost(true);
      if (!this.#running.size) break;
      // The first try waits as well: a connection that breaks at once would be made again without a pause.
      await this.#pause(backOff.next());
    }
    this.#isListening = false;
    this.#setLost(false);
  }

  /** Connects, until no job is followed or the connection breaks. @returns {Promise<boolean>} whether it was made */
  #hear() {
    return new Promise(resolve => {
      let wasMade = false;
      const finish = () => {
        this.#isOpen = false;
        this.removeEventListener('change', finishIfIdle);
        end();
        resolve(wasMade);
      };
      const finishIfIdle = () => {
        if (!this.#running.size) finish();
      };
      const end = this.#client.watchJobs(jobs => {
        const isFirst = !wasMade;
        wasMade = this.#isOpen = true;
        this.#setLost(false);
        for (const job of jobs) this.#take(job, isFirst);
        if (isFirst) this.#askForOthers(jobs);
      }, finish);
      this.addEventListener('change', finishIfIdle);
    });
  }

  /** Asks for what has ended before the connection was made. @param {Job[]} jobs that have not ended */
  #askForOthers(jobs) {
    for (const entry of this.#running.values()) if (!jobs.some(({ id }) => id === entry.job.id)) this.#ask(entry);
  }

  /** Asks how a job stands. A backend that was started anew does not know it. @param {Followed} entry */
  async #ask(entry) {
    try {
      this.#take(await this.#client.getJob(entry.job.id));
    } catch (error) {
      // Nobody answers: the connection breaks, too, and the next one asks again.
      if (!isGone(error)) this.#take({ ...entry.job, state: 'failed', error: wordsOf(/** @type {Error} */ (error)) });
    }
  }

  /** @param {Job} job @param {boolean} [isNow] it is as it is now, and no answer that was late */
  #take(job, isNow = false) {
    const entry = this.#running.get(job.id);
    if (!entry || hasEnded(entry.job) || (!isNow && job.version < entry.job.version)) return;
    entry.job = job;
    if (job.can_restart) this.#left.set(job.id, job);
    this.#changed();
    if (hasEnded(job)) entry.end();
  }

  /** @param {boolean} isLost */
  #setLost(isLost) {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.#changed();
  }

  /**
   * Asks again while nobody answers, each time after a longer wait.
   * @template T @param {() => Promise<T>} ask @returns {Promise<T>}
   */
  async #patiently(ask) {
    const backOff = new BackOff();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isGone(error)) throw error;
      }
      await new Promise(resolve => this.#clock.setTimeout(() => resolve(undefined), backOff.next()));
    }
  }

  /** @param {number} ms */
  #pause(ms) {
    return new Promise(resolve => {
      this.#wake = () => resolve(undefined);
      this.#clock.setTimeout(this.#wake, ms);
    });
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}

/** @param {Job} job @returns {boolean} whether nothing of it will change any more */
const hasEnded = job => ENDED.includes(job.state);

/** Whether the backend did not answer. @param {unknown} error */
const isGone = error => error instanceof LabError && error.code === 'backend_gone';

/** @param {{code?: string, message: string, hint?: string}} error */
const wordsOf = ({ code, message, hint }) => ({ code: code ?? 'internal', message, hint: hint ?? '' });

/** @param {Job} job that failed @returns {LabError} */
export const failureOf = job =>
  new LabError(job.error?.code ?? 'internal', job.error?.message ?? 'The work failed.', job.error?.hint);
