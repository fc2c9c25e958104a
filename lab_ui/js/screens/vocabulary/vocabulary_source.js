/**
 * What Vocabulary asks the backend about one tokenizer: matches, entries, the audit, smaller vocabularies. The newest
 * question of each kind counts; the answer to a question about another tokenizer is dropped.
 */
import { auditVocabulary, searchVocabulary, truncateVocabulary, vocabularyToken } from '../../api/vocabulary.js';
import { EVERYTHING, isNarrow } from '../../api/vocabulary_query.js';
import { Latest } from '../../util/latest.js';
import { exampleSearches } from './example_searches.js';
import { PAGE } from './vocabulary_table.js';

export class VocabularySource {
  /** Id of the tokenizer; "" before one is chosen. */
  of = '';
  #revision = '';
  /** Audits by the revision of the tokenizer. @type {Map<string, import('../../api/schema.d.ts').Audit>} */
  #audits = new Map();
  #auditedOf = '';
  #searching = new Latest();
  #counting = new Latest();
  #opening = new Latest();
  #auditing = new Latest();
  #shrinking = new Latest();
  /** How many tokens of the whole vocabulary each filter would leave; null: not known yet. */
  whole = /** @type {import('../../api/schema.d.ts').Facets|null} */ (null);

  /**
   * Chooses a tokenizer.
   * @param {string} id @param {string} revision changes when another tokenizer has the id
   * @returns {boolean} whether it is another one than before
   */
  choose(id, revision) {
    if (id === this.of && revision === this.#revision) return false;
    this.of = id;
    this.#revision = revision;
    this.whole = null;
    return true;
  }

  stop() {
    const works = [this.#searching, this.#counting, this.#opening, this.#auditing, this.#shrinking];
    for (const work of works) work.stop();
  }

  /** @returns {import('../../api/schema.d.ts').Audit|null} null: it is not known yet */
  get audit() {
    return this.#audits.get(this.#revision) ?? null;
  }

  /** Searches to begin with. */
  get examples() {
    return exampleSearches(this.whole?.scripts ?? []);
  }

  /** The first page of what a query finds. @param {import('../../api/vocabulary_query.js').VocabularyQuery} query */
  async search(query) {
    const page = await this.#mine(this.#searching, signal => searchVocabulary(this.of, query, 0, PAGE, signal));
    if (page && !isNarrow(query)) this.whole = page.facets;
    return page;
  }

  /** Learns what filters would leave of the whole vocabulary, for who shows a part of it. */
  async countWhole() {
    const page = await this.#mine(this.#counting, signal => searchVocabulary(this.of, EVERYTHING, 0, 0, signal));
    this.whole = page?.facets ?? this.whole;
  }

  /**
   * The rows of a later page.
   * @param {import('../../api/vocabulary_query.js').VocabularyQuery} query @param {number} page
   */
  async rows(query, page) {
    return (await searchVocabulary(this.of, query, page * PAGE, PAGE)).tokens;
  }

  /** Everything about one token. @param {number} id */
  token(id) {
    return this.#mine(this.#opening, signal => vocabularyToken(this.of, id, signal));
  }

  /** A text under a smaller vocabulary. @param {number|null} size @param {string} text */
  truncate(size, text) {
    return this.#mine(this.#shrinking, signal => truncateVocabulary(this.of, size, text, signal));
  }

  /** Audits the vocabulary, once. @returns {Promise<boolean>} whether the audit is new */
  async askAudit() {
    const revision = this.#revision;
    if (this.audit || (this.#auditing.running && this.#auditedOf === revision)) return false;
    this.#auditedOf = revision;
    const audit = await this.#auditing.run(signal => auditVocabulary(this.of, signal));
    if (audit) this.#audits.set(revision, audit);
    return Boolean(audit) && revision === this.#revision;
  }

  /**
   * @template T
   * @param {Latest} work @param {(signal: AbortSignal) => Promise<T>} ask
   * @returns {Promise<T|null>} null: no longer wanted
   */
  async #mine(work, ask) {
    const revision = this.#revision;
    const answer = await work.run(ask);
    return revision === this.#revision ? (answer ?? null) : null;
  }
}
