/**
 * A chart of the backend (`lab_app/charts`). Plotly draws it; it is loaded when the first chart is shown and let go of
 * when the chart leaves the page.
 *
 * Gets `showFigure` with a `ChartFigure` (`chart_figure.js`), again and again if work goes on. Reports `pointpick` with
 * `{chart, data}` if a point that has own data (`customdata`) is clicked, or chosen with Enter. Colours and font come
 * from the style sheet: the chart is drawn again when the theme or the text size changes, and when its element has
 * another size.
 *
 * Drag to zoom, double click for the whole. On the keyboard: arrows read the values, + and - zoom, 0 shows the whole.
 */
import { h, setText } from './dom.js';
import { LabElement, onResize, onTheme } from './element.js';
import {
  AS_DRAWN,
  axesOf,
  cellWords,
  fitted,
  framed,
  inCentimetres,
  pictureSize,
  placeOf,
  pointCount,
  pointWords,
  readable,
  themed,
  zoomed,
} from './chart_figure.js';
import { count, problemWords } from '../util/format.js';

const CONFIG = { displayModeBar: false, doubleClick: 'reset', responsive: false, showTips: false, typesetMath: false };
const MOST_ROWS = 1000; // of the table
const PICTURE = { width: 900, height: 420 }; // px, if the chart was not drawn
const HELP = 'Read the values with the arrow keys, zoom with + and −, show the whole with 0.';
/** @type {Object<string, number|undefined>} from one point to another */
const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
/** @type {Object<string, number|undefined>} from one series to another */
const SERIES_STEPS = { ArrowDown: 1, ArrowUp: -1 };
/** @type {Object<string, number|undefined>} share of the range that is shown after */
const ZOOMS = { '+': 0.5, '=': 0.5, '-': 2 };

/** Where Plotly measures text; one for all charts of the page. */
const TESTER = 'js-plotly-tester';
let madeCharts = 0;
let drawnCharts = 0;

/**
 * @typedef {import('./chart_figure.js').ChartFigure} ChartFigure
 * @typedef {import('./chart_figure.js').ChartTable} ChartTable
 * @typedef {{points: {customdata?: any}[]}} Clicked
 * @typedef {HTMLElement & {on: (type: string, handler: (event: any) => void) => void,
 *   _fullLayout: Object<string, any>}} Graph an element that Plotly has drawn into
 * @typedef {{curveNumber: number, pointNumber: number|number[]}} DrawnPoint
 * @typedef {{react: (graph: HTMLElement, traces: Object[], layout: Object, config: Object) => Promise<unknown>, purge:
 *   (graph: HTMLElement) => void, relayout: (graph: HTMLElement, changes: Object) => Promise<unknown>, toImage:
 *   (figure: Object, options: Object) => Promise<string>, Fx: {hover: (graph: HTMLElement, points: DrawnPoint[],
 *   subplot: string) => void, unhover: (graph: HTMLElement) => void}}} Plotly the part of it that is used here
 */

/** @returns {Promise<Plotly>} only with the traces that `plotly.entry.js` names */
const loadPlotly = async () => (await import(new URL('vendor/plotly.js', document.baseURI).href)).default;

