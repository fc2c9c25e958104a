/**
 * A chart of lines, points, bars, a histogram or a heat map. Plotly draws it; it is loaded when the first chart is
 * shown and let go of when the chart leaves the page.
 *
 * Gets `show` with a `Chart` (`chart_data.js`). Colours and font come from the style sheet: the chart is drawn again
 * when the theme or the text size changes, and when its element has another size. Who does not see it reads the values
 * with the arrow keys, or in the table below. Series differ in pattern, dash and symbol as well as in colour.
 */
import { h, setText } from './dom.js';
import { LabElement, onResize, onTheme } from './element.js';
import { layoutOf, tablesOf, tracesOf } from './chart_data.js';
import { count, problemWords } from '../util/format.js';

const CONFIG = { displayModeBar: false, staticPlot: false, responsive: false, showTips: false, typesetMath: false };
const MOST_ROWS = 1000; // of the table
const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Where Plotly measures text; one for all charts of the page. */
const TESTER = 'js-plotly-tester';
let drawnCharts = 0;

/** @returns {Promise<any>} Plotly, of which `build_vendor.mjs` takes the traces named above */
const loadPlotly = async () => (await import(new URL('vendor/plotly.js', document.baseURI).href)).default;

export class LabChart extends LabElement {
  #plot = h('div', { class: 'chart-plot', tabIndex: 0, role: 'group', 'aria-roledescription': 'chart' });
  #title = h('figcaption');
  #said = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  #values = h('details', { class: 'chart-values', ontoggle: () => this.#fillTable() }, h('summary', {}, 'Values'));
  #table = h('div', { class: 'chart-table', tabIndex: 0, role: 'region' });
  /** @type {import('./chart_data.js').Chart|null} */
  #chart = null;
  #plotly = null;
  #graph = null;
  #frame = 0;
  #at = { series: 0, point: -1 };
  #drawing = Promise.resolve();

  /** @param {import('./chart_data.js').Chart} chart */
  show(chart) {
    this.#chart = chart;
    this.#at = { series: 0, point: -1 };
    setText(this.#title, chart.title);
    this.#plot.ariaLabel = `${chart.title}. Read the values with the arrow keys.`;
    this.#table.ariaLabel = `Values of ${chart.title}`;
    this.#fillTable();
    if (this.isConnected) this.#draw();
  }

  /** Settles when what was shown is drawn. */
  get drawn() {
    return this.#drawing;
  }

  render() {
    this.#values.append(this.#table);
    this.append(h('figure', {}, this.#title, this.#plot), this.#said, this.#values);
    this.#plot.addEventListener('keydown', event => this.#onKey(event));
    this.#plot.addEventListener('blur', () => this.#leave());
  }

  /** @param {AbortSignal} life */
  connected(life) {
    const redraw = () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.#draw());
    };
    onResize(this.#plot, redraw, life);
    onTheme(redraw, life);
    life.addEventListener('abort', () => this.#purge(), { once: true });
    this.#draw();
  }

  #draw() {
    this.#drawing = this.#drawNow().catch(error => {
      this.#plot.replaceChildren(h('p', { class: 'warning' }, `The chart cannot be drawn. ${problemWords(error)}`));
    });
  }

  async #drawNow() {
    const chart = this.#chart;
    this.#plotly ??= await loadPlotly();
    const { clientWidth: width, clientHeight: height } = this.#plot;
    if (chart !== this.#chart || !chart || !this.isConnected || !width || !height) return;
    if (!this.#graph) {
      this.#graph = h('div', { 'aria-hidden': 'true' });
      this.#plot.replaceChildren(this.#graph);
      drawnCharts++;
    }
    const look = this.#look();
    await this.#plotly.react(this.#graph, tracesOf(chart, look), layoutOf(chart, look, { width, height }), CONFIG);
    this.#fillTable();
  }

  /** @returns {import('./chart_data.js').Look} */
  #look() {
    const style = getComputedStyle(this);
    const colour = name => style.getPropertyValue(`--${name}`).trim();
    return {
      ink: colour('ink'),
      faint: colour('ink-2'),
      line: colour('line-2'),
      panel: colour('panel'),
      accent: colour('accent'),
      font: style.fontFamily,
      size: parseFloat(style.fontSize),
      letters: Object.fromEntries([...'ABCDEFGH'].map(letter => [letter, colour(letter.toLowerCase())])),
    };
  }

