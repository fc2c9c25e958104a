/** The charts of a training, one above the other, redrawn as values come in. Gets `show`. */
import { LabChart } from '../../ui/chart.js';
import { h, setText } from '../../ui/dom.js';
import { LabElement, onResize } from '../../ui/element.js';
import { compressionFigure, countFigure, lossFigure } from './figures.js';
import { Seen } from '../../util/seen.js';

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/trainings.js').TrainingCurve} TrainingCurve
 * @typedef {import('./figures.js').Reference} Reference
 */

const TITLES = {
  compression: 'Compression of the held-out text',
  counts: 'How often the merged pair occurs',
  loss: 'Loss per iteration',
};

export class ChartsColumn extends LabElement {
  #cells = { compression: new ChartCell(), second: new ChartCell() };
  /** @type {{training: Training, curve: TrainingCurve, chosen: Reference[]}|null} */
  #shown = null;
  #drawn = new Seen();
  /** Of the training that is shown. */
  #id = 0;

  render() {
    this.append(this.#cells.compression.element, this.#cells.second.element);
  }

  /** @param {AbortSignal} life */
  connected(life) {
    onResize(this, () => this.#draw(), life);
  }

  /** @param {Training} training @param {TrainingCurve|null} curve null: not read yet @param {Reference[]} chosen */
  show(training, curve, chosen) {
    this.#shown = curve && { training, curve, chosen };
    if (training.id !== this.#id) {
      this.#id = training.id;
      this.#drawn.forget();
      for (const cell of Object.values(this.#cells)) cell.clear();
    }
    this.#draw();
  }

  /** Settles when the charts are drawn. */
  get drawn() {
    return Promise.all(Object.values(this.#cells).map(cell => cell.chart.drawn));
  }

  /** @param {boolean} [isSecond] the charts have their size now, which they had not when they were drawn first */
  #draw(isSecond = false) {
    if (!this.#shown || !this.isConnected) return;
    const { training, curve, chosen } = this.#shown;
    const box = this.#cells.compression.box;
    const second = this.#cells.second.box;
    const { state, vocab_size: vocab, total, held_out: heldOut } = training;
    const values = [curve.points.length, curve.counts.length, curve.losses.length, curve.references];
    const key = [training.id, state, vocab, total, heldOut?.title, values, chosen, box, second];
    if (this.#drawn.again(key)) return;
    this.#cells.compression.show(compressionFigure(training, curve, chosen, box), TITLES.compression);
    const isUnigram = training.options.algorithm === 'unigram';
    this.#cells.second.show(
      isUnigram ? lossFigure(training, curve, second) : countFigure(training, curve, second),
      isUnigram ? TITLES.loss : TITLES.counts,
    );
    if (!isSecond) this.#draw(true);
  }
}

/** A chart, or why there is none. */
class ChartCell {
  chart = new LabChart();
  #title = h('p', { class: 'chart-title' });
  #reason = h('p', { class: 'dim' });
  #none = h('div', { class: 'train-no-chart' }, this.#title, this.#reason);
  #hasShown = false;
  element = h('section', { class: 'train-chart' }, this.#none);

  /** What follows is another chart, not more of this one. */
  clear() {
    this.#hasShown = false;
  }

  /** The drawing, px. */
  get box() {
    const plot = this.chart.querySelector('.chart-plot');
    const { clientWidth, clientHeight } = plot ?? this.element;
    return { width: clientWidth || 420, height: clientHeight || 300 };
  }

  /** @param {import('../../ui/chart_figure.js').ChartFigure|{reason: string}} found @param {string} title */
  show(found, title) {
    if ('reason' in found) {
      setText(this.#title, title);
      setText(this.#reason, found.reason);
      if (!this.#none.isConnected) this.element.replaceChildren(this.#none);
      this.#hasShown = false;
      return;
    }
    if (!this.chart.isConnected) this.element.replaceChildren(this.chart);
    this.chart.showFigure(found, { isNewer: this.#hasShown });
    this.#hasShown = true;
  }
}

customElements.define('train-charts', ChartsColumn);