export class LabChart extends LabElement {
  #summary = h('p', { class: 'visually-hidden', id: `chart-summary-${++madeCharts}` });
  #plot = h('div', {
    class: 'chart-plot',
    tabIndex: 0,
    role: 'group',
    'aria-roledescription': 'chart',
    'aria-describedby': this.#summary.id,
  });
  #title = h('span', { class: 'chart-title' });
  #answer = h('span', { class: 'chart-answer' });
  #subtitle = h('span', { class: 'chart-subtitle' });
  #message = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  #open = h('summary', {}, 'Values');
  #values = h('details', { class: 'chart-values', ontoggle: () => this.#fillTable() }, this.#open);
  #table = h('div', { class: 'chart-table', tabIndex: 0, role: 'region' });
  /** @type {ChartFigure|null} */
  #chart = null;
  /** @type {Plotly|null} */
  #plotly = null;
  /** @type {HTMLElement|null} */
  #graph = null;
  #shown = 0;
  /** Of what `#shown` was when it was drawn last. */
  #drawnAs = 0;
  /** Whether the keys have zoomed. */
  #isZoomed = false;
  #frame = 0;
  #at = { series: 0, point: -1 };
  #drawing = Promise.resolve();

  /**
   * @param {ChartFigure} chart
   * @param {{isNewer?: boolean}} [options] `isNewer`: it has more values of the chart that is shown, whose zoom and
   *   place of the keys stay
   */
  showFigure(chart, { isNewer = false } = {}) {
    this.#chart = chart;
    if (!isNewer) {
      this.#shown++;
      this.#isZoomed = false;
      this.#at = { series: 0, point: -1 };
    }
    this.dataset.role = 'chart';
    this.dataset.chart = chart.name;
    setText(this.#title, chart.title);
    setText(this.#answer, chart.answer ?? '');
    setText(this.#subtitle, chart.subtitle);
    setText(this.#summary, chart.summary);
    const { height } = chart.figure.layout;
    this.#plot.style.height = height ? `${height}px` : '';
    this.#plot.ariaLabel = `${chart.title}. ${HELP}`;
    this.#open.ariaLabel = this.#table.ariaLabel = `Values of ${chart.title}`;
    this.#fillTable();
    if (this.isConnected) this.#draw();
  }

  /** The chart that is shown. @returns {ChartFigure|null} */
  get chart() {
    return this.#chart;
  }

  /** Settles when what was shown is drawn. */
  get drawn() {
    return this.#drawing;
  }

  /**
   * The chart as a picture of its own, with title, unit and key, as it is drawn now; for a paper, in the colours of
   * one.
   * @param {import('./chart_figure.js').FigureSize} [wanted]
   * @returns {Promise<{svg: string, width: number, height: number}>} size in px
   */
  async picture(wanted = AS_DRAWN) {
    const chart = this.#chart;
    if (!chart) throw new Error('No chart is shown.');
    this.#plotly ??= await loadPlotly();
    const { clientWidth, clientHeight } = this.#plot;
    const { height: own = PICTURE.height } = chart.figure.layout;
    const box =
      clientWidth && clientHeight ? { width: clientWidth, height: clientHeight } : { ...PICTURE, height: own };
    const size = pictureSize(box, this.#textPx, wanted);
    this.classList.toggle('on-paper', wanted.widthCm !== null);
    const { data, layout } = this.#themed(chart, size, size.text);
    const paper = this.#colour('panel');
    this.classList.remove('on-paper');
    const whole = framed(this.#withRanges(layout), chart, paper, wanted.hasTitle);
    const { width } = size;
    const { height } = whole;
    const options = { format: 'svg', width, height, imageDataOnly: true };
    const svg = await this.#plotly.toImage({ data, layout: whole, config: CONFIG }, options);
    return { svg: inCentimetres(svg, { width, height }, wanted), width, height };
  }

  render() {
    this.#values.append(this.#table);
    this.append(
      h('figure', {}, h('figcaption', {}, this.#title, this.#answer, this.#subtitle), this.#plot),
      this.#summary,
      this.#message,
      this.#values,
    );
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
    if (!chart) return;
    if (!this.#graph) this.#plot.replaceChildren(h('p', { class: 'dim' }, 'Drawing the chart…'));
    const plotly = this.#plotly ?? (await loadPlotly());
    this.#plotly = plotly;
    const { clientWidth: width, clientHeight: height } = this.#plot;
    if (chart !== this.#chart || !chart || !this.isConnected || !width || !height) return;
    const isNew = !this.#graph;
    const graph = this.#graph ?? h('div', { 'aria-hidden': 'true' });
    if (isNew) {
      this.#graph = graph;
      this.#plot.replaceChildren(graph);
      drawnCharts++;
    }
    const { data, layout } = this.#themed(chart, { width, height });
    // Plotly keeps what was dragged by itself, but not what the keys have zoomed to.
    const kept = this.#drawnAs === this.#shown && this.#isZoomed ? this.#withRanges(layout) : layout;
    this.#drawnAs = this.#shown;
    await plotly.react(graph, data, { ...kept, uirevision: this.#shown }, CONFIG);
    if (isNew && graph === this.#graph)
      /** @type {Graph} */ (graph).on('plotly_click', (/** @type {Clicked} */ { points }) =>
        this.#pick(points[0]?.customdata),
      );
  }

  /**
   * @param {ChartFigure} chart
   * @param {{width: number, height: number}} box px
   * @param {number} [text] size of it, px
   */
  #themed({ figure }, box, text = this.#textPx) {
    const { data, layout } = themed(figure, name => this.#colour(name));
    return { data, layout: fitted(layout, box, text) };
  }

  get #textPx() {
    return parseFloat(getComputedStyle(this).fontSize);
  }

  /** @param {string} name */
  #colour(name) {
    return getComputedStyle(this).getPropertyValue(`--${name}`).trim();
  }

  /** The layout with the ranges that are zoomed to. @param {Object<string, any>} layout */
  #withRanges(layout) {
    const made = { ...layout };
    const drawn = this.#drawnLayout;
    for (const name of axesOf(layout)) {
      const range = drawn?.[name]?.range;
      if (range) made[name] = { ...layout[name], range: [...range], autorange: false };
    }
    return made;
  }

  /** @returns {Object<string, any>|undefined} what Plotly made of the layout */
  get #drawnLayout() {
    return /** @type {Graph|null} */ (this.#graph)?._fullLayout;
  }

  #purge() {
    cancelAnimationFrame(this.#frame);
    if (!this.#graph) return;
    this.#plotly?.purge(this.#graph);
    this.#graph = null;
    this.#plot.replaceChildren();
    if (--drawnCharts === 0) document.getElementById(TESTER)?.remove();
  }

  #fillTable() {
    if (this.#chart && this.#values.open) this.#table.replaceChildren(tableNode(this.#chart.table));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const chart = this.#chart;
    if (!chart || event.altKey || event.ctrlKey || event.metaKey) return;
    const { data } = chart.figure;
    const places = readable(data);
    const turn = SERIES_STEPS[event.key];
    const step = STEPS[event.key];
    const zoom = ZOOMS[event.key];
    const { series, point } = this.#at;
    if (turn && places.length)
      this.#at = { series: (series + turn + places.length) % places.length, point: Math.max(0, point) };
    else if (step && places.length)
      this.#at.point = Math.min(pointCount(data[places[series]]) - 1, Math.max(0, point + step));
    else if (zoom) this.#zoom(zoom);
    else if (event.key === '0') this.#showWhole();
    else if (event.key === 'Enter' && point >= 0) this.#pick(data[places[series]].customdata?.[point]);
    else return;
    event.preventDefault();
    if (turn || step) this.#announce(data, places);
  }

  /**
   * Announces the value that the keys have reached, and shows it in the chart.
   * @param {import('./chart_figure.js').Trace[]} data @param {number[]} places of the traces that are read
   */
  #announce(data, places) {
    const curveNumber = places[this.#at.series];
    const trace = data[curveNumber];
    const at = Math.min(this.#at.point, pointCount(trace) - 1);
    if (at < 0) return;
    setText(this.#message, pointWords(trace, at));
    const subplot = `${trace.xaxis ?? 'x'}${trace.yaxis ?? 'y'}`;
    if (this.#graph) this.#plotly?.Fx.hover(this.#graph, [{ curveNumber, pointNumber: placeOf(trace, at) }], subplot);
  }

  /** Zooms the horizontal axes about the point that is read, or their middle. @param {number} by */
  #zoom(by) {
    const drawn = this.#drawnLayout;
    if (!drawn || !this.#graph || !this.#chart) return;
    /** @type {Object<string, any>} */
    const changes = {};
    const { data } = this.#chart.figure;
    const trace = data[readable(data)[this.#at.series]];
    for (const name of axesOf(drawn)) {
      const { range, fixedrange, type } = drawn[name];
      if (!name.startsWith('x') || fixedrange || !range) continue;
      const value = trace && !trace.z ? trace.x[this.#at.point] : undefined;
      const about =
        typeof value === 'number' ? (type === 'log' ? Math.log10(value) : value) : (range[0] + range[1]) / 2;
      changes[`${name}.range`] = zoomed(range, about, by);
    }
    this.#isZoomed = true;
    this.#plotly?.relayout(this.#graph, changes);
    setText(this.#message, by < 1 ? 'Zoomed in' : 'Zoomed out');
  }

  #showWhole() {
    if (!this.#graph || !this.#chart) return;
    const { layout } = this.#chart.figure;
    const changes = axesOf(layout).map(name =>
      layout[name].range
        ? [`${name}.range`, [...layout[name].range]]
        : [`${name}.autorange`, layout[name].autorange ?? true],
    );
    this.#isZoomed = false;
    this.#plotly?.relayout(this.#graph, Object.fromEntries(changes));
    setText(this.#message, 'Whole chart');
  }

  /** @param {any} data of the point */
  #pick(data) {
    if (data !== undefined && data !== null) this.emit('pointpick', { chart: this.#chart?.name, data });
  }

  #leave() {
    setText(this.#message, '');
    if (this.#graph) this.#plotly?.Fx.unhover(this.#graph);
  }
}

/** @param {ChartTable} table */
function tableNode({ head, rows }) {
  /** @param {import('./chart_figure.js').Cell[]} row */
  const cells = ([first, ...rest]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('bdi', {}, cellWords(first))),
      ...rest.map(value =>
        h('td', typeof value === 'string' ? {} : { class: 'number' }, h('bdi', {}, cellWords(value))),
      ),
    );
  const more = rows.length - MOST_ROWS;
  return h(
    'table',
    {},
    more > 0 ? h('caption', {}, `The first ${count(MOST_ROWS)} rows; the CSV file has ${count(more)} more.`) : null,
    h('thead', {}, h('tr', {}, ...head.map(name => h('th', { scope: 'col' }, h('bdi', {}, name))))),
    h('tbody', {}, ...rows.slice(0, MOST_ROWS).map(cells)),
  );
}

customElements.define('lab-chart', LabChart);
