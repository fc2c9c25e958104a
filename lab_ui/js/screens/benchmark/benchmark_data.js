/**
 * The runs that the screen shows, and the run under way. Knows nothing of the page.
 *
 * Reports `change` when any of it changed. What fails throws to the caller.
 */
import * as benchmarksClient from '../../api/benchmarks.js';
import { Latest } from '../../util/latest.js';

export const KIND = 'benchmark';

/**
 * @typedef {import('../../api/benchmarks.js').Benchmark} Benchmark
 * @typedef {import('../../api/benchmarks.js').BenchmarkLine} BenchmarkLine
 * @typedef {import('../../api/benchmarks.js').BenchmarkChanges} BenchmarkChanges
 * @typedef {Pick<import('../../app/job_store.js').JobStore, 'jobs'|'follow'|'stop'|'addEventListener'>} Jobs
 */
export class BenchmarkData extends EventTarget {
  #client;
  #jobs;
  #loading = new Latest();
  #opening = new Latest();
  #peeking = new Latest();
  /** What the job said when the running run was read last. */
  #peeked = '';
  #isStarting = false;
  /** The newest first. @type {BenchmarkLine[]} */
  lines = [];
  /** The run that is shown. @type {Benchmark|null} */
  run = null;
  /** What differs between it and an earlier run. @type {BenchmarkChanges|null} */
  changes = null;
  /** Whether the list was read. */
  isLoaded = false;

  /**
   * @param {Jobs} jobs
   * @param {AbortSignal} life ends it
   * @param {typeof benchmarksClient} [client]
   */
  constructor(jobs, life, client = benchmarksClient) {
    super();
    this.#jobs = jobs;
    this.#client = client;
    jobs.addEventListener('change', () => this.#onJob(), { signal: life });
    life.addEventListener('abort', () => this.stop(), { once: true });
  }

  /** The run under way, of this page or found again after a reload; null: none. */
  get job() {
    return this.#jobs.jobs.find(({ kind }) => kind === KIND) ?? null;
  }

  get isBusy() {
    return this.#isStarting || this.job !== null;
  }

  /** The id of the earlier run that is compared; null: none. @returns {number|null} */
  get before() {
    return this.changes?.before ?? null;
  }

  /** Stops asking; a job goes on. */
  stop() {
    for (const work of [this.#loading, this.#opening, this.#peeking]) work.stop();
  }

  /**
   * Reads the list, then shows what is asked for, or else the newest run.
   * @param {{run: number|null, before: number|null}} wanted
   * @returns {Promise<{missing: string[]}>} what was asked for and does not exist
   */
  async load({ run, before }) {
    const lines = await this.#loading.run(signal => this.#client.listBenchmarks(signal));
    if (!lines) return { missing: [] };
    this.lines = lines;
    this.isLoaded = true;
    const isKnown = id => this.lines.some(line => line.id === id);
    const missing = [run, before].filter(id => id !== null && !isKnown(id)).map(id => `run ${id}`);
    const shown = isKnown(run) ? run : (this.lines[0]?.id ?? null);
    await this.show(shown, isKnown(before) && before !== shown ? before : null);
    this.#onJob();
    return { missing };
  }

  /**
   * Shows a run.
   * @param {number|null} id null: none @param {number|null} [before] the earlier one that it is compared with
   */
  async show(id, before = null) {
    if (id === null) {
      this.#opening.stop();
      this.run = this.changes = null;
      this.#changed();
      return;
    }
    const found = await this.#opening.run(signal =>
      Promise.all([
        this.run?.id === id && this.run.state !== 'running' ? this.run : this.#client.getBenchmark(id, signal),
        before === null ? null : this.#client.compareBenchmarks(before, id),
      ]),
    );
    if (!found) return;
    [this.run, this.changes] = found;
    this.#changed();
  }

  /**
   * Starts a run, and shows its result unless another one was opened meanwhile.
   * @param {import('../../api/benchmarks.js').BenchmarkOptions} options
   * @returns {Promise<Benchmark|null>} null: it was stopped before it measured anything
   */
  start(options) {
    return this.#follow(() => this.#client.startBenchmark(options));
  }

  /** Runs what is shown again. @returns {Promise<Benchmark|null>} */
  async repeat() {
    const id = this.run?.id ?? null;
    return id === null ? null : this.#follow(() => this.#client.repeatBenchmark(id));
  }

  /** @param {() => Promise<import('../../api/jobs.js').Job>} start */
  async #follow(start) {
    if (this.isBusy) return null;
    this.#isStarting = true;
    this.#peeked = '';
    this.#changed();
    const earlier = this.lines.map(({ id }) => id);
    const shown = this.run?.id ?? null;
    let following;
    try {
      following = this.#jobs.follow(await start());
    } finally {
      this.#isStarting = false;
      this.#changed();
    }
    const result = await following;
    return this.#take(result, earlier, shown);
  }

  /** The run that was under way when the page was opened has ended. @param {{result: {id: number}|null}} job */
  async takeResumed({ result }) {
    await this.#take(result, [], this.run?.id ?? null);
  }

  /**
   * @param {{id: number}|null} result null: it was cancelled; its finished rounds are kept
   * @param {number[]} earlier ids of the runs before it @param {number|null} shown when it began
   */
  async #take(result, earlier, shown) {
    this.#peeking.stop();
    this.lines = await this.#client.listBenchmarks();
    if (result && !this.lines.some(({ id }) => id === result.id)) {
      // It was removed while it ran.
      if (this.run?.id === result.id) await this.show(this.lines[0]?.id ?? null);
      else this.#changed();
      return null;
    }
    const id = result?.id ?? this.lines.find(line => !earlier.includes(line.id))?.id ?? null;
    const isFree = this.run === null || this.run.id === shown || this.run.id === id;
    if (id !== null && isFree) await this.show(id);
    else this.#changed();
    return this.run?.id === id ? this.run : null;
  }

  /** Asks the run under way to stop. Its finished rounds are kept. */
  async cancel() {
    if (this.job) await this.#jobs.stop(this.job.id);
  }

  /** @param {number} id */
  async remove(id) {
    await this.#client.removeBenchmark(id);
    this.lines = await this.#client.listBenchmarks();
    if (this.run?.id === id) await this.show(this.lines[0]?.id ?? null);
    else if (this.before === id) await this.show(this.run?.id ?? null);
    else this.#changed();
  }

  /** After each round, what the run under way has so far is read and shown. */
  #onJob() {
    this.#changed();
    const { job } = this;
    const id = job?.result?.id ?? null;
    if (!this.isLoaded || id === null || job.message === this.#peeked) return;
    const shows = this.run === null || this.run.id === id || this.#peeked === '';
    this.#peeked = job.message;
    if (shows) this.#peek(id);
  }

  /** @param {number} id of the run under way */
  async #peek(id) {
    try {
      const run = await this.#peeking.run(signal => this.#client.getBenchmark(id, signal));
      if (!run || !this.job) return;
      this.run = run;
      this.changes = null;
      this.#changed();
    } catch {
      // What has failed is asked for again after the next round, and the end of the job reports its own failure.
    }
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}
