/**
 * Saves the trained tokenizer, a report, and the charts. Gets `formats`; reports `saveas` (detail: a format) and
 * `savereport` (detail: a format of reports).
 */
import { h } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { Seen } from '../../../util/seen.js';

/** @typedef {import('../../../api/trainings.js').TrainingFormat} TrainingFormat */

/** @type {Object<string, string|undefined>} */
const LABELS = { tiktoken: 'Rank file (.tiktoken)', sentencepiece: 'SentencePiece (.model)' };
/** What is offered before the lab has tried all formats. @type {TrainingFormat[]} */
const SURE = [{ format: 'tokenizer.json', title: 'tokenizer.json', problem: null }];
/** @type {[import('../../../api/trainings.js').ReportFormat, string][]} */
const REPORTS = [
  ['html', 'Report (HTML)'],
  ['md', 'Report (Markdown)'],
  ['csv', 'All steps (CSV)'],
  ['json', 'Everything (JSON)'],
];

export class SaveMenu extends MenuButton {
  #seen = new Seen();
  /** @type {HTMLElement|null} */
  #group = null;

  render() {
    super.render();
    this.label = 'Save as…';
    this.hook = 'save-tokenizer';
    this.formats = null;
    this.group(
      'Report',
      ...REPORTS.map(([format, label]) =>
        this.item(label, () => this.emit('savereport', format), { hook: `report-${format}` }),
      ),
    );
  }

  /** @param {TrainingFormat[]|null} formats null: not known yet */
  set formats(formats) {
    const shown = formats ?? SURE;
    if (this.open || this.#seen.again(shown)) return;
    const items = shown
      .filter(({ problem }) => problem === null)
      .map(({ format, title }) =>
        this.item(LABELS[format] ?? title, () => this.emit('saveas', format), { hook: `save-${format}` }),
      );
    const notes = shown
      .filter(({ problem }) => problem !== null)
      .map(({ title, problem }) => h('p', { class: 'faint save-note' }, `Not as ${title}: ${problem}.`));
    const before = this.#group;
    this.#group = this.group('Tokenizer', ...items, ...notes);
    if (before) before.replaceWith(this.#group);
    else this.panel.prepend(this.#group);
  }
}

customElements.define('save-tokenizer', SaveMenu);
