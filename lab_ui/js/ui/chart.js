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
/** @type {Object<string, number|undefined>} from one point to another */
const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
/** @type {Object<string, number|undefined>} from one series to another */
const SERIES_STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** Where Plotly measures text; one for all charts of the page. */
const TESTER = 'js-plotly-tester';
let drawnCharts = 0;

/**
 * @typedef {import('./chart_data.js').Chart} Chart
 * @typedef {{ph0: number, ph1: number, s: number}} DrawnBin its ends and its count
 * @typedef {HTMLElement & {calcdata?: DrawnBin[][]}} Graph `calcdata`: what Plotly computed, per series
 * @typedef {{curveNumber: number, pointNumber: number|number[]}} DrawnPoint
 * @typedef {{react: (graph: Graph, traces: Object[], layout: Object, config: Object) => Promise<unknown>, purge:
 *   (graph: Graph) => void, Fx: {hover: (graph: Graph, points: DrawnPoint[]) => void, unhover: (graph: Graph) =>
 *   void}}} Plotly the part of it that is used here
 * @typedef {{head: string[], rows: string[][]}} Table
 */

/** @returns {Promise<Plotly>} only with the traces that `plotly.entry.js` names */
const loadPlotly = async () => (await import(new URL('vendor/plotly.js', document.baseURI).href)).default;

export class LabChart extends LabElement {
  #plot = h('div', { class: 'chart-plot', tabIndex: 0, role: 'group', 'aria-roledescription': 'chart' });
  #title = h('figcaption');
  #said = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  #values = h('details', { class: 'chart-values', ontoggle: () => this.#fillTable() }, h('summary', {}, 'Values'));
  #table = h('div', { class: 'chart-table', tabIndex: 0, role: 'region' });
  /** @type {Chart|null} */
  #chart = null;
  /** @type {Plotly|null} */
  #plotly = null;
  /** @type {Graph|null} */
  #graph = null;
  #frame = 0;
  #at = { series: 0, point: -1 };
  #drawing = Promise.resolve();

  /** @param {Chart} chart */
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
      this.#purge();
      this.#plot.replaceChildren(h('p', { class: 'warning' }, `The chart cannot be drawn. ${problemWords(error)}`));
    });
  }

  async #drawNow() {
    const chart = this.#chart;
    const plotly = this.#plotly ?? (await loadPlotly());
    this.#plotly = plotly;
    const { clientWidth: width, clientHeight: height } = this.#plot;
    if (chart !== this.#chart || !chart || !this.isConnected || !width || !height) return;
    if (!this.#graph) {
      this.#graph = h('div', { 'aria-hidden': 'true' });
      this.#plot.replaceChildren(this.#graph);
      drawnCharts++;
    }
    const look = this.#look();
    await plotly.react(this.#graph, tracesOf(chart, look), layoutOf(chart, look, { width, height }), CONFIG);
    this.#fillTable();
  }

  /** @returns {import('./chart_data.js').Look} */
  #look() {
    const style = getComputedStyle(this);
    /** @param {string} name */
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
    this.#plotly?.purge(this.#graph);
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

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const chart = this.#chart;
    if (!chart?.series.length) return;
    const turn = SERIES_STEPS[event.key];
    const step = STEPS[event.key] ?? 0;
    if (!(turn || step) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const tables = tablesOf(chart, this.#bins);
    const { series, point } = this.#at;
    if (turn) this.#at = { series: (series + turn + tables.length) % tables.length, point: Math.max(0, point) };
    else this.#at.point = Math.min(pointCount(chart, tables, series) - 1, Math.max(0, point + step));
    this.#announce(chart, tables);
  }

  /**
   * Announces the value that the keys have reached, and shows it in the chart.
   * @param {Chart} chart @param {Table[]} tables
   */
  #announce(chart, tables) {
    const { series, point } = this.#at;
    const { head, rows } = tables[series];
    const at = Math.min(point, pointCount(chart, tables, series) - 1);
    if (at < 0) return;
    const isHeatmap = chart.series[series].kind === 'heatmap';
    const columns = head.length - 1;
    const row = isHeatmap ? Math.floor(at / columns) : at;
    const column = isHeatmap ? 1 + (at % columns) : 1;
    const words = isHeatmap
      ? `${head[0].replace(' / ', ' ')}: ${rows[row][0]}, ${head[column]}: ${rows[row][column]}`
      : rows[row].map((value, n) => `${head[n]} ${value}`).join(', ');
    setText(this.#said, words);
    const pointNumber = isHeatmap ? [row, column - 1] : at;
    if (this.#graph) this.#plotly?.Fx.hover(this.#graph, [{ curveNumber: series, pointNumber }]);
  }

  #leave() {
    setText(this.#said, '');
    if (this.#graph) this.#plotly?.Fx.unhover(this.#graph);
  }
}

/** Counts the points of a series. @param {Chart} chart @param {Table[]} tables @param {number} series */
function pointCount(chart, tables, series) {
  const { head, rows } = tables[series];
  return chart.series[series].kind === 'heatmap' ? rows.length * (head.length - 1) : rows.length;
}

/** @param {Table} table */
function tableNode({ head, rows }) {
  /** @param {string[]} row */
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
