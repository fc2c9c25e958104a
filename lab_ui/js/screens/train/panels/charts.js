/** The charts of the training, with the tokenizers in use as marks. */
import { Panel } from '../../../app/panel.js';
import { shortNames } from '../../../app/tokenizers/short_names.js';
import { listen } from '../../../ui/dom.js';
import { ChartsColumn } from '../charts_column.js';

export class ChartsPanel extends Panel {
  element = new ChartsColumn();
  #screen;

  /** @param {import('../train_data.js').Host} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
  }

  mount(context) {
    super.mount(context);
    listen(this.#screen.data, 'curvechange', () => this.onResult(this.#screen.data));
  }

  onState() {
    if (this.#screen.isActive) this.onShow();
  }

  onShow() {
    this.#screen.data.references = this.context.settings.get('chosen');
  }

  onResult({ training, curve }) {
    if (training) this.element.show(training, curve, this.#references);
  }

  get #references() {
    const { catalog } = this.context;
    const names = shortNames(
      catalog.chosen.map(id => catalog.nameOf(id)),
      true,
    );
    return catalog.chosen.map((id, n) => ({
      id,
      letter: catalog.letterOf(id),
      name: names[n],
      note: catalog.entry(id)?.lossy ?? '',
    }));
  }
}
