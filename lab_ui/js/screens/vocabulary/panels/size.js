/** Fewer tokens: what a text costs if the vocabulary is shrunk to its first ones. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { problemWords } from '../../../util/format.js';
import { VocabularySize } from '../vocabulary_size.js';

const NOT_SHRUNK = 'This vocabulary cannot be shrunk: only BPE (by rank) and Unigram (by score) order their tokens.';

export class SizePanel extends Panel {
  element = new VocabularySize();
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
    listen(this.element, 'truncate', detail => this.#shrinkTo(detail));
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.element.text = context.session.text;
  }

  /** @param {{size: number, text: string}} wanted */
  #shrinkTo({ size, text }) {
    if (!/BPE|Unigram/.test(this.#screen.model())) {
      this.element.refuse(NOT_SHRUNK);
      return;
    }
    /** @param {Error & {code?: string}} error */
    const refuse = error => {
      if (error.code === 'bad_request') this.element.refuse(problemWords(error));
      else this.#screen.showError(error);
    };
    /** @param {import('../../../api/schema.d.ts').TruncatedVocabulary|null} answer */
    const show = answer => answer && this.element.show({ ...answer, text });
    this.context.activity.track(this.#source.truncate(size, text).then(show, refuse));
  }
}
