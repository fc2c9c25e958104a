/** What leaves the Workshop: the result as a tokenizer of the Library, in Compare, its map of rows, the recipe. */
import * as client from '../../../api/edits.js';
import { saveFile } from '../../../app/files/files.js';
import { actionButton, h } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';

const MAP_FORMATS = ['csv', 'json', 'npz', 'parquet'];

/** @typedef {import('../../../api/edits.js').Edit} Edit */

export class HandOver {
  #context;
  #draft;
  #id = h('input', { type: 'text', id: 'workshop-id', spellcheck: false, placeholder: 'my-tokenizer' });
  /** The draft that was saved last, and as what. */
  #kept = { draft: '', id: '' };

  /**
   * @param {import('../../../app/context.js').Context} context @param {import('../draft.js').Draft} draft
   * @param {(work: () => Promise<void>) => void} attempt does something and shows its error
   */
  constructor(context, draft, attempt) {
    this.#context = context;
    this.#draft = draft;
    const maps = new MenuButton();
    maps.label = 'Map of rows';
    maps.panel.append(...MAP_FORMATS.map(format => maps.item(format, () => attempt(() => this.#saveMap(format)))));
    this.element = h(
      'div',
      { class: 'workshop-hand-over' },
      h('label', { for: 'workshop-id', class: 'visually-hidden' }, 'ID of the new tokenizer'),
      this.#id,
      actionButton('Save as tokenizer', () => attempt(() => this.#keep().then(() => {})), { class: 'button primary' }),
      actionButton('Save and compare', () => attempt(() => this.#compare())),
      maps,
    );
  }

  /** @returns {Promise<string>} its ID */
  async #keep() {
    const { catalog, status } = this.#context;
    const { base, edits } = this.#draft;
    const { id, name } = await client.keepEdits(base, edits, this.#id.value.trim());
    this.#kept = { draft: this.#draft.done?.draft ?? '', id };
    await catalog.renew();
    status.announce(`${name} is in the Library`);
    return id;
  }

  /** Opens Compare with the base and the result, which is saved first. */
  async #compare() {
    const { settings, router } = this.#context;
    const { draft, id } = this.#kept;
    const { base, done } = this.#draft;
    const result = draft && draft === done?.draft ? id : await this.#keep();
    settings.set({ chosen: [base, result] });
    router.go('compare');
  }

  async saveRecipe() {
    const { toml } = await client.writeRecipe(this.#draft.edits);
    saveFile(`${this.#draft.base}.toml`, new Blob([toml], { type: 'application/toml' }));
  }

  /** @param {string} format */
  async #saveMap(format) {
    const { base, edits } = this.#draft;
    const { name, data } = await client.mapOfRows(base, edits, format);
    saveFile(`${base}-${name}`, data);
  }
}
