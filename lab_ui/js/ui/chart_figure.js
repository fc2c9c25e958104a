/**
 * Prepares a chart of the backend for Plotly: colours of the theme, ticks that fit, ranges for zoom, words of a point.
 * No DOM; `chart.js` draws it. `lab_app/charts` makes the charts.
 */
import { count } from '../util/format.js';

const ROW = 1.08; // of a vertical axis that one label takes, in the size of the text
const CHARACTER = 0.56; // width of a character in a label, in the size of its text
const APART = 1.2; // between two labels, in the size of the text
const SIDES_PX = 64; // of a chart that its axes do not have
const EDGE_PX = 12; // of an exported picture, around title and key
const LINE = 1.3; // height of a line of the title, in the size of the text
const BOLD = 1.1; // width of bold text, in that of other text
const KEY = { mark: 46, height: 28 }; // px of an entry of the key beside its text
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;
const PX_PER_CM = 96 / 2.54;
const PX_PER_PT = 96 / 72;
/** @type {Object<string, string>} */
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/**
 * @typedef {string|number|null} Cell null: not measured
 * @typedef {{head: string[], rows: Cell[][]}} ChartTable
 * @typedef {{name: string, title: string, subtitle: string, answer?: string, summary: string, keys: {letter: string,
 *   name: string}[], figure: {data: Trace[], layout: Object<string, any>}, table: ChartTable, csv?: string}}
 *   ChartFigure `figure`: Plotly's, with colours as `var(--name)`; `csv`: the table as a file
 * @typedef {{type: string, name?: string, x: any[], y: any[], z?: any[][], xaxis?: string, yaxis?: string,
 *   hoverinfo?: string, hovertext?: any[], customdata?: any[], [property: string]: any}} Trace
 */

/**
 * How large a picture of a chart is made.
 * @typedef {Object} FigureSize
 * @property {number|null} widthCm null: as it is drawn
 * @property {number} textPt of the text, where a width in cm is given
 * @property {boolean} hasTitle whether title and unit are above the chart
 */

/** With title and unit, as the chart is on the screen. @type {FigureSize} */
export const AS_DRAWN = { widthCm: null, textPt: 8, hasTitle: true };

/**
 * The size of a picture in px. The rows of a chart are as high in its text as they are on the screen.
 * @param {{width: number, height: number}} box as it is drawn @param {number} text size of its text, px
 * @param {FigureSize} wanted
 * @returns {{width: number, height: number, text: number}}
 */
export function pictureSize({ width, height }, text, { widthCm, textPt }) {
  if (widthCm === null) return { width, height, text };
  const printed = textPt * PX_PER_PT;
  return { width: Math.round(widthCm * PX_PER_CM), height: Math.round((height * printed) / text), text: printed };
}

/**
 * An SVG of Plotly that is as wide as was asked for, wherever it is put.
 * @param {string} svg @param {{width: number, height: number}} size px @param {FigureSize} wanted
 */
export function inCentimetres(svg, { width, height }, { widthCm }) {
  if (widthCm === null) return svg;
  const heightCm = ((widthCm * height) / width).toFixed(3);
  const [head] = /^<svg[^>]*>/.exec(svg) ?? [''];
  const made = head
    .replace(/ (?:width|height|viewBox)="[^"]*"/g, '')
    .replace('<svg', `<svg width="${widthCm}cm" height="${heightCm}cm" viewBox="0 0 ${width} ${height}"`);
  return made + svg.slice(head.length);
}

/**
 * Copies a value with every `var(--name)` replaced.
 * @template T
 * @param {T} value @param {(name: string) => string} colour of a name without the dashes
 * @returns {T}
 */
export function themed(value, colour) {
  if (typeof value === 'string') {
    const [, name] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
    return /** @type {T} */ (name ? colour(name) : value);
  }
  if (Array.isArray(value)) {
    const isNumeric = typeof value[0] === 'number' && typeof value.at(-1) !== 'string';
    return /** @type {T} */ (isNumeric ? value : value.map(each => themed(each, colour)));
  }
  if (value === null || typeof value !== 'object') return value;
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, themed(each, colour)]))
  );
}

