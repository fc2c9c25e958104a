/**
 * A measurement of cost: its words, its options, a button that starts it, the charts of its result. Gets `show`;
 * reports `measurecost` (detail: the chosen options).
 */
import { FigureGrid } from '../../ui/figure_grid.js';
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';

/**
 * @typedef {{name: string, label: string, options: {value: string, label: string}[]}} Choice
 * @typedef {{title: string, words: string, choices?: Choice[]}} Description
 */

export class CostView extends LabElement {
  /** @type {Map<string, HTMLSelectElement>} */
  #choices = new Map();
  #tools = h('div', { class: 'cost-tools' });
  #title = h('h2', { class: 'result-title' });
  #words = h('p', { class: 'bench-caption' });
  #subjects = h('p', { class: 'dim cost-subjects' });
  #figures = new FigureGrid();
  #run = h(
    'button',
    {
      type: 'button',
      class: 'button primary',
      'data-role': 'measure-cost',
      onclick: () => this.emit('measurecost', this.#chosen),
    },
    'Measure',
  );
  /** @type {Object[]|null} */
  #drawn = null;

  render() {
    this.append(
      h('div', { class: 'cost-head' }, h('div', { class: 'grow' }, this.#title, this.#words), this.#tools),
      this.#subjects,
      this.#figures,
    );
  }

  /** @param {Description} description */
  set description({ title, words, choices = [] }) {
    setText(this.#title, title);
    setText(this.#words, words);
    for (const { name, label, options } of choices) {
      const items = options.map(one => h('option', { value: one.value }, one.label));
      const select = h('select', { 'data-role': `cost-${name}` }, ...items);
      this.#choices.set(name, select);
      this.#tools.append(h('label', { class: 'menu-field' }, label, select));
    }
    this.#tools.append(this.#run);
  }

  /**
   * @param {{figures: any[]|null, tokenizers: string[], isBusy: boolean, problem: string}} shown `figures`: null before
   *   the first measurement; `tokenizers`: names of those that are measured
   */
  show({ figures, tokenizers, isBusy, problem }) {
    this.#run.disabled = isBusy || problem !== '';
    this.#run.title = isBusy ? 'A measurement is under way' : problem;
    const what = figures ? '' : problem || `Measures ${tokenizers.join(', ')}.`;
    setText(this.#subjects, what);
    this.#subjects.hidden = what === '';
    if (figures === this.#drawn) return;
    this.#drawn = figures;
    this.#figures.show(figures ?? []);
  }

  /** What the choices say, by name. @returns {Object<string, string>} */
  get #chosen() {
    return Object.fromEntries([...this.#choices].map(([name, select]) => [name, select.value]));
  }
}

customElements.define('cost-view', CostView);
