/**
 * Connects the dialog that brings tokenizers in with the catalog. What was added is shown at once, and the dialog
 * closes. An error is shown in the dialog while it is open.
 */
import { listen } from '../../ui/dom.js';
import { isRankFile } from './rank_file.js';

export class TokenizerDialog {
  #element;
  #catalog;
  #settings;
  #activity;
  #showError;
  /**
   * Asks again, with a token of the Hub, for what the error that is shown refused.
   * @type {((token: string) => void)|null}
   */
  #retry = null;

  /**
   * @param {import('./add_tokenizer.js').AddTokenizer} element in the page
   * @param {import('./catalog.js').Catalog} catalog
   * @param {import('../state/settings.js').Settings} settings
   * @param {import('../state/activity.js').Activity} activity
   * @param {import('../state/job_store.js').JobStore} jobs
   * @param {(error: Error) => void} showError shows an error outside of the dialog
   */
  constructor(element, catalog, settings, activity, jobs, showError) {
    this.#element = element;
    this.#catalog = catalog;
    this.#settings = settings;
    this.#activity = activity;
    this.#showError = showError;
    const draw = () => this.#draw();
    catalog.addEventListener('change', draw);
    settings.on(['chosen', 'sets'], draw);
    jobs.addEventListener('change', () => {
      element.jobs = jobs.jobs;
    });
    listen(element, 'use', id => this.#add(id));
    listen(element, 'fetch', id => this.#fetchKnown(id));
    listen(element, 'hub', reference => this.#fetch(token => catalog.fetchFromHub(reference, token)));
    listen(element, 'token', token => this.#retry?.(token));
    listen(element, 'files', ({ files, pattern }) => this.addFiles(files, pattern));
    listen(element, 'useset', name => this.useSet(name));
    listen(element, 'saveset', name => settings.set({ sets: { ...settings.get('sets'), [name]: catalog.chosen } }));
    listen(element, 'deleteset', name => {
      const { [name]: _, ...sets } = settings.get('sets');
      settings.set({ sets });
    });
    listen(element, 'stop', id => jobs.stop(id).catch(error => this.#fail(error)));
  }

  get isOpen() {
    return this.#element.isOpen;
  }

  /** @param {string} [query] to search for */
  open(query) {
    this.#element.open(query);
    this.#draw();
  }

  /** Lets the user choose vocabulary files with the system's own dialog. */
  openFiles() {
    this.#element.openFiles();
  }

  /** Uses these tokenizers; those that are missing are fetched. @param {string[]} ids */
  use(ids) {
    for (const id of this.#catalog.use(ids)) this.#fetchKnown(id);
  }

  /** Uses the tokenizers of a set and no others. @param {string} name */
  useSet(name) {
    this.#element.close();
    this.use(this.#settings.get('sets')[name]);
  }

  /** @param {string} id of a tokenizer whose files are deleted */
  delete(id) {
    return this.#activity.track(this.#try(this.#catalog.delete(id)));
  }

  /** Uses one that is here and shows it. @param {string} id */
  #add(id) {
    this.#catalog.add(id);
    this.#shown(id);
  }

  /** @param {string} id */
  #fetchKnown(id) {
    return this.#fetch(token => this.#catalog.fetch(id, token));
  }

  /** @param {(token?: string) => Promise<string|null>} fetch @param {string} [token] of the user, for the Hub */
  #fetch(fetch, token) {
    return this.#try(fetch(token), error => {
      this.#fail(error, another => this.#fetch(fetch, another));
      return true;
    });
  }

  /**
   * Adds the tokenizer that files make; opens to ask for a split pattern if they need one.
   * @param {File[]} files @param {string} [pattern]
   */
  async addFiles(files, pattern = '') {
    const isAsked = !pattern && (await isRankFile(files));
    return this.#activity.track(
      this.#try(this.#catalog.addFiles(files, pattern), error => {
        // Published rank files are recognised; the pattern of any other is not known.
        if (!isAsked || error.code !== 'load_error') return false;
        this.#element.askPattern(files);
        return true;
      }),
    );
  }

  /**
   * @param {Promise<string|null|void>} work the id that it added, if any
   * @param {(error: Error & {code?: string}) => boolean} [isHandled] takes care of an error
   */
  async #try(work, isHandled = () => false) {
    this.#show(null);
    try {
      const added = await work;
      if (added) this.#shown(added);
    } catch (error) {
      if (!isHandled(/** @type {Error} */ (error))) this.#fail(/** @type {Error} */ (error));
    }
  }

  /**
   * Shows what was added from the dialog; what arrives after it was closed changes nothing on the screen.
   * @param {string} id
   */
  #shown(id) {
    if (this.isOpen || !this.#catalog.fetching.length) this.#settings.set({ active: id });
    if (this.isOpen && !this.#catalog.fetching.length) this.#element.close();
  }

  /** @param {Error} error @param {((token: string) => void)|null} [retry] fetches what failed with a token */
  #fail(error, retry = null) {
    this.#show(error, retry);
    if (!this.isOpen) this.#showError(error);
  }

  /**
   * A token that is typed belongs to the error it is typed under, whatever else is being fetched.
   * @param {Error|null} error @param {((token: string) => void)|null} [retry] fetches what failed with a token
   */
  #show(error, retry = null) {
    this.#retry = retry;
    this.#element.problem = error;
  }

  #draw() {
    const { entries, chosen, fetching, patterns } = this.#catalog;
    this.#element.patterns = patterns;
    /** @param {string} id */
    const letterOf = id => this.#catalog.letterOf(id);
    this.#element.show({ entries, chosen, letterOf, busy: new Set(fetching), sets: this.#settings.get('sets') });
  }
}
