/** Runs the form that puts a tokenizer together: what there is to choose from, the trial on a text, saving. */
import { listBlocks, tryRecipe } from '../../api/compose.js';
import { listen } from '../../ui/dom.js';
import { Latest } from '../../util/latest.js';

/** @typedef {import('../../api/compose.js').Recipe} Recipe */

export class Composer {
  #form;
  #context;
  /** @type {import('../../api/schema.d.ts').Blocks|null} */
  #blocks = null;
  #trial = new Latest();

  /**
   * @param {import('./compose_form.js').ComposeForm} form
   * @param {import('../../app/context.js').Context} context
   */
  constructor(form, context) {
    this.#form = form;
    this.#context = context;
    listen(form, 'try', detail => this.#try(detail));
    listen(form, 'save', detail => this.#save(detail));
  }

  /** Fills the form. */
  start() {
    return this.#attempt(() => this.#offerBases());
  }

  stop() {
    this.#trial.stop();
  }

  async #offerBases() {
    this.#blocks ??= await listBlocks();
    this.#form.start(
      this.#context.catalog.entries.filter(entry => entry.available && entry.source !== 'plug-in'),
      this.#blocks,
    );
  }

  /** @param {{recipe: Recipe, text: string}} trial */
  #try({ recipe, text }) {
    return this.#attempt(async () => {
      const result = await this.#trial.run(signal => tryRecipe(recipe, text, signal));
      if (result) this.#form.result = { ...result, text };
    });
  }

  /** @param {{recipe: Recipe, id: string}} kept */
  #save({ recipe, id }) {
    return this.#attempt(async () => {
      await this.#context.catalog.compose(recipe, id);
      await this.#offerBases();
    });
  }

  /** Runs something and shows its error in the form. @param {() => Promise<void>} work */
  async #attempt(work) {
    try {
      await this.#context.activity.track(work());
    } catch (error) {
      this.#form.problem = /** @type {Error} */ (error);
    }
  }
}
