/** The dialog with everything that differs between this analysis and an earlier one. Gets `open`. */
import { dialog } from '../../ui/dialog.js';
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { whenWords } from '../../util/format.js';
import { differenceNotes, differenceWords, languagesOf, rowsOf, titleOf, valueWords } from './comparison.js';

/**
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 * @typedef {import('../../api/analyses.js').AnalysisChanges} AnalysisChanges
 * @typedef {{analysis: Analysis, before: Analysis, changes: AnalysisChanges, metrics:
 *   import('../../api/analyses.js').Metric[], nameOf: (tokenizer: string) => string}} Comparison
 */

export class ComparisonDialog extends LabElement {
  #body = h('div', { class: 'comparison-body view-table', tabIndex: 0, role: 'region', ariaLabel: 'Differences' });
  #dialog = dialog({ label: 'Compared with an earlier analysis', class: 'comparison' }, this.#body);

  render() {
    this.append(this.#dialog);
  }

  /** @param {Comparison} comparison */
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
      ...(tokenizers.length ? [h('div', { class: 'comparison-tools' }, chosen, languages), table] : []),
    );
    if (tokenizers.length) follow();
    this.#dialog.showModal();
  }
}

/** @param {Comparison} comparison @param {string} tokenizer @param {string|null} language */
function metricTable({ changes, metrics }, tokenizer, language) {
  const rows = rowsOf(changes, tokenizer, language);
  if (!rows.length) return h('p', { class: 'dim' }, 'No number of the whole corpus differs.');
  return h(
    'table',
    { 'data-role': 'comparison-metrics' },
    head('metric', ['this run', 'earlier run', 'difference'], 'unit'),
    h(
      'tbody',
      {},
      ...rows.map(({ metric, unit, before, after, difference }) =>
        h(
          'tr',
          { 'data-metric': metric },
          h('th', { scope: 'row' }, titleOf(metric, metrics)),
          ...[valueWords(after), valueWords(before), differenceWords(difference)].map(words =>
            h('td', { class: 'number' }, words),
          ),
          h('td', { class: 'dim' }, unit),
        ),
      ),
    ),
  );
}

/** What the two were made with. @param {Comparison} comparison */
const settingsTable = ({ analysis, before, changes }) =>
  h(
    'table',
    { 'data-role': 'comparison-settings' },
    head('made with', ['this run', 'earlier run']),
    h(
      'tbody',
      {},
      ...[
        { name: 'date', after: whenWords(analysis.made_at), before: whenWords(before.made_at) },
        ...changes.settings,
      ].map(setting =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, setting.name),
          ...[setting.after, setting.before].map(words => h('td', { class: 'comparison-value' }, h('bdi', {}, words))),
        ),
      ),
    ),
  );

/** @param {string} first @param {string[]} names @param {string} [last] */
const head = (first, names, last) =>
  h(
    'thead',
    {},
    h(
      'tr',
      {},
      h('th', { scope: 'col' }, first),
      ...names.map(name => h('th', { scope: 'col', class: last ? 'number' : '' }, name)),
      last ? h('th', { scope: 'col' }, last) : null,
    ),
  );

/** @param {string[][]} pairs of value and label */
const options = pairs => pairs.map(([value, label]) => h('option', { value }, label));

/** @param {string[][]} pairs of value and label */
const select = pairs => h('select', {}, ...options(pairs));

customElements.define('comparison-dialog', ComparisonDialog);
