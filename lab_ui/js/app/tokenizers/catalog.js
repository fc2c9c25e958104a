/**
 * The tokenizers: those the lab knows, those in use, and their names and letters. Brings new ones in and takes them
 * out. Reports `change` when the entries, or what is being fetched, changed, and `refit` when the screen has other
 * reasons why one cannot be used. Which are in use is the setting `chosen`.
 */
import { keepRecipe } from '../../api/compose.js';
import { startHub, startKnown } from '../../api/jobs.js';
import { addFiles, listTokenizers, removeTokenizer, renameTokenizer } from '../../api/tokenizers.js';
import { Slots } from '../../text/slots.js';
import { FIRST_CHOICE, MOST_TOKENIZERS } from '../state/shared_settings.js';

const CLIENT = { keepRecipe, startHub, startKnown, addFiles, listTokenizers, removeTokenizer, renameTokenizer };

export class Catalog extends EventTarget {
  #settings;
  #jobs;
  #vocabulary;
  #client;
  #slots = new Slots();
  /** The letters that `#slots` knows; others were restored. */
  #letters = /** @type {Object<string, string>|null} */ (null);
  /** @type {import('../../api/schema.d.ts').CatalogEntry[]} */
  entries = [];
  /** @type {string[]} names of split patterns that vocabulary files can be read with */
  patterns = [];
  /** Ids and references of the tokenizers that are being fetched. @type {string[]} */
  fetching = [];

  /**
   * @param {import('../state/settings.js').Settings} settings
   * @param {import('../state/job_store.js').JobStore} jobs
   * @param {import('../../api/tokenizers.js').Vocabulary} vocabulary forgets a tokenizer that is removed
   * @param {typeof CLIENT} [client]
   */
  constructor(settings, jobs, vocabulary, client = CLIENT) {
    super();
    this.#settings = settings;
    this.#jobs = jobs;
    this.#vocabulary = vocabulary;
    this.#client = client;
    settings.on(['chosen'], () => this.#giveLetters());
  }

  /** Reads the entries. */
  async load() {
    const { tokenizers, patterns } = await this.#client.listTokenizers();
    this.patterns = patterns;
    this.#take(tokenizers);
  }

  /** Uses those of these tokenizers that can be used; without any, the first choice. @param {string[]} ids */
  choose(ids) {
    /** @param {string} id */
    const usable = id => this.isUsable(id);
    const chosen = ids.filter(usable);
    const first = FIRST_CHOICE.filter(usable);
    const others = this.entries.map(({ id }) => id).filter(usable);
    this.#settings.set({
      chosen: chosen.length ? chosen : first.length === FIRST_CHOICE.length ? first : others.slice(0, 2),
    });
  }

  /** @returns {string[]} ids of the tokenizers in use */
  get chosen() {
    return this.#settings.get('chosen');
  }

  /** @param {string|null|undefined} id */
  entry(id) {
    return this.entries.find(entry => entry.id === id) ?? null;
  }

  /** Whether a tokenizer is installed and can be read. @param {string} id */
  isUsable(id) {
    const entry = this.entry(id);
    return Boolean(entry?.available && !entry.problem);
  }

  /**
   * @param {string} id @returns {string} changes when the tokenizer of that id is another one: caches are kept by it
   */
  revisionOf(id) {
    const entry = this.entry(id);
    return `${id} ${entry?.sha256 ?? ''} ${entry?.revision ?? ''}`;
  }
  /** @param {string} id */
  nameOf(id) {
    return this.entry(id)?.name ?? id;
  }
  /** @param {string} id */
  letterOf(id) {
    return this.#slots.letter(id) ?? '?';
  }

  /** Uses a tokenizer. @param {string} id @returns {boolean} false: as many as there can be are in use */
  add(id) {
    if (this.chosen.includes(id)) return true;
    if (this.isFull) return false;
    this.#settings.set({ chosen: [...this.chosen, id] });
    return true;
  }
  get isFull() {
    return this.chosen.length >= MOST_TOKENIZERS;
  }

  /** What is shown on the screen may need other tokenizers now. */
  refit() {
    this.dispatchEvent(new Event('refit'));
  }

  /** Stops using a tokenizer. @param {string} id */
  remove(id) {
    this.#settings.set({ chosen: this.chosen.filter(other => other !== id) });
  }

  /**
   * Uses these tokenizers and no others, as far as they are here.
   * @param {string[]} ids
   * @returns {string[]} those that are known and missing
   */
  use(ids) {
    const here = ids.filter(id => this.entry(id)?.available);
    if (here.length) this.#settings.set({ chosen: here });
    return ids.filter(id => this.entry(id) && !here.includes(id));
  }

  /**
   * Fetches a known tokenizer's files and uses it.
   * @param {string} id @param {string} [token] of the user, for the Hub
   * @returns {Promise<string|null>} its id; null: it was stopped
   */
  fetch(id, token) {
    return this.#fetched(id, this.#client.startKnown(id, token));
  }

  /**
   * Fetches the tokenizer of a repository of the Hub and uses it.
   * @param {string} reference `OWNER/NAME[@REVISION]` @param {string} [token] of the user, for the Hub
   * @returns {Promise<string|null>} its id; null: it was stopped
   */
  fetchFromHub(reference, token) {
    return this.#fetched(reference, this.#client.startHub(reference, token));
  }

  /**
   * Keeps a tokenizer that was put together, and uses it. @param {import('../../api/compose.js').Recipe} recipe
   * @param {string} id
   */
  async compose(recipe, id) {
    await this.renew((await this.#client.keepRecipe(recipe, id)).id);
  }

  /**
   * Reads vocabulary files and uses their tokenizer.
   * @param {File[]} files @param {string} pattern
   * @returns {Promise<string>} its id
   */
  async addFiles(files, pattern) {
    const { id } = await this.#client.addFiles(files, { pattern });
    await this.renew(id);
    return id;
  }

  /** Gives a tokenizer another name. @param {string} id @param {string} name */
  async rename(id, name) {
    await this.#client.renameTokenizer(id, name);
    await this.renew();
  }

  /** Deletes a tokenizer. @param {string} id */
  async delete(id) {
    await this.#client.removeTokenizer(id);
    this.#vocabulary.forget(id);
    this.remove(id);
    await this.renew();
  }

  /** Reads the entries again. @param {string} [added] id of a new one, which is used */
  async renew(added) {
    this.#take((await this.#client.listTokenizers()).tokenizers);
    if (added && !this.add(added))
      throw Object.assign(new Error(`${added} is in the library, but ${MOST_TOKENIZERS} tokenizers are in use.`), {
        hint: 'Remove one to use it.',
      });
  }

  /** @param {string} name of what is fetched @param {Promise<import('../../api/schema.d.ts').Job>} start its job */
  async #fetched(name, start) {
    this.#setFetching([...this.fetching, name]);
    try {
      const entry = await this.#jobs.follow(await start);
      if (entry) await this.renew(entry.id);
      return entry?.id ?? null;
    } finally {
      this.#setFetching(this.fetching.filter(other => other !== name));
    }
  }

  /** @param {string[]} ids */
  #setFetching(ids) {
    this.fetching = ids;
    this.#changed();
  }

  /** @param {import('../../api/schema.d.ts').CatalogEntry[]} entries */
  #take(entries) {
    this.entries = entries;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }

  #giveLetters() {
    const letters = this.#settings.get('letters');
    if (letters !== this.#letters) this.#slots = new Slots(letters);
    this.#slots.keep(this.chosen);
    this.#letters = this.#slots.memory;
    this.#settings.set({ letters: this.#letters });
  }
}
