/** The earlier analyses: open one, or compare what is shown with one. */
import { drawnOnce, h } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';
import { plural, whenWords } from '../../util/format.js';

const MOST = 12; // of a list

/**
 * @typedef {import('../../api/schema.d.ts').AnalysisRow} AnalysisLine
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 */

export class ResultsMenu extends MenuButton {
  render() {
    super.render();
    this.label = 'Results';
    this.hook = 'results';
  }

  /**
   * @param {AnalysisLine[]} analyses the newest first
   * @param {{analysis: Analysis|null, before: Analysis|null}} shown
   */
  show(analyses, { analysis, before }) {
    this.hidden = analyses.length === 0;
    drawnOnce(this.panel, [analyses.map(({ id }) => id), analysis?.id, before?.id], () => [
      this.group('Open', ...analyses.slice(0, MOST).map(line => this.#line(line, 'openanalysis', analysis?.id))),
      this.#others(analyses, analysis, before),
    ]);
  }

  /** @param {AnalysisLine[]} analyses @param {Analysis|null} analysis @param {Analysis|null} before */
  #others(analyses, analysis, before) {
    const others = analyses.filter(line => line.corpus === analysis?.corpus.id && line.id !== analysis.id);
    if (!others.length) return null;
    const none = before
      ? [
          this.item('All differences…', () => this.emit('showdifferences'), { hook: 'differences' }),
          this.item('Compare with none', () => this.emit('compareanalysis', null)),
        ]
      : [];
    return this.group(
      'Compare with',
      ...none,
      ...others.slice(0, MOST).map(line => this.#line(line, 'compareanalysis', before?.id)),
    );
  }

  /** @param {AnalysisLine} line @param {string} event @param {number|null|undefined} chosen */
  #line(line, event, chosen) {
    const item = this.item('', () => this.emit(event, line.id));
    const tokenizers =
      line.tokenizers.length > 2 ? plural(line.tokenizers.length, 'tokenizer') : line.tokenizers.join(', ');
    item.replaceChildren(
      h(
        'span',
        { class: 'corpus-item' },
        h('bdi', {}, line.title),
        h('span', { class: 'faint' }, `${whenWords(line.made_at)} · ${tokenizers}`),
      ),
    );
    item.ariaPressed = String(line.id === chosen);
    item.dataset.analysis = String(line.id);
    return item;
  }
}

customElements.define('results-menu', ResultsMenu);
