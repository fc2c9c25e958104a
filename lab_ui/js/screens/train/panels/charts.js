/** The charts of the training, with the tokenizers in use as marks, redrawn as values come in. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { onResize } from '../../../ui/element.js';
import { FigureGrid } from '../../../ui/figure_grid.js';

export class ChartsPanel extends Panel {
  element = new FigureGrid();
  /** Settles when the charts are drawn. */
  drawn = Promise.resolve();
  #screen;
  #life = new AbortController();
  /** Of the training that is shown. */
  #id = 0;

  /** @param {import('../train_data.js').Host} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
    this.element.classList.add('train-charts');
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    listen(this.#screen.data, 'figureschange', () => this.onResult(this.#screen.data));
    onResize(this.element, () => this.#ask(), this.#life.signal);
  }

  onState() {
    this.#ask();
  }

  onShow() {
    this.#ask();
  }

  destroy() {
    this.#life.abort();
  }

  /** @param {Pick<import('../train_data.js').TrainData, 'training'|'figures'>} shown */
  onResult({ training, figures }) {
    if (!training || !figures) return;
    const isNewer = training.id === this.#id;
    this.#id = training.id;
    this.drawn = this.element.show([...figures.figures, ...figures.missing], { isNewer }).then(() => this.#ask());
  }

  /** Asks for charts with the tokenizers in use, and with names that fit into the drawing as it is now. */
  #ask() {
    if (!this.#screen.isActive) return;
    const { catalog } = this.context;
    const { clientWidth: width, clientHeight: height } = this.element.querySelector('.chart-plot') ?? this.element;
    const box = width && height ? { width, height } : {};
    this.#screen.data.drawing = {
      tokenizers: catalog.chosen,
      letters: catalog.chosen.map(id => catalog.letterOf(id)),
      ...box,
    };
  }
}
