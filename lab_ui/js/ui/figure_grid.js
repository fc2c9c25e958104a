/**
 * The charts of a view, in a grid. Gets `wait`, `show` and `more`; reports `pointpick` with what was chosen in a
 * chart, and `showmore` with the name of a chart that shows a part.
 */
import { actionButton, h, listen, update } from './dom.js';
import { LabElement } from './element.js';
import { LabChart } from './chart.js';

/**
 * @typedef {import('./chart_figure.js').ChartFigure} ChartFigure
 * @typedef {{name: string, title: string|null, reason: string|null}} Undrawn why a figure cannot be drawn
 */

export class FigureGrid extends LabElement {
  /** What each cell shows. A cell that was removed takes its figure along. @type {WeakMap<HTMLElement, object>} */
  #drawn = new WeakMap();
  /** Labels of the buttons that lead from a chart to all that it shows a part of. @type {Object<string, string>} */
  more = {};

  /** Says that figures are on their way, unless some are shown. */
  wait() {
    if (!this.childElementCount) this.append(h('p', { class: 'dim figures-coming' }, 'Loading the charts…'));
  }

  /**
   * @param {(import('../api/schema.d.ts').Figure|Undrawn)[]} figures those that cannot be drawn come after the others
   * @param {{isNewer?: boolean}} [options] `isNewer`: they have more values of what is shown, as in `LabChart`
   * @returns {Promise<void>} settles when they are drawn
   */
  async show(figures, { isNewer = false } = {}) {
    const shown = [...figures].sort((a, b) => Number('reason' in a) - Number('reason' in b));
    update(
      this,
      shown,
      ({ name }) => name,
      ({ name }) => h('section', { class: 'figure-cell', 'data-figure': name }),
      (cell, figure) => this.#write(cell, figure, isNewer),
    );
    await Promise.all(
      [.../** @type {NodeListOf<LabChart>} */ (this.querySelectorAll('lab-chart'))].map(chart => chart.drawn),
    );
  }

  /** @param {HTMLElement} cell @param {import('../api/schema.d.ts').Figure|Undrawn} figure @param {boolean} isNewer */
  #write(cell, figure, isNewer) {
    if (this.#drawn.get(cell) === figure) return;
    this.#drawn.set(cell, figure);
    if ('reason' in figure) {
      cell.replaceChildren(h('p', { class: 'chart-title' }, figure.title), h('p', { class: 'dim' }, figure.reason));
      return;
    }
    let chart = /** @type {LabChart|null} */ (cell.querySelector('lab-chart'));
    if (!chart) {
      chart = new LabChart();
      listen(chart, 'pointpick', detail => this.emit('pointpick', detail));
      cell.replaceChildren(chart, ...this.#moreOf(figure.name));
    }
    chart.showFigure(/** @type {ChartFigure} */ (figure), { isNewer });
  }

  /** @param {string} name */
  #moreOf(name) {
    const label = this.more[name];
    const onclick = () => this.emit('showmore', name);
    return label ? [actionButton(label, onclick, { class: 'button framed show-more' })] : [];
  }
}

customElements.define('figure-grid', FigureGrid);
