/** Files of charts: a picture as drawn (PDF, PNG, SVG) or the values (CSV), and the part of a menu that offers them. */
import { printPicture } from '../../picture/pdf.js';
import { pngOf } from '../../picture/png.js';
import { zipOf } from '../../picture/zip.js';
import { all, h } from '../../ui/dom.js';
import { figureSize } from './figure_size.js';

const SCALE = 2; // pixels of a picture for one of the screen
const PRINT_DPI = 300;
const SCREEN_DPI = 96;

/**
 * @typedef {'png'|'svg'|'csv'} ChartFormat
 * @typedef {import('../../ui/chart.js').LabChart} LabChart
 * @typedef {import('../../ui/chart_figure.js').ChartFigure} ChartFigure
 */

/** Of the files in a ZIP; a PDF is printed, one at a time. @type {ChartFormat[]} */
export const CHART_FORMATS = ['png', 'svg', 'csv'];
/** @type {(ChartFormat|'pdf')[]} */
const OFFERED = ['pdf', ...CHART_FORMATS];

/**
 * Makes a file of the chart that an element shows: with title, unit and key, and as it is zoomed.
 * @param {LabChart} element @param {ChartFormat} format
 * @param {Pick<import('../state/settings.js').Settings, 'get'>} settings of the size
 * @returns {Promise<{name: string, data: Blob}>}
 */
export async function chartFile(element, format, settings) {
  const { chart } = element;
  if (!chart) throw new Error('No chart is shown.');
  return { name: `${chart.name}.${format}`, data: await contentOf(element, chart, format, figureSize(settings)) };
}

/**
 * Prints the chart that an element shows, as `chartFile` draws it: to a file, or on paper.
 * @param {LabChart} element @param {Pick<import('../state/settings.js').Settings, 'get'>} settings of the size
 */
export async function printChart(element, settings) {
  const { svg } = await element.picture(figureSize(settings));
  await printPicture(svg, element.chart?.name ?? '');
}

/**
 * Makes one file of all charts of a result: each as PNG, SVG and CSV, drawn in `place`.
 * @param {string} name of the file @param {ChartFigure[]} figures @param {HTMLElement} place
 * @param {Pick<import('../state/settings.js').Settings, 'get'>} settings of the size
 * @returns {Promise<{name: string, data: Blob}>}
 */
export async function chartsFile(name, figures, place, settings) {
  const host = h('div', { hidden: true });
  place.append(host);
  try {
    const files = [];
    for (const figure of figures) {
      const chart = /** @type {LabChart} */ (h('lab-chart', {}));
      host.replaceChildren(chart);
      chart.showFigure(figure);
      for (const format of CHART_FORMATS) {
        const file = await chartFile(chart, format, settings);
        files.push({ name: file.name, data: new Uint8Array(await file.data.arrayBuffer()) });
      }
    }
    return { name: `${name}.zip`, data: zipOf(files) };
  } finally {
    host.remove();
  }
}

/**
 * Keeps a group in a menu that has a row per chart that is shown in `root`, with a button per format.
 * @param {import('../../ui/menu_button.js').MenuButton} menu
 * @param {HTMLElement} root
 * @param {HTMLElement} controls of their size, put above them
 * @param {(chart: LabChart, format: ChartFormat|'pdf') => void} save called when one is pressed
 * @param {() => void} saveAll called for all charts of the result, those of other views too
 */
export function offerCharts(menu, root, controls, save, saveAll) {
  const group = menu.group('Charts');
  const rows = h('div', { class: 'chart-files' });
  group.append(controls, rows, menu.item('All charts of this result (ZIP)', saveAll, { hook: 'charts-zip' }));
  const fill = () => {
    if (menu.open) return; // its buttons may have the focus
    const charts = /** @type {LabChart[]} */ (all(root, 'lab-chart')).filter(
      each => each.chart && each.checkVisibility(),
    );
    group.hidden = charts.length === 0;
    rows.replaceChildren(...charts.map(chart => rowOf(menu, chart, save)));
  };
  // Before it opens, so that it opens in its full size.
  for (const type of ['pointerenter', 'focusin']) menu.addEventListener(type, fill);
  fill();
}

/**
 * @param {import('../../ui/menu_button.js').MenuButton} menu @param {LabChart} element
 * @param {(chart: LabChart, format: ChartFormat|'pdf') => void} save
 */
function rowOf(menu, element, save) {
  const { name = '', title = '' } = element.chart ?? {};
  const items = OFFERED.map(format => {
    const label = format.toUpperCase();
    const item = menu.item(label, () => save(element, format), { hook: `chart-${name}-${format}` });
    item.ariaLabel = `${label}: ${title}`;
    return item;
  });
  return h('div', { class: 'chart-file' }, h('span', { class: 'grow' }, title), ...items);
}

/**
 * @param {LabChart} element @param {ChartFigure} chart @param {ChartFormat} format
 * @param {import('./figure_size.js').FigureSize} size
 * @returns {Promise<Blob>}
 */
async function contentOf(element, { title, subtitle, summary, csv }, format, size) {
  if (format === 'csv') return new Blob([csv ?? ''], { type: 'text/csv' });
  const picture = await element.picture(size);
  if (format === 'svg') return new Blob([picture.svg], { type: 'image/svg+xml' });
  const texts = { Title: title, Description: `${subtitle}. ${summary}` };
  if (size.widthCm === null) return pngOf(picture, SCALE, texts);
  return pngOf(picture, PRINT_DPI / SCREEN_DPI, texts, PRINT_DPI);
}
