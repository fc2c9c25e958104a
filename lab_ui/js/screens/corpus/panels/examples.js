/** The first documents of a language, under the tokenizers of the analysis that are installed. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { Latest } from '../../../util/latest.js';
import { LanguageExamplesDialog } from '../language_examples.js';

export class ExamplesPanel extends Panel {
  element = new LanguageExamplesDialog();
  #client;
  #asking = new Latest();

  /**
   * @param {import('../corpus_data.js').Host} screen
   * @param {Pick<typeof import('../../../api/corpora.js'), 'languageExamples'>} client
   */
  constructor(screen, client) {
    super();
    this.#client = client;
    listen(this.element, 'inspectexample', ({ text, name }) =>
      screen.inspect(text, `${screen.data.analysis?.corpus.title}, ${name}`),
    );
  }

  onHide() {
    this.#asking.stop();
  }

  /** @param {string} language @param {import('../corpus_state.js').Shown} shown */
  async show(language, { analysis, tokenizers }) {
    const { catalog } = this.context;
    const query = {
      corpus: analysis.corpus.id,
      language,
      tokenizers: tokenizers.map(({ id }) => id).filter(id => catalog.isUsable(id)),
    };
    const found = await this.#asking.run(signal => this.#client.languageExamples(query, signal));
    if (found) this.element.open(found, tokenizers);
  }
}
