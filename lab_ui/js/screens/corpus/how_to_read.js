/** How to read the metrics of a view, in the words of the registry. Gets `metrics` and `view`. */
import { h } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';

/** Metrics by view, by their names in the registry. @type {Object<string, string[]|undefined>} */
const OF_VIEW = {
  overview: ['tokens', 'bytes_per_token', 'fertility', 'unknown_rate', 'premium', 'gini', 'zipf', 'milestones'],
  frequencies: ['types', 'vocabulary_utilisation', 'average_rank', 'renyi_efficiency', 'milestones', 'zipf'],
  languages: ['fertility', 'continued_word_rate', 'bytes_per_token', 'premium', 'parity', 'gini', 'unknown_rate'],
  lengths: ['lengths', 'lengths.share_above'],
};

/** @typedef {import('../../api/schema.d.ts').Metric} Metric */

export class HowToRead extends MenuButton {
  /** @type {Metric[]} */
  #metrics = [];
  #view = 'overview';
  #drawn = '';

  render() {
    super.render();
    this.label = 'Metrics';
    this.hint = 'How to read the metrics';
    this.hook = 'how-to-read';
    this.quiet = true;
    this.panel.classList.add('metric-help');
  }

  /** @param {Metric[]} metrics */
  set metrics(metrics) {
    this.#metrics = metrics;
    this.#draw();
  }

  /** @param {string} view */
  set view(view) {
    this.#view = view;
    this.hidden = !OF_VIEW[view];
    this.#draw();
  }

  #draw() {
    const version = `${this.#view} ${this.#metrics.length}`;
    if (version === this.#drawn) return;
    this.#drawn = version;
    const names = OF_VIEW[this.#view] ?? [];
    const shown = this.#metrics.filter(({ name }) =>
      names.some(wanted => name === wanted || name.startsWith(`${wanted}.`)),
    );
    this.panel.replaceChildren(
      ...shown.map(({ title, unit, aggregation, how_to_read: words }) =>
        h(
          'details',
          { class: 'metric' },
          h('summary', {}, title),
          h('p', { class: 'faint' }, `${unit}; ${aggregation}`),
          h('p', {}, words),
        ),
      ),
    );
  }
}

customElements.define('how-to-read-metrics', HowToRead);
