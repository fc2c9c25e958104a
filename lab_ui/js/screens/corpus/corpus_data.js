/**
 * The corpora and the analyses that the screen shows, and the analysis under way. Knows nothing of the page.
 *
 * Reports `change` when any of it changed. What fails throws to the caller.
 */
import * as analysesClient from '../../api/analyses.js';
import * as corporaClient from '../../api/corpora.js';
import { Latest } from '../../util/latest.js';

const KIND = 'analysis';
const CLIENT = { ...analysesClient, ...corporaClient };

/**
 * @typedef {import('../../api/corpora.js').Corpus} Corpus
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 * @typedef {import('../../api/analyses.js').AnalysisLine} AnalysisLine
 * @typedef {Pick<import('../../app/job_store.js').JobStore, 'jobs'|'follow'|'stop'|'addEventListener'>} Jobs
 */
export class CorpusData extends EventTarget {
  #client;
  #jobs;
  #loading = new Latest();
  #opening = new Latest();
  /** @type {Corpus[]} */
  corpora = [];
  /** The newest first. @type {AnalysisLine[]} */
  analyses = [];
  /** The corpus that is chosen; null: that of the analysis is not in the list any more. @type {Corpus|null} */
  corpus = null;
  /** The analysis that is shown. @type {Analysis|null} */
  analysis = null;
  /** The earlier one that it is compared with. @type {Analysis|null} */
  before = null;
  /** Whether the lists were read. */
  isLoaded = false;
  /** An analysis was asked for and its job is not known yet. */
  #isStarting = false;

