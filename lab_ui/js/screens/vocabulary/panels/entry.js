/** The token that is chosen: its facts, how it was built, what it is a part of. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { VocabularyEntry } from '../vocabulary_entry.js';

export class EntryPanel extends Panel {
  element = new VocabularyEntry();
  #source;
  #screen;

  /**
   * @param {import('../vocabulary_source.js').VocabularySource} source
   * @param {{model: () => string, showError: (error: unknown) => void}} screen `model`: kind of the tokenizer's model
   */
  constructor(source, screen) {
    super();
    this.#source = source;
    this.#screen = screen;
    listen(this.element, 'trytext', text => this.#inspect(text));
  }

  /** @param {number} id of a token */
  open(id) {
    /** @param {import('../../../api/schema.d.ts').TokenDetail|null} detail */
    const show = detail => {
      if (!detail) return;
      this.element.show(detail, this.#screen.model());
      const { verdict, explanation } = detail.reachability;
      this.context.status.announce(`token ${id}, ${verdict}: ${explanation}`);
    };
    const work = this.#source.token(id).then(show, error => this.#screen.showError(error));
    return this.context.activity.track(work);
  }

  /** Opens a text in Inspect. @param {string} text */
  #inspect(text) {
    this.context.settings.set({ active: this.#source.of });
    this.context.session.setText(text);
    this.context.router.go('inspect');
  }
}