/**
 * Completes a layout whose colours are resolved.
 * @param {Object<string, any>} layout @param {{width: number, height: number}} box px @param {number} size of text, px
 * @returns {Object<string, any>}
 */
export function fitted(layout, { width, height }, size) {
  /** @type {Object<string, any>} */
  const made = { ...layout, width, height, font: { ...layout.font, size } };
  for (const name of axesOf(layout)) {
    const side = /** @type {'x'|'y'} */ (name[0]);
    const columns = side === 'x' ? (layout.grid?.columns ?? 1) : (layout.grid?.rows ?? 1);
    const axis = layout[name];
    const title = axis.title && { ...axis.title, font: { ...axis.title.font, size } };
    const room = ((side === 'x' ? width : height) - SIDES_PX) / columns;
    made[name] =
      side === 'x'
        ? level({ ...axis, title }, room, size)
        : thinned(cut({ ...axis, title }, gapOf(layout, width, name) / (CHARACTER * size)), room / (ROW * size));
  }
  return made;
}

/** @param {Object<string, any>} layout @returns {string[]} "xaxis", "yaxis", "xaxis2" ... */
export const axesOf = layout => Object.keys(layout).filter(name => /^[xy]axis\d*$/.test(name));

/**
 * Keeps named ticks of a horizontal axis level: drops as many, evenly, as it needs that no two labels touch.
 * @param {Object<string, any>} axis @param {number} room px @param {number} size of text, px
 */
function level(axis, room, size) {
  const { ticktext, tickangle } = axis;
  if (!ticktext || tickangle !== undefined) return axis;
  /** @param {string} label */
  const widthOf = label => (label.length * CHARACTER + APART) * size;
  const step = room / ticktext.length;
  /** @param {number} every */
  const fits = every =>
    ticktext.every(
      (/** @type {string} */ label, /** @type {number} */ at) =>
        at % every > 0 ||
        at + every >= ticktext.length ||
        (widthOf(label) + widthOf(ticktext[at + every])) / 2 <= every * step,
    );
  let every = 1;
  while (every < ticktext.length && !fits(every)) every++;
  return { ...thinned(axis, Math.ceil(ticktext.length / every)), tickangle: 0 };
}

/**
 * What a vertical axis has for its labels beside the panel on its left, px.
 * @param {Object<string, any>} layout @param {number} width px @param {string} name of the axis
 */
function gapOf({ grid, margin }, width, name) {
  const at = Number(name.slice('yaxis'.length) || 1) - 1;
  if (!grid || at % grid.columns === 0) return Infinity;
  return (grid.xgap * (width - margin.l - margin.r)) / (grid.columns - grid.xgap);
}

/** Shortens the names of ticks. @param {Object<string, any>} axis @param {number} most characters */
function cut(axis, most) {
  if (!axis.ticktext || most === Infinity) return axis;
  const ticktext = axis.ticktext.map((/** @type {string} */ label) => {
    const [line] = wrapped(plain(label), Math.max(2, most - 1));
    return line === plain(label) ? label : `${escaped(line)}…`;
  });
  return { ...axis, ticktext };
}

/** Drops named ticks evenly, so that at most `most` are left. @param {Object<string, any>} axis @param {number} most */
function thinned(axis, most) {
  const { tickvals, ticktext } = axis;
  if (!ticktext || ticktext.length <= most) return axis;
  const every = Math.ceil(ticktext.length / Math.max(1, Math.floor(most)));
  /** @param {any[]} list */
  const some = list => list.filter((_, at) => at % every === 0);
  return { ...axis, tickvals: some(tickvals), ticktext: some(ticktext) };
}

/**
 * The layout of a picture of its own: title, unit and key are above the chart, in as many lines as its width needs.
 * @param {Object<string, any>} layout fitted @param {ChartFigure} chart @param {string} paper its ground
 * @param {boolean} [hasTitle] whether title and unit are there
 * @returns {Object<string, any>}
 */
