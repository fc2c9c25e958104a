/** What can be saved, shared and cited of what is shown: as commands, and as the content of the menu "Export". */
import { listen } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { copyLink } from '../state/address.js';

/** @type {{format: Parameters<import('./exports.js').Exports['save']>[0], item: string, label: string, also: string}[]}
 */
const FORMATS = [
  { format: 'html', item: 'Page (HTML)', label: 'Save as one page (HTML)', also: '' },
  { format: 'handout', item: 'Handout (HTML)', label: 'Save as a handout that encodes new text (HTML)', also: 'teach' },
  {
    format: 'folder',
    item: 'Handout for a web server (ZIP)',
    label: 'Save as a folder for a web server, with links (ZIP)',
    also: 'teach share site',
  },
  { format: 'pdf', item: 'Picture (PDF)', label: 'Print the whole text as a picture (PDF)', also: 'image figure' },
  { format: 'svg', item: 'Picture (SVG)', label: 'Save the whole text as a picture (SVG)', also: 'image figure' },
  { format: 'png', item: 'Picture (PNG)', label: 'Save the whole text as a picture (PNG)', also: 'image figure' },
  { format: 'csv', item: 'Tokens (CSV)', label: 'Save as a table (CSV)', also: 'spreadsheet' },
  { format: 'json', item: 'Data (JSON)', label: 'Save as data (JSON)', also: '' },
  {
    format: 'suite',
    item: 'Expected IDs (JSON)',
    label: 'Save the IDs as a suite to check again (JSON)',
    also: 'test ci suite',
  },
  { format: 'tex', item: 'Table of counts (LaTeX)', label: 'Save the table of counts (LaTeX)', also: 'tex' },
];
const WIDTHS = [
  { value: 'window', label: 'Window' },
  { value: 'page', label: '720 px' },
  { value: 'column', label: '480 px' },
];
const COPY_LINK = 'Copy the link';
const CITE = 'Cite…';

/**
 * @param {import('../context.js').Context} context @param {import('./exports.js').Exports} exports
 * @returns {import('../commands/command.js').Command[]}
 */
export const exportCommands = (context, exports) => [
  { label: 'Copy link to this view', also: 'export permalink url share address', run: () => copyLink(context) },
  ...FORMATS.map(({ format, label, also }) => ({
    label,
    also: `export download file ${also}`,
    run: () => exports.save(format),
  })),
  { label: CITE, also: 'export bibtex reference paper', run: () => exports.cite() },
];

/**
 * Fills the menu.
 * @param {import('../../ui/menu_button.js').MenuButton} menu
 * @param {() => import('../context.js').Context} context of the screen that is shown
 * @param {import('./exports.js').Exports} exports
 */
export function fillExportMenu(menu, context, exports) {
  const { settings } = context();
  const width = new SegmentedControl();
  width.ariaLabel = 'Width of pictures';
  width.options = WIDTHS;
  const draw = () => {
    width.value = settings.get('pictureWidth');
  };
  listen(width, 'valuechange', pictureWidth => settings.set({ pictureWidth }));
  settings.on(['pictureWidth'], draw);
  draw();
  menu.group(
    'Share',
    menu.item(COPY_LINK, () => copyLink(context()), { hook: 'copy-link' }),
  );
  menu.group(
    'Save as',
    ...FORMATS.map(({ format, item }) => menu.item(item, () => exports.save(format), { hook: `save-${format}` })),
  );
  menu.group('Width of pictures', width);
  menu.group(
    'Paper',
    menu.item(CITE, () => exports.cite(), { hook: 'cite' }),
  );
}
