/** The earlier analyses, and all differences of two of them. */
import { Panel } from '../../../app/panel.js';
import { lettersOf } from '../../../app/tokenizers/letters.js';
import { ComparisonDialog } from '../comparison_dialog.js';
import { ResultsMenu } from '../results_menu.js';

export class ResultsPanel extends Panel {
  element = new ResultsMenu();
  dialog = new ComparisonDialog();
  #screen;
  #client;
  #metrics;

  /**
   * @param {import('../corpus_data.js').Host} screen
   * @param {Pick<typeof import('../../../api/analyses.js'), 'compareAnalyses'|'changeFigures'>} client
   * @param {() => Promise<import('../../../api/schema.d.ts').Metric[]>} metrics
   */
  constructor(screen, client, metrics) {
    super();
    this.#screen = screen;
    this.#client = client;
    this.#metrics = metrics;
    screen.handle(this.element, 'openanalysis', id => screen.data.show(id));
    screen.handle(this.element, 'compareanalysis', id => screen.data.show(screen.data.analysis?.id ?? null, id));
    screen.handle(this.element, 'showdifferences', () => this.#showDifferences());
  }

  /** @param {import('../corpus_data.js').Told} told */
  onResult({ lines, analysis, before }) {
    this.element.show(lines, { analysis, before });
  }

  async #showDifferences() {
    const { analysis, other: before } = this.#screen.data;
    if (!analysis || !before) return;
    const ids = analysis.tokenizers.map(({ tokenizer }) => tokenizer);
    const letters = lettersOf(ids, this.context.catalog);
    const [changes, figures, metrics] = await Promise.all([
      this.#client.compareAnalyses(before.id, analysis.id),
      this.#client.changeFigures(before.id, analysis.id, letters),
      this.#metrics(),
    ]);
    /** @param {string} id */
    const nameOf = id => this.context.catalog.nameOf(id);
    await this.dialog.open({ analysis, before, changes, figures, metrics, nameOf });
  }
}