export function framed(layout, { title, subtitle, keys }, paper, hasTitle = true) {
  const { size } = layout.font;
  const room = layout.width - 2 * EDGE_PX;
  const characters = room / (CHARACTER * size);
  const head = wrapped(title, characters / BOLD).map(line => `<b>${escaped(line)}</b>`);
  const lines = hasTitle ? [...head, ...wrapped(subtitle, characters).map(escaped)] : [];
  const titlePx = EDGE_PX + lines.length * LINE * size;
  const key = keys.length > 1 ? keyOf(keys, room, size) : { rows: 0, entryPx: 0 };
  const top = Math.ceil(titlePx + key.rows * KEY.height + EDGE_PX);
  const height = layout.height + top;
  const left = { x: EDGE_PX / layout.width, xref: 'container', xanchor: 'left', yref: 'container', yanchor: 'top' };
  return {
    ...layout,
    height,
    paper_bgcolor: paper,
    margin: { ...layout.margin, t: layout.margin.t + top },
    title: { ...left, text: lines.join('<br>'), y: 1, pad: { t: EDGE_PX }, font: { size } },
    showlegend: key.rows > 0,
    legend: {
      ...left,
      orientation: 'h',
      y: 1 - (titlePx + EDGE_PX / 2) / height,
      entrywidth: key.entryPx,
      bgcolor: 'rgba(0,0,0,0)',
    },
  };
}

/**
 * The columns of the key are as wide as its longest name.
 * @param {{letter: string, name: string}[]} keys @param {number} room px @param {number} size of text, px
 */
function keyOf(keys, room, size) {
  const entryPx = Math.ceil(Math.max(...keys.map(({ name }) => widthOf(name) + 2)) * CHARACTER * size);
  const columns = Math.max(1, Math.floor(room / (entryPx + KEY.mark)));
  return { entryPx, rows: Math.ceil(keys.length / columns) };
}

/** The width of a text in characters; East Asian ones and pictographs have twice the width. @param {string} text */
const widthOf = text => [...text].reduce((sum, each) => sum + (WIDE.test(each) ? 2 : 1), 0);

/**
 * Breaks a text into lines of at most `most` characters: at spaces, or inside a longer word.
 * @param {string} text @param {number} most @returns {string[]}
 */
export function wrapped(text, most) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (widthOf(longer) <= most) lines[lines.length - 1] = longer;
    else {
      if (lines.at(-1)) lines.push('');
      for (const character of word) {
        if (lines.at(-1) && widthOf(lines.at(-1) + character) > most) lines.push('');
        lines[lines.length - 1] += character;
      }
    }
  }
  return lines;
}

/** @param {string} text @returns {string} shown by Plotly as it is */
export const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The opposite of `escaped`. @param {string} text */
const plain = text => text.replace(/&(?:lt|gt|amp);/g, entity => ENTITIES[entity]);

/** Traces that have values to read. @param {Trace[]} data @returns {number[]} their places */
export const readable = data => data.flatMap(({ hoverinfo }, at) => (hoverinfo === 'skip' ? [] : [at]));

/** @param {Trace} trace @returns {number} */
export const pointCount = trace => (trace.z ? trace.z.length * (trace.z[0]?.length ?? 0) : trace.x.length);

/** A point by its number. @param {Trace} trace @param {number} at @returns {number|[number, number]} row and column */
export function placeOf(trace, at) {
  if (!trace.z) return at;
  const columns = trace.z[0].length;
  return [Math.floor(at / columns), at % columns];
}

/** The words of a point without markup. @param {Trace} trace @param {number} at */
export function pointWords(trace, at) {
  const place = placeOf(trace, at);
  const text = Array.isArray(place) ? trace.hovertext?.[place[0]]?.[place[1]] : trace.hovertext?.[place];
  return plain(String(text ?? '').replaceAll('<br>', ', '));
}

/**
 * The range of an axis zoomed about a value, both as the axis counts (powers of ten if it is logarithmic).
 * @param {[number, number]} range @param {number} about @param {number} by 0.5 shows half of the range
 * @returns {[number, number]}
 */
export const zoomed = ([from, to], about, by) => [about + (from - about) * by, about + (to - about) * by];

/** "12 345", "0.0312", a dash where nothing was measured @param {Cell} value */
export const cellWords = value => {
  if (typeof value === 'string') return value;
  return value === null || Number.isInteger(value) || !Number.isFinite(value)
    ? count(value)
    : String(+value.toPrecision(4));
};
