/** Saves the run that is shown. Reports `saverun` (detail: a format). */
import { MenuButton } from '../../ui/menu_button.js';

const FORMATS = [
  ['html', 'Report (HTML)'],
  ['md', 'Report (Markdown)'],
  ['json', 'All results (JSON)'],
  ['csv', 'Table of results (CSV)'],
];

export class ExportMenu extends MenuButton {
  /** @type {HTMLElement|null} */
  #files = null;

  /** Whether a run is shown; charts can be saved without one. @param {boolean} has */
  set hasRun(has) {
    if (this.#files) this.#files.hidden = !has;
  }

  render() {
    super.render();
    this.label = 'Export';
    this.hook = 'export-benchmark';
    this.#files = this.group(
      'Save as',
      ...FORMATS.map(([format, label]) =>
        this.item(label, () => this.emit('saverun', format), { hook: `benchmark-${format}` }),
      ),
    );
  }
}

customElements.define('export-benchmark', ExportMenu);
