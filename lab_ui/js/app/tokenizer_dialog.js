/** Connects the dialog that brings tokenizers in with the catalog. An error is shown in the dialog while it is open. */
import { listen } from '../ui/dom.js';

export class TokenizerDialog {
  #element;
  #catalog;
  #activity;
  #showError;

  /**
   * @param {import('./add_tokenizer.js').AddTokenizer} element in the page
   * @param {import('./catalog.js').Catalog} catalog
   * @param {import('./settings.js').Settings} settings
   * @param {import('./activity.js').Activity} activity
   * @param {(error: Error) => void} showError shows an error outside of the dialog
   */
  constructor(element, catalog, settings, activity, showError) {
    this.#element = element;
    this.#catalog = catalog;
    this.#activity = activity;
    this.#showError = showError;
    const draw = () => this.#draw();
    catalog.addEventListener('change', draw);
    settings.on(['chosen'], draw);
    listen(element, 'use', id => catalog.add(id));
    listen(element, 'remove', id => catalog.remove(id));
    listen(element, 'preset', ids => this.use(ids));
    listen(element, 'fetch', id => this.fetch(id));
    listen(element, 'files', ({ files, pattern }) => this.#try(catalog.addFiles(files, pattern)));
  }

  get isOpen() {
    return this.#element.querySelector('dialog').open;
  }

  open() {
    this.#draw();
    this.#element.open();
  }

  /** Uses these tokenizers; those that are missing are fetched. @param {string[]} ids */
  use(ids) {
    const fetched = this.#catalog.use(ids);
    if (!fetched.length) this.#element.close();
    for (const work of fetched) this.#try(work, false);
  }

  /** @param {string} id of a known tokenizer */
  fetch(id) {
    return this.#try(this.#catalog.fetch(id), false);
  }

  /** @param {string} id of a tokenizer whose files are deleted */
  delete(id) {
    return this.#try(this.#catalog.delete(id));
  }

  /** @param {Promise<void>} work @param {boolean} [isShort] a download is shown by its job instead */
  async #try(work, isShort = true) {
    this.#element.problem = null;
    try {
      await (isShort ? this.#activity.track(work) : work);
    } catch (error) {
      this.#element.problem = error;
      if (!this.isOpen) this.#showError(error);
    }
  }

  #draw() {
    const { entries, chosen, fetching, patterns } = this.#catalog;
    this.#element.patterns = patterns;
    this.#element.show({ entries, chosen, letterOf: id => this.#catalog.letterOf(id), busy: new Set(fetching) });
  }
}
