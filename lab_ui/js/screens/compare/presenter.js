/** The presentation of Compare: the text with the lanes of the tokenizers that are compared. */
import { TextPresenter } from '../../app/presentation/text_presenter.js';
import { lanesOf } from './lanes.js';
import { compared } from './settings.js';
import { Spellings } from '../../app/tokenizers/spellings.js';

/** @typedef {import('../../text/session_types.js').Answer} Answer */

export class ComparePresenter extends TextPresenter {
  owner = 'compare';
  /** @type {Spellings} */
  #spellings;

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    super.mount(root, context);
    this.#spellings = new Spellings(this.context, () => this.text.respell());
  }

  destroy() {
    super.destroy();
    this.#spellings.destroy();
  }

  get tokenizers() {
    return compared(this.context.settings);
  }

  /** @param {Answer} answer */
  lanesOf(answer) {
    return lanesOf(answer, this.context, this.#spellings);
  }

  /** @param {Answer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (answer && !isSettled) this.#spellings.retry();
    super.onAnswer(answer, isSettled);
  }
}
