/**
 * What a chart hands to Plotly: traces, layout and the rows of its table. No DOM; `chart.js` draws it.
 *
 * Plotly reads markup in every text it is given. `plainText` escapes it, so that a token is shown as it is written.
 */
import { count } from '../util/format.js';
import { visibleParts } from '../text/visible_text.js';

const SYMBOLS = ['circle', 'square', 'diamond', 'triangle-up', 'cross', 'x', 'star', 'hexagon'];
const DASHES = ['solid', 'dash', 'dot', 'dashdot', 'longdash', 'longdashdot'];
const PATTERNS = ['', '/', '\\', 'x', '-', '|', '+', '.'];
const LETTERS = 'ABCDEFGH';
const MOST_CHARACTERS = 40; // of a label
const MOST_CELLS = 400; // of a heat map whose values are written into it
const LABEL_PX = 44; // of an axis that one label takes at least
/** @type {Object<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * @typedef {{label: string, scale?: 'linear'|'log'}} Axis
 * @typedef {{kind: 'line'|'points'|'bar', name: string, letter?: string, x: (number|string)[], y: number[]}} XYSeries
 *   `letter`: of the tokenizer whose colour it has; `x`: numbers, or names for a category each
 * @typedef {{kind: 'histogram', name: string, letter?: string, values: number[]}} HistogramSeries
 * @typedef {{kind: 'heatmap', name: string, x: string[], y: string[], z: number[][]}} HeatmapSeries `z`: by y, then x
 * @typedef {XYSeries|HistogramSeries|HeatmapSeries} Series
 * @typedef {{title: string, x: Axis, y: Axis, series: Series[]}} Chart
 * @typedef {{ink: string, faint: string, line: string, panel: string, accent: string, font: string, size: number,
 *   letters: Object<string, string>}} Look colours and font as the style sheet has them now; `size` in pixels
 */

/** @param {string} text @returns {string} shown by Plotly as written: no markup, nothing hidden, not too long */
export function plainText(text) {
  const characters = [...text];
  const short = characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
  const shown = visibleParts(short).map(part => (part.text === '·' ? ' ' : part.text));
  return shown.join('').replace(/[&<>]/g, character => ENTITIES[character]);
}

/** @param {Chart} chart @param {Look} look @returns {Object[]} Plotly's traces, one per series */
export const tracesOf = (chart, look) => chart.series.map((series, n) => traceOf(series, n, look, chart));

/** @param {Series} series @param {number} n @param {Look} look @param {Chart} chart @returns {Object} */
function traceOf(series, n, look, chart) {
  if (series.kind === 'heatmap') return heatmapTrace(series, look, chart);
  if (series.kind === 'histogram') return histogramTrace(series, n, look);
  return series.kind === 'bar' ? barTrace(series, n, look, chart) : lineTrace(series, n, look, chart);
}

/** @param {{letter?: string}} series @param {number} n @param {Look} look */
const colourOf = ({ letter }, n, look) => look.letters[letter ?? LETTERS[n % LETTERS.length]];

/** @param {XYSeries} series @param {number} n @param {Look} look @param {Chart} chart */
function lineTrace(series, n, look, chart) {
  const color = colourOf(series, n, look);
  return {
    type: 'scatter',
    mode: series.kind === 'line' ? 'lines+markers' : 'markers',
    name: plainText(series.name),
    x: positions(series.x),
    y: series.y,
    line: { color, dash: DASHES[n % DASHES.length], width: 2 },
    marker: { color, symbol: SYMBOLS[n % SYMBOLS.length], size: 7 },
    ...hover(series, chart),
  };
}

/** @param {XYSeries} series @param {number} n @param {Look} look @param {Chart} chart */
function barTrace(series, n, look, chart) {
  return {
    type: 'bar',
    name: plainText(series.name),
    x: positions(series.x),
    y: series.y,
    marker: barMarker(series, n, look),
    ...hover(series, chart),
  };
}

/** @param {HistogramSeries} series @param {number} n @param {Look} look */
function histogramTrace(series, n, look) {
  return {
    type: 'histogram',
    name: plainText(series.name),
    x: series.values,
    marker: barMarker(series, n, look),
    hoverinfo: 'x+y+name',
    hoverlabel: { namelength: -1 },
  };
}

/** @param {HeatmapSeries} series @param {Look} look @param {Chart} chart */
function heatmapTrace({ name, x, y, z }, look, chart) {
  /** @param {number} column @param {number} row */
  const label = (column, row) => `${chart.y.label} ${y[row]}, ${chart.x.label} ${x[column]}: ${figure(z[row][column])}`;
  return {
    type: 'heatmap',
    name: plainText(name),
    x: x.map((_, at) => at),
    y: y.map((_, at) => at),
    z,
    colorscale: [
      [0, look.panel],
      [1, look.accent],
    ],
    colorbar: { outlinewidth: 0, tickcolor: look.line, thickness: 12 },
    xgap: 1,
    ygap: 1,
    texttemplate: x.length * y.length > MOST_CELLS ? '' : '%{z}',
    hovertext: y.map((_, row) => x.map((_, column) => escaped(label(column, row)))),
    hoverinfo: 'text',
  };
}

