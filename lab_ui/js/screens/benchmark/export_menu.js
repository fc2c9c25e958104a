/** Saves the run that is shown. Reports `saverun` (detail: a format). */
import { MenuButton } from '../../ui/menu_button.js';

const FORMATS = [
  ['html', 'Report (HTML)'],
  ['md', 'Report (Markdown)'],
  ['json', 'All results (JSON)'],
  ['csv', 'Table of results (CSV)'],
];

export class ExportMenu extends MenuButton {
  render() {
    super.render();
    this.label = 'Export';
    this.hook = 'export-benchmark';
    this.group(
      'Save as',
      ...FORMATS.map(([format, label]) =>
        this.item(label, () => this.emit('saverun', format), { hook: `benchmark-${format}` }),
      ),
    );
  }
}

customElements.define('export-benchmark', ExportMenu);
