/** The runs that the screen shows, and the run under way, which is shown with what it has so far. */
import * as benchmarksClient from '../../api/benchmarks.js';
import { ResultStore } from '../../app/result_store.js';
import { Latest } from '../../util/latest.js';

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkResult} Benchmark
 * @typedef {import('../../api/schema.d.ts').BenchmarkSummary} BenchmarkLine
 * @typedef {import('../../api/schema.d.ts').BenchmarkChanges} BenchmarkChanges
 *
 * @typedef {Pick<BenchmarkData, 'run'|'lines'|'before'|'changes'|'isBusy'|'isLoaded'|'machine'> & {letters: string[],
 *   needsRun: boolean, state: import('./benchmark_state.js').BenchmarkState, job:
 *   import('../../app/state/job_store.js').ShownJob|null, engines: import('../../api/schema.d.ts').EngineState[]}}
 *   Shown what panels get
 * @typedef {import('../../app/result_screen.js').ResultScreen<BenchmarkData,
 *   import('./benchmark_state.js').BenchmarkState> & {startRun: () => void, repeatRun: () => void, job: any}} Host the
 *   screen, as its panels know it
 */
export class BenchmarkData extends ResultStore {
  #client;
  #peeking = new Latest();
  /** What the job said when the running run was read last. */
  #peeked = '';
  /** The machine as it is now; null: it was not measured. @type {{environment: any, noise: any}|null} */
  machine = null;

  /**
   * @param {import('../../app/result_store.js').Jobs} jobs @param {AbortSignal} life ends it
   * @param {typeof benchmarksClient} [client]
   */
  constructor(jobs, life, client = benchmarksClient) {
    super('benchmark', jobs, life);
    this.#client = client;
  }

  /** The run that is shown. @returns {Benchmark|null} */
  get run() {
    return this.result;
  }

  /** What differs between it and an earlier run. @returns {BenchmarkChanges|null} */
  get changes() {
    return this.other;
  }

  get before() {
    return this.changes?.before ?? null;
  }

  /** @param {AbortSignal} [signal] */
  readList(signal) {
    return this.#client.listBenchmarks(signal);
  }

  /** @param {number} id @param {AbortSignal} signal */
  async readResult(id, signal) {
    return this.run?.id === id && this.run.state !== 'running' ? this.run : this.#client.getBenchmark(id, signal);
  }

  /** @param {number} before @param {number} id */
  readOther(before, id) {
    return this.#client.compareBenchmarks(before, id);
  }

  /** @param {number} id */
  removeResult(id) {
    return this.#client.removeBenchmark(id);
  }

  stop() {
    super.stop();
    this.#peeking.stop();
  }

  /**
   * Reads the list, then shows what is asked for, or else the newest run.
   * @param {{run: number|null, before: number|null}} wanted
   * @returns {Promise<{missing: string[]}>} what was asked for and does not exist
   */
  async load({ run, before }) {
    const lines = await this.loading.run(signal => this.readList(signal));
    if (!lines) return { missing: [] };
    this.lines = lines;
    this.isLoaded = true;
    const shown = this.knows(run) ? run : (this.newest?.id ?? null);
    await this.show(shown, this.knows(before) && before !== shown ? before : null);
    this.onJobs();
    return { missing: this.missing('run', run, before) };
  }

  /**
   * Starts a run, and shows its result unless another one was opened meanwhile.
   * @param {import('../../api/schema.d.ts').BenchmarkBody} options
   * @returns {Promise<Benchmark|null>} null: it was stopped before it measured anything
   */
  start(options) {
    return this.#measure(() => this.#client.startBenchmark(options));
  }

  /** Runs what is shown again. @returns {Promise<Benchmark|null>} */
  async repeat() {
    const id = this.run?.id ?? null;
    return id === null ? null : this.#measure(() => this.#client.repeatBenchmark(id));
  }

  /** Measures the machine as it is now. */
  async measureMachine() {
    try {
      this.machine = await this.#client.measureEnvironment();
    } finally {
      this.changed();
    }
  }

  /** @param {() => Promise<import('../../api/schema.d.ts').Job>} start */
  #measure(start) {
    if (this.isBusy) return Promise.resolve(null);
    this.#peeked = '';
    const earlier = this.lines.map(({ id }) => id);
    const shown = this.run?.id ?? null;
    return this.follow(start, result => this.#take(result, earlier, shown));
  }

  /**
   * The run that was under way when the page was opened has ended.
   * @param {import('../../app/result_store.js').EndedJob} job
   */
  async takeResumed({ result }) {
    await this.#take(result, [], this.run?.id ?? null);
  }

  /**
   * @param {{id: number}|null} result null: it was cancelled; its finished rounds are kept
   * @param {number[]} earlier ids of the runs before it @param {number|null} shown when it began
   */
  async #take(result, earlier, shown) {
    this.#peeking.stop();
    this.lines = await this.readList();
    if (result && !this.knows(result.id)) {
      // It was removed while it ran.
      if (this.run?.id === result.id) await this.show(this.newest?.id ?? null);
      else this.changed();
      return null;
    }
    const id = result?.id ?? this.lines.find(line => !earlier.includes(line.id))?.id ?? null;
    const isFree = this.run === null || this.run.id === shown || this.run.id === id;
    if (id !== null && isFree) await this.show(id);
    else this.changed();
    return this.run?.id === id ? this.run : null;
  }

  /** After each round, what the run under way has so far is read and shown. */
  onJobs() {
    this.changed();
    const { job } = this;
    const id = /** @type {{id: number}|null|undefined} */ (job?.result)?.id ?? null;
    if (!this.isLoaded || !job || id === null || job.message === this.#peeked) return;
    const shows = this.run === null || this.run.id === id || this.#peeked === '';
    this.#peeked = job.message;
    if (shows) this.#peek(id);
  }

  /** @param {number} id of the run under way */
  async #peek(id) {
    try {
      const run = await this.#peeking.run(signal => this.#client.getBenchmark(id, signal));
      if (!run || !this.job) return;
      this.result = run;
      this.other = null;
      this.changed();
    } catch {
      // What has failed is asked for again after the next round, and the end of the job reports its own failure.
    }
  }
}