/** @param {{letter?: string}} series @param {number} n @param {Look} look */
const barMarker = (series, n, look) => ({
  color: colourOf(series, n, look),
  pattern: {
    shape: PATTERNS[n % PATTERNS.length],
    bgcolor: colourOf(series, n, look),
    fgcolor: look.panel,
    solidity: 0.3,
  },
  line: { color: look.ink, width: 1 },
});

/** @param {XYSeries} series @param {Chart} chart */
const hover = (series, chart) => ({
  hovertext: series.x.map((_, at) => escaped(pointWords(series, at, chart))),
  hoverinfo: 'text',
});

/** @param {string} text */
const escaped = text => text.replace(/[&<>]/g, character => ENTITIES[character]);

/**
 * Returns the positions on the axis. Names get 0, 1, 2 ...: Plotly would read "2020-01" as a date, and equal names as
 * one category.
 * @param {(number|string)[]} x
 */
const positions = x => (isNamed(x) ? x.map((_, at) => at) : x);

/** @param {(number|string)[]} x */
const isNamed = x => typeof x[0] === 'string';

/** "12 345", "0.0312" @param {number|null} value a dash where nothing was measured */
const figure = value =>
  value === null || Number.isInteger(value) || !Number.isFinite(value) ? count(value) : String(+value.toPrecision(4));

/** @param {number|string} value */
const nameOr = value => (typeof value === 'string' ? shortName(value) : figure(value));
/** @param {string} text */
const shortName = text =>
  [...text].length > MOST_CHARACTERS ? `${[...text].slice(0, MOST_CHARACTERS).join('')}…` : text;

/** One value in words. @param {XYSeries} series @param {number} at @param {Chart} chart */
export const pointWords = ({ name, x, y }, at, chart) =>
  `${name}: ${chart.x.label} ${nameOr(x[at])}, ${chart.y.label} ${figure(y[at])}`;

/**
 * @param {Chart} chart @param {Look} look @param {{width: number, height: number}} box pixels
 * @returns {Object} Plotly's layout
 */
export function layoutOf(chart, look, { width, height }) {
  const [first] = chart.series;
  const names = first && first.kind !== 'histogram' && isNamed(first.x) ? first.x.map(String) : null;
  const heatmap = first?.kind === 'heatmap' ? first : null;
  return {
    width,
    height,
    margin: { l: 48, r: 16, t: chart.series.length > 1 ? 36 : 12, b: 44 },
    paper_bgcolor: 'rgba(0, 0, 0, 0)',
    plot_bgcolor: 'rgba(0, 0, 0, 0)',
    font: { family: look.font, size: look.size, color: look.ink },
    hoverlabel: { bgcolor: look.panel, bordercolor: look.line, font: { family: look.font, color: look.ink } },
    hovermode: 'closest',
    dragmode: false,
    barmode: 'group',
    bargap: first?.kind === 'histogram' ? 0.04 : 0.25,
    showlegend: chart.series.length > 1,
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', font: { color: look.ink } },
    xaxis: axis(chart.x, look, names, width),
    yaxis: { ...axis(chart.y, look, heatmap?.y ?? null, height), autorange: heatmap ? 'reversed' : true },
  };
}

/**
 * @param {Axis} axis @param {Look} look @param {string[]|null} names of the categories @param {number} px its length
 */
function axis({ label, scale = 'linear' }, look, names, px) {
  const every = names ? Math.ceil(names.length / Math.max(1, Math.floor(px / LABEL_PX))) : 1;
  const shown = names?.map((_, at) => at).filter(at => at % every === 0) ?? [];
  return {
    type: names ? 'linear' : scale,
    title: { text: plainText(label) },
    automargin: true,
    fixedrange: true,
    gridcolor: look.line,
    linecolor: look.line,
    zerolinecolor: look.line,
    tickcolor: look.line,
    tickfont: { color: look.faint },
    ...(names && { tickvals: shown, ticktext: shown.map(at => plainText(names[at])), showgrid: false }),
  };
}

/**
 * The values as a table.
 * @param {Chart} chart
 * @param {{from: number, to: number, count: number}[][]} bins of each histogram, by its place among the series
 * @returns {{head: string[], rows: string[][]}[]} one table per series
 */
export const tablesOf = (chart, bins = []) =>
  chart.series.map((series, n) => {
    const x = chart.x.label;
    const y = chart.y.label;
    if (series.kind === 'histogram')
      return {
        head: [`${series.name}: ${x} from`, 'to', y],
        rows: (bins[n] ?? []).map(bin => [figure(bin.from), figure(bin.to), figure(bin.count)]),
      };
    if (series.kind === 'heatmap')
      return {
        head: [`${y} / ${x}`, ...series.x],
        rows: series.y.map((name, at) => [name, ...series.z[at].map(figure)]),
      };
    return { head: [x, `${series.name}: ${y}`], rows: series.x.map((at, n) => [nameOr(at), figure(series.y[n])]) };
  });