  /**
   * @param {Jobs} jobs
   * @param {AbortSignal} life ends it
   * @param {typeof CLIENT} [client]
   */
  constructor(jobs, life, client = CLIENT) {
    super();
    this.#jobs = jobs;
    this.#client = client;
    jobs.addEventListener('change', () => this.#changed(), { signal: life });
    life.addEventListener('abort', () => this.stop(), { once: true });
  }

  /** The analysis under way, of this page or found again after a reload; null: none. */
  get job() {
    return this.#jobs.jobs.find(({ kind }) => kind === KIND) ?? null;
  }

  get isBusy() {
    return this.#isStarting || this.job !== null;
  }

  /** Stops asking for lists and results; a job goes on. */
  stop() {
    this.#loading.stop();
    this.#opening.stop();
  }

  /**
   * Reads the lists, then shows what is asked for, or else the newest analysis of the corpus.
   * @param {{corpus: string|null, analysis: number|null, before: number|null}} wanted
   * @returns {Promise<{missing: string[]}>} what was asked for and does not exist
   */
  async load({ corpus, analysis, before }) {
    const lists = await this.#loading.run(signal =>
      Promise.all([this.#client.listCorpora(signal), this.#client.listAnalyses(signal)]),
    );
    if (!lists) return { missing: [] };
    [this.corpora, this.analyses] = lists;
    this.isLoaded = true;
    const missing = [];
    const known = id => this.analyses.some(line => line.id === id);
    const line = this.analyses.find(({ id }) => id === analysis);
    if (analysis !== null && !line) missing.push(`analysis ${analysis}`);
    const wanted = corpus ?? line?.corpus ?? this.analyses[0]?.corpus;
    this.corpus = this.corpora.find(({ id }) => id === wanted) ?? null;
    if (corpus !== null && !this.corpus) missing.push(`corpus ${corpus}`);
    this.corpus ??= this.corpora[0] ?? null;
    const shown = line?.id ?? this.#newest(this.corpus?.id)?.id ?? null;
    await this.show(shown, before !== null && known(before) ? before : null);
    return { missing };
  }

  /** Reads the lists again; what is shown stays. */
  async renew() {
    [this.corpora, this.analyses] = await Promise.all([this.#client.listCorpora(), this.#client.listAnalyses()]);
    this.corpus = this.corpora.find(({ id }) => id === this.corpus?.id) ?? this.corpora[0] ?? null;
    this.#changed();
  }

  /** Chooses a corpus and shows its newest analysis. @param {string} id */
  async choose(id) {
    this.corpus = this.corpora.find(corpus => corpus.id === id) ?? this.corpus;
    await this.show(this.#newest(id)?.id ?? null);
  }

  /**
   * Shows an analysis.
   * @param {number|null} id null: none @param {number|null} [before] the earlier one that it is compared with
   */
  async show(id, before = null) {
    if (id === null) {
      this.#opening.stop();
      this.analysis = this.before = null;
      this.#changed();
      return;
    }
    const read = (/** @type {number|null} */ one, signal) => {
      const here = [this.analysis, this.before].find(analysis => analysis && analysis.id === one);
      return one === null ? null : (here ?? this.#client.getAnalysis(one, signal));
    };
    const found = await this.#opening.run(signal => Promise.all([read(id, signal), read(before, signal)]));
    if (!found) return;
    [this.analysis, this.before] = found;
    // The bar must not name another corpus than the numbers are of.
    if (this.analysis) this.corpus = this.corpora.find(({ id: one }) => one === this.analysis?.corpus.id) ?? null;
    this.#changed();
  }

  /**
   * Analyses the chosen corpus, and shows the result unless another one was opened meanwhile.
   * @param {string[]} tokenizers ids
   * @param {Object} options `reference_language`, `sample_bytes`
   * @returns {Promise<Analysis|null>} null: it was stopped
   */
  async analyze(tokenizers, options) {
    const { corpus } = this;
    if (!corpus || this.isBusy) return null;
    return this.#follow(corpus.id, () => this.#client.startAnalysis({ corpus: corpus.id, tokenizers, ...options }));
  }

  /** Runs the analysis that is shown again, on its corpus as it is now. @returns {Promise<Analysis|null>} */
  async repeat() {
    const { analysis } = this;
    if (!analysis || this.isBusy) return null;
    return this.#follow(analysis.corpus.id, () => this.#client.repeatAnalysis(analysis.id));
  }

  /** @param {string} corpus @param {() => Promise<import('../../api/jobs.js').Job>} start */
  async #follow(corpus, start) {
    this.#isStarting = true;
    this.#changed();
    let following;
    try {
      following = this.#jobs.follow(await start());
    } finally {
      this.#isStarting = false;
      this.#changed();
    }
    const result = await following;
    return result ? this.#take(result.id, corpus) : null;
  }

  /** The analysis that was under way when the page was opened has ended. @param {{result: {id: number}|null}} job */
  async takeResumed({ result }) {
    if (result) await this.#take(result.id, this.corpus?.id ?? null);
  }

  /** @param {number} id @param {string|null} corpus it is of */
  async #take(id, corpus) {
    this.analyses = await this.#client.listAnalyses();
    if (this.corpus?.id === corpus || corpus === null) await this.show(id);
    else this.#changed();
    return this.analysis?.id === id ? this.analysis : null;
  }

  /** Asks the analysis under way to stop. */
  async cancel() {
    if (this.job) await this.#jobs.stop(this.job.id);
  }

  /** Takes over a corpus that was added, and chooses it. @param {Corpus} corpus */
  async add(corpus) {
    this.corpora = await this.#client.listCorpora();
    await this.choose(corpus.id);
  }

  /** Forgets a corpus; its files stay. @param {string} id */
  async removeCorpus(id) {
    await this.#client.removeCorpus(id);
    const isShown = this.corpus?.id === id;
    await this.renew();
    if (isShown && this.corpus) await this.choose(this.corpus.id);
  }

  /** @param {number} id */
  async removeAnalysis(id) {
    await this.#client.removeAnalysis(id);
    this.analyses = await this.#client.listAnalyses();
    if (this.before?.id === id) this.before = null;
    this.corpus ??= this.corpora[0] ?? null;
    if (this.analysis?.id === id) await this.show(this.#newest(this.corpus?.id)?.id ?? null);
    else this.#changed();
  }

  /** @param {string|undefined} corpus */
  #newest(corpus) {
    return this.analyses.find(line => line.corpus === corpus);
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}
