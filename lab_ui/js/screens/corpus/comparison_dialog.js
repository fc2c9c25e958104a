/** The dialog with everything that differs between this analysis and an earlier one. Gets `open`. */
import { dialog } from '../../ui/dialog.js';
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { FigureGrid } from '../../ui/figure_grid.js';
import { whenWords } from '../../util/format.js';
import { differenceNotes, differenceWords, languagesOf, rowsOf, titleOf, valueWords } from './comparison.js';
import { numbers, table } from '../../ui/table.js';

/**
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 * @typedef {import('../../api/schema.d.ts').AnalysisChanges} AnalysisChanges
 * @typedef {{analysis: Analysis, before: Analysis, changes: AnalysisChanges, figures:
 *   import('../../api/schema.d.ts').Figure[], metrics:
 *   import('../../api/schema.d.ts').Metric[], nameOf: (tokenizer: string) => string}} Comparison
 */

export class ComparisonDialog extends LabElement {
  #body = h('div', { class: 'comparison-body view-table', tabIndex: 0, role: 'region', ariaLabel: 'Differences' });
  #figures = new FigureGrid();
  #dialog = dialog({ label: 'Compared with an earlier analysis', class: 'comparison' }, this.#body);

  render() {
    this.append(this.#dialog);
  }

  /** Settles when the chart is drawn. @param {Comparison} comparison */
  open(comparison) {
    const { changes, nameOf } = comparison;
    const tokenizers = [...new Set(changes.metrics.map(({ tokenizer }) => tokenizer))];
    const table = h('div', {});
    const languages = h('select', { 'aria-label': 'Language', 'data-role': 'comparison-language' });
    const chosen = select(tokenizers.map(id => [id, nameOf(id)]));
    chosen.ariaLabel = 'Tokenizer';
    chosen.dataset.role = 'comparison-tokenizer';
    const draw = () => table.replaceChildren(metricTable(comparison, chosen.value, languages.value || null));
    const follow = () => {
      const found = languagesOf(changes, chosen.value);
      languages.replaceChildren(...options([['', 'Whole corpus'], ...found.map(name => [name, name])]));
      languages.hidden = !found.length;
      draw();
    };
    chosen.addEventListener('change', follow);
    languages.addEventListener('change', draw);
    this.#body.replaceChildren(
      ...differenceNotes(changes, nameOf).map(words => h('p', {}, words)),
      settingsTable(comparison),
      this.#figures,
      ...(tokenizers.length ? [h('div', { class: 'comparison-tools' }, chosen, languages), table] : []),
    );
    if (tokenizers.length) follow();
    this.#dialog.showModal();
    return this.#figures.show(comparison.figures);
  }
}

/** @param {Comparison} comparison @param {string} tokenizer @param {string|null} language */
function metricTable({ changes, metrics }, tokenizer, language) {
  const rows = rowsOf(changes, tokenizer, language);
  if (!rows.length) return h('p', { class: 'dim' }, 'No number of the whole corpus differs.');
  return table({
    properties: { 'data-role': 'comparison-metrics' },
    columns: ['metric', ...['this run', 'earlier run', 'difference'].map(numbers), { label: 'unit', className: 'dim' }],
    hasNames: true,
    rows: rows.map(({ metric, unit, before, after, difference }) => ({
      properties: { 'data-metric': metric },
      cells: [titleOf(metric, metrics), valueWords(after), valueWords(before), differenceWords(difference), unit],
    })),
  });
}

/** What the two were made with. @param {Comparison} comparison */
const settingsTable = ({ analysis, before, changes }) =>
  table({
    properties: { 'data-role': 'comparison-settings' },
    columns: ['made with', ...['this run', 'earlier run'].map(label => ({ label, className: 'comparison-value' }))],
    hasNames: true,
    rows: [
      { name: 'date', after: whenWords(analysis.made_at), before: whenWords(before.made_at) },
      ...changes.settings,
    ].map(({ name, after, before: earlier }) => [name, h('bdi', {}, after), h('bdi', {}, earlier)]),
  });

/** @param {string[][]} pairs of value and label */
const options = pairs => pairs.map(([value, label]) => h('option', { value }, label));

/** @param {string[][]} pairs of value and label */
const select = pairs => h('select', {}, ...options(pairs));

customElements.define('comparison-dialog', ComparisonDialog);
