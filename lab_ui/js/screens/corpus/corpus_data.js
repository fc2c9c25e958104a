/** The corpora and the analyses that the screen shows, and the analysis under way. */
import * as analysesClient from '../../api/analyses.js';
import * as corporaClient from '../../api/corpora.js';
import { ResultStore } from '../../app/result_store.js';

const CLIENT = { ...analysesClient, ...corporaClient };

/**
 * @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 * @typedef {import('../../api/schema.d.ts').AnalysisRow} AnalysisLine
 *
 * @typedef {Pick<CorpusData, 'corpora'|'lines'|'corpus'|'analysis'|'isBusy'|'isLoaded'|'job'> & {before: Analysis|null,
 *   state: import('./corpus_state.js').CorpusState, shown: import('./corpus_state.js').Shown|null}} Told what panels
 *   get
 * @typedef {import('../../app/result_screen.js').ResultScreen<CorpusData, import('./corpus_state.js').CorpusState> &
 *   {analyze: () => void, choose: (tokenizer: string) => void, findToken: (id: number) => void, openToken: (id: number)
 *   => void, pick: (data: any) => void}} Host the screen, as its panels know it
 */
export class CorpusData extends ResultStore {
  #client;
  /** @type {Corpus[]} */
  corpora = [];
  /** The corpus that is chosen; null: that of the analysis is not in the list any more. @type {Corpus|null} */
  corpus = null;

  /**
   * @param {import('../../app/result_store.js').Jobs} jobs @param {AbortSignal} life ends it
   * @param {typeof CLIENT} [client]
   */
  constructor(jobs, life, client = CLIENT) {
    super('analysis', jobs, life);
    this.#client = client;
  }

  /** The analysis that is shown. @returns {Analysis|null} */
  get analysis() {
    return this.result;
  }

  /** The newest of the corpus. @returns {AnalysisLine|null} */
  get newest() {
    return this.#newestOf(this.corpus?.id);
  }

  /** @param {AbortSignal} [signal] @returns {Promise<AnalysisLine[]>} */
  readList(signal) {
    return this.#client.listAnalyses(signal);
  }

  /** @param {number} id @param {AbortSignal} signal @returns {Promise<Analysis>} */
  async readResult(id, signal) {
    const here = [this.result, this.other].find(analysis => analysis?.id === id);
    return here ?? this.#client.getAnalysis(id, signal);
  }

  /** @param {number} before @param {number} _id @param {AbortSignal} signal */
  readOther(before, _id, signal) {
    return this.readResult(before, signal);
  }

  /** @param {number} id */
  removeResult(id) {
    return this.#client.removeAnalysis(id);
  }

  /**
   * Reads the lists, then shows what is asked for, or else the newest analysis of the corpus.
   * @param {{corpus: string|null, analysis: number|null, before: number|null}} wanted
   * @returns {Promise<{missing: string[]}>} what was asked for and does not exist
   */
  async load({ corpus, analysis, before }) {
    const lists = await this.loading.run(signal =>
      Promise.all([this.#client.listCorpora(signal), this.readList(signal)]),
    );
    if (!lists) return { missing: [] };
    [this.corpora, this.lines] = lists;
    this.isLoaded = true;
    const missing = this.missing('analysis', analysis);
    const line = this.lines.find(({ id }) => id === analysis);
    const wanted = corpus ?? line?.corpus ?? this.lines[0]?.corpus;
    this.corpus = this.corpora.find(({ id }) => id === wanted) ?? null;
    if (corpus !== null && !this.corpus) missing.push(`corpus ${corpus}`);
    this.corpus ??= this.corpora[0] ?? null;
    await this.show(line?.id ?? this.newest?.id ?? null, this.knows(before) ? before : null);
    return { missing };
  }

  /** Reads the lists again; what is shown stays. */
  async renew() {
    [this.corpora, this.lines] = await Promise.all([this.#client.listCorpora(), this.readList()]);
    this.corpus = this.corpora.find(({ id }) => id === this.corpus?.id) ?? this.corpora[0] ?? null;
    this.changed();
  }

  /** Chooses a corpus and shows its newest analysis. @param {string} id */
  async choose(id) {
    this.corpus = this.corpora.find(corpus => corpus.id === id) ?? this.corpus;
    await this.show(this.#newestOf(id)?.id ?? null);
  }

  /** @param {Analysis|null} analysis @param {Analysis|null} before */
  take(analysis, before) {
    // The bar must not name another corpus than the numbers are of.
    if (analysis) this.corpus = this.corpora.find(({ id }) => id === analysis.corpus.id) ?? null;
    super.take(analysis, before);
  }

  /**
   * Analyses the chosen corpus, and shows the result unless another one was opened meanwhile.
   * @param {string[]} tokenizers ids
   * @param {Object} options `reference_language`, `sample_bytes`
   * @returns {Promise<Analysis|null>} null: it was stopped
   */
  async analyze(tokenizers, options) {
    const { corpus } = this;
    if (!corpus) return null;
    return this.#count(corpus.id, () => this.#client.startAnalysis({ corpus: corpus.id, tokenizers, ...options }));
  }

  /** Runs the analysis that is shown again, on its corpus as it is now. @returns {Promise<Analysis|null>} */
  async repeat() {
    const { analysis } = this;
    if (!analysis) return null;
    return this.#count(analysis.corpus.id, () => this.#client.repeatAnalysis(analysis.id));
  }

  /** @param {string} corpus @param {() => Promise<import('../../api/schema.d.ts').Job>} start */
  #count(corpus, start) {
    return this.follow(start, async result => (result ? this.#take(result.id, corpus) : null));
  }

  /**
   * The analysis that was under way when the page was opened has ended.
   * @param {import('../../app/result_store.js').EndedJob} job
   */
  async takeResumed({ result }) {
    if (result) await this.#take(result.id, this.corpus?.id ?? null);
  }

  /** @param {number} id @param {string|null} corpus it is of */
  async #take(id, corpus) {
    this.lines = await this.readList();
    if (this.corpus?.id === corpus || corpus === null) await this.show(id);
    else this.changed();
    return this.analysis?.id === id ? this.analysis : null;
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
  async remove(id) {
    // Of a corpus that is not in the list any more, nothing is left to show.
    if (this.result?.id === id) this.corpus ??= this.corpora[0] ?? null;
    await super.remove(id);
  }

  /** @param {string|undefined} corpus @returns {AnalysisLine|null} */
  #newestOf(corpus) {
    return this.lines.find(line => line.corpus === corpus) ?? null;
  }
}
