/** Saves the analysis that is shown. Reports `saveanalysis` (detail: a format). */
import { MenuButton } from '../../ui/menu_button.js';

const FORMATS = [
  ['html', 'Report with charts (HTML)'],
  ['md', 'Report (Markdown)'],
  ['tex', 'Table (LaTeX)'],
  ['json', 'All results (JSON)'],
  ['csv', 'Table of results (CSV)'],
  ['parquet', 'Counts of every token (Parquet)'],
];

export class ExportMenu extends MenuButton {
  render() {
    super.render();
    this.label = 'Export';
    this.hook = 'export-analysis';
    this.group(
      'Save as',
      ...FORMATS.map(([format, label]) =>
        this.item(label, () => this.emit('saveanalysis', format), { hook: `analysis-${format}` }),
      ),
    );
  }
}

customElements.define('export-analysis', ExportMenu);
