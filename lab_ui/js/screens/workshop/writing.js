/** Writing edits: the kinds that there are, what lists offer, and the dialog. */
import { listCorpora } from '../../api/corpora.js';
import { listKinds } from '../../api/edits.js';
import { listen } from '../../ui/dom.js';
import { EditForm } from './edit_form.js';
/** @import {EditKind} from '../../api/schema.d.ts' */

/** @typedef {import('../../api/edits.js').Edit} Edit */

export class Writing {
  #catalog;
  #put;
  form = new EditForm();
  /** By name in recipes; null: not known yet. @type {Object<string, EditKind>|null} */
  kinds = null;
  /** @type {{id: string, name: string}[]} */
  corpora = [];

  /**
   * @param {import('../../app/tokenizers/catalog.js').Catalog} catalog
   * @param {(at: number, edit: Edit) => void} put takes an edit that was written
   */
  constructor(catalog, put) {
    this.#catalog = catalog;
    this.#put = put;
    listen(this.form, 'edit', ({ at, edit }) => put(at, edit));
  }

  /** @returns {Promise<boolean>} whether the kinds are news */
  async load() {
    if (this.kinds) return false;
    const [{ kinds }, corpora] = await Promise.all([listKinds(), listCorpora()]);
    this.kinds = kinds;
    this.corpora = this.form.choices.corpus = corpora.map(({ id, title }) => ({ id, name: title }));
    return true;
  }

  /** Opens the dialog; an edit without options is taken at once. @param {number} at @param {Edit} edit */
  open(at, edit) {
    const kind = this.kinds?.[edit.kind];
    if (!kind) return;
    this.form.choices.tokenizer = this.#catalog.entries
      .filter(entry => entry.available && entry.source !== 'plug-in')
      .map(({ id, name }) => ({ id, name }));
    if (Object.keys(kind.options).length) this.form.open(kind, edit, at);
    else this.#put(at, edit);
  }
}