  #purge() {
    cancelAnimationFrame(this.#frame);
    if (!this.#graph) return;
    this.#plotly.purge(this.#graph);
    this.#graph = null;
    this.#plot.replaceChildren();
    if (--drawnCharts === 0) document.getElementById(TESTER)?.remove();
  }

  /** Bins as they are drawn. @returns {{from: number, to: number, count: number}[][]} none before the first drawing */
  get #bins() {
    const drawn = this.#graph?.calcdata ?? [];
    return (this.#chart?.series ?? []).map((series, n) =>
      series.kind === 'histogram' ? (drawn[n] ?? []).map(bin => ({ from: bin.ph0, to: bin.ph1, count: bin.s })) : [],
    );
  }

  #fillTable() {
    if (!this.#chart || !this.#values.open) return;
    this.#table.replaceChildren(...tablesOf(this.#chart, this.#bins).map(tableNode));
  }

  #onKey(event) {
    const rows = this.#chart && tablesOf(this.#chart, this.#bins);
    if (!rows?.length) return;
    const turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const step = STEPS[event.key];
    if ((turn ?? step) === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const points = this.#pointsOf(rows, this.#at.series);
    if (turn)
      this.#at = { series: (this.#at.series + turn + rows.length) % rows.length, point: Math.max(0, this.#at.point) };
    else this.#at.point = Math.min(points - 1, Math.max(0, this.#at.point + step));
    this.#tell(rows);
  }

  #pointsOf(rows, series) {
    const { head, rows: lines } = rows[series];
    return this.#chart.series[series].kind === 'heatmap' ? lines.length * (head.length - 1) : lines.length;
  }

  /** Says the value that the keys are at, and shows it where it is drawn. */
  #tell(rows) {
    const { series, point } = this.#at;
    const { head, rows: lines } = rows[series];
    const at = Math.min(point, this.#pointsOf(rows, series) - 1);
    if (at < 0) return;
    const isHeatmap = this.#chart.series[series].kind === 'heatmap';
    const columns = head.length - 1;
    const row = isHeatmap ? Math.floor(at / columns) : at;
    const column = isHeatmap ? 1 + (at % columns) : 1;
    const words = isHeatmap
      ? `${head[0].replace(' / ', ' ')}: ${lines[row][0]}, ${head[column]}: ${lines[row][column]}`
      : lines[row].map((value, n) => `${head[n]} ${value}`).join(', ');
    setText(this.#said, words);
    const pointNumber = isHeatmap ? [row, column - 1] : at;
    if (this.#graph) this.#plotly.Fx.hover(this.#graph, [{ curveNumber: series, pointNumber }]);
  }

  #leave() {
    setText(this.#said, '');
    if (this.#graph) this.#plotly.Fx.unhover(this.#graph);
  }
}

/** @param {{head: string[], rows: string[][]}} table */
function tableNode({ head, rows }) {
  const cells = ([first, ...rest]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('bdi', {}, first)),
      ...rest.map(value => h('td', { class: 'number' }, value)),
    );
  const more = rows.length - MOST_ROWS;
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...head.map(name => h('th', { scope: 'col' }, h('bdi', {}, name))))),
    h('tbody', {}, ...rows.slice(0, MOST_ROWS).map(cells)),
    more > 0 ? h('caption', {}, `The first ${count(MOST_ROWS)} rows; ${count(more)} more are drawn.`) : null,
  );
}

customElements.define('lab-chart', LabChart);
