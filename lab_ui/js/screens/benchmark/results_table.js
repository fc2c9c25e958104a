/**
 * One row per engine: the main figure, the chart of the column drawn across all rows, more figures, and whether its ids
 * are exact. Gets `show`; reports `pickrow` (detail: key).
 */
import { LabChart } from '../../ui/chart.js';
import { actionButton, drawnOnce, h, listen } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, DASH, duration, figure, plural, size, THIN_SPACE } from '../../util/format.js';
import { baselineName, exactnessWords, leftOut, linesOf, missingEngines, stateWords } from './benchmark_words.js';
import { entrantBadge } from './entrant_badge.js';

/** Engines that a line names, at most. */
const MOST_NAMES = 4;
const TIMES = `${THIN_SPACE}×`;
const CHECK = 'M5 12.5l4.5 4.5L19 7.5';

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkResult} Benchmark
 * @typedef {import('../../api/schema.d.ts').BenchmarkRow} BenchmarkRow
 * @typedef {import('../../api/schema.d.ts').EngineState} Engine
 * @typedef {import('./benchmark_words.js').Line} Line
 * @typedef {import('./benchmark_state.js').Columns} Columns
 * @typedef {{main: (baseline: string) => string, head: [string, string], chart: string, figure: (row: BenchmarkRow,
 *   run: Benchmark) => (Node|string)[], cells: (row: BenchmarkRow) => [string, string]}} Table
 */

/** @type {Record<Columns, Table>} */
const TABLES = {
  speed: {
    main: baseline => (baseline ? `Times ${baseline}` : 'Times baseline'),
    head: ['Median MB/s', 'Bytes/token'],
    chart: 'speed_rows',
    figure: ratioNodes,
    cells: row => [figure(row.throughput_mb_per_s?.median), row.bytes_per_token?.toFixed(2) ?? DASH],
  },
  latency: {
    main: () => 'Median call',
    head: ['99 % within', 'Documents/s'],
    chart: 'latency_rows',
    figure: row => [big(duration(row.latency_ns?.p50)), small(`95 % ${duration(row.latency_ns?.p95)}`)],
    cells: row => [
      duration(row.latency_ns?.p99),
      row.documents_per_s === null ? DASH : count(Math.round(row.documents_per_s)),
    ],
  },
  memory: {
    main: () => 'Peak memory',
    head: ['Load', 'First call'],
    chart: 'memory_rows',
    figure: row => [big(size(row.peak_bytes)), small(`loaded ${size(row.loaded_bytes)}`)],
    cells: row => [duration(row.load_ns), duration(row.first_call_ns)],
  },
};

/** @param {Columns} columns @returns {string} the name of the chart in that table */
export const chartOf = columns => TABLES[columns].chart;

export class ResultsTable extends LabElement {
  #table = h('div', { class: 'result-rows', role: 'table' });
  #chart = new LabChart();
  #chartBox = h('div', { class: 'result-chart' }, this.#chart);
  #rest = h('div', { class: 'result-rest' });
  #charted = /** @type {import('../../ui/chart_figure.js').ChartFigure|null} */ (null);

  render() {
    this.append(h('div', { class: 'result-grid' }, this.#table, this.#chartBox), this.#rest);
    listen(this.#chart, 'pointpick', ({ data }) => this.emit('pickrow', data.row));
  }

  /** Settles when the chart is drawn. */
  get drawn() {
    return this.#chart.drawn;
  }

  /**
   * @param {Benchmark} run @param {string[]} letters of its tokenizers @param {Columns} columns
   * @param {string|null} picked key of the row whose details are shown
   * @param {Engine[]} engines that the lab knows
   */
  show(run, letters, columns, picked, engines) {
    const lines = linesOf(run, letters);
    const { head, main } = TABLES[columns];
    this.#table.ariaLabel = `Results of ${run.title}`;
    const key = [run.id, run.rounds_done, run.state, letters, columns, picked, engines];
    const isNew = drawnOnce(this.#table, key, () => [
      h(
        'div',
        { class: 'result-head', role: 'row' },
        header('Engine'),
        header(main(baselineName(run)), 'right'),
        header('', 'middle', 'Range'),
        header(head[0], 'right'),
        header(head[1], 'right'),
        header('IDs'),
      ),
      ...lines.map(line => this.#row(line, run, TABLES[columns], picked)),
    ]);
    if (!isNew) return;
    this.#chartBox.style.setProperty('--lines', String(lines.length));
    this.#drawRest(run, engines);
  }

  /** @param {import('../../ui/chart_figure.js').ChartFigure|null} chart null: it has no values */
  set chart(chart) {
    if (chart === this.#charted) return;
    this.#charted = chart;
    this.#chartBox.hidden = !chart;
    if (chart) this.#chart.showFigure(chart);
  }

  /** @param {Line} line @param {Benchmark} run @param {Table} table @param {string|null} picked */
  #row(line, run, table, picked) {
    const { row, name } = line;
    const isBaseline = row.key === run.baseline;
    const className = [isBaseline ? 'base' : '', row.state, row.rank === 1 ? 'first' : ''].filter(Boolean).join(' ');
    const version = [row.engine_version, isBaseline ? 'baseline' : '', table === TABLES.speed ? verdict(row, run) : '']
      .filter(Boolean)
      .join(' · ');
    const isMeasured = row.throughput_mb_per_s !== null;
    return h(
      'div',
      { class: `result-row ${className}`, role: 'row', 'data-key': row.key, 'data-state': row.state },
      h(
        'div',
        { role: 'rowheader', class: 'result-name' },
        entrantBadge(line),
        actionButton(
          [h('bdi', { class: 'clip' }, name), h('small', { class: 'clip' }, version || '\u00a0')],
          () => this.emit('pickrow', row.key),
          {
            class: 'result-pick',
            'aria-pressed': String(row.key === picked),
            'data-key': `details of ${row.key}`,
            title: `Details of ${name}`,
          },
        ),
      ),
      h('div', { role: 'cell', class: 'result-main number' }, ...(isMeasured ? table.figure(row, run) : [DASH])),
      ...(isMeasured
        ? [
            h('div', { role: 'cell' }, h('span', { class: 'visually-hidden' }, rangeWords(row))),
            ...table
              .cells(row)
              .map((words, n) => h('div', { role: 'cell', class: `right number ${n ? '' : 'strong'}` }, words)),
          ]
        : [h('div', { role: 'cell', class: 'result-problem', 'aria-colspan': '3' }, ...problemNodes(row, run))]),
      h('div', { role: 'cell' }, exactnessNode(row)),
    );
  }

  /** @param {Benchmark} run @param {Engine[]} engines */
  #drawRest(run, engines) {
    const missing = missingEngines(run, engines);
    const misfits = leftOut(run).filter(({ state }) => state === 'unsupported');
    const names = (/** @type {{engine: string}[]} */ rows) => {
      const rest = rows.length - MOST_NAMES;
      return `${rows
        .slice(0, MOST_NAMES)
        .map(({ engine }) => engine)
        .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    };
    this.#rest.replaceChildren(
      ...(missing.length
        ? [unfoldable(`Not installed: ${names(missing)}`, 'Show install commands', missing.map(installLine))]
        : []),
      ...(misfits.length
        ? [unfoldable(`Cannot run this: ${names(misfits)}`, 'Show reasons', misfits.map(reasonLine))]
        : []),
      ...run.notes.map(note => h('p', { class: 'faint result-note' }, note)),
    );
  }
}

/**
 * What a run has found about a row: "fastest" only if it differs from the next one, as far as the run says.
 * @param {BenchmarkRow} row @param {Benchmark} run
 */
function verdict(row, run) {
  const isBaseline = row.key === run.baseline;
  if (!isBaseline && row.ratio?.differs === false) return 'no difference';
  const second = run.rows.find(({ rank }) => rank === 2);
  if (row.rank !== 1 || !second || run.state === 'running') return '';
  return isBaseline && second.ratio?.differs === false ? '' : 'fastest';
}

/** @param {BenchmarkRow} row @param {Benchmark} run */
function ratioNodes({ key, ratio }, run) {
  if (key === run.baseline) return [big('1', TIMES)];
  if (!ratio) return [DASH];
  const words = `${figure(ratio.low)} to ${figure(ratio.high)}`;
  return [big(figure(ratio.median), TIMES), small(words, ratio.differs ? '' : 'Not different from the baseline')];
}

/** @param {string} words @param {string} [unit] */
const big = (words, unit = '') => h('b', { 'data-role': 'main-figure' }, words, unit ? h('span', {}, unit) : null);

/** @param {string} words @param {string} [title] */
const small = (words, title = '') => h('small', { title }, words);

/** @param {BenchmarkRow} row */
function rangeWords({ throughput_mb_per_s: speed }) {
  if (!speed) return '';
  return `from ${figure(speed.minimum)} to ${figure(speed.maximum)} MB/s, ${plural(speed.samples, 'round')}`;
}

/**
 * What became of a row without figures; the whole message is in its details.
 * @param {BenchmarkRow} row @param {Benchmark} run
 */
function problemNodes(row, run) {
  if (run.state === 'running' && row.state === 'cancelled') return [h('span', { class: 'dim' }, 'Not measured yet')];
  return [
    row.state === 'cancelled' ? null : icon(ICONS.warning, 16),
    h('b', {}, stateWords(row)),
    h('span', { class: 'dim', title: row.message ?? '' }, row.message ?? ''),
  ].filter(node => node !== null);
}

/** @param {BenchmarkRow} row */
function exactnessNode(row) {
  const { words, className } = exactnessWords(row);
  const mark = { exact: CHECK, inexact: ICONS.cross, unchecked: '' }[className];
  return h(
    'span',
    { class: `exactness ${className}` },
    mark ? icon(mark, 14) : null,
    className === 'unchecked' ? `– ${words}` : words,
  );
}

/** @param {string} words @param {string} [place] @param {string} [name] for assistive tools */
const header = (words, place = '', name = words) => {
  const cell = h('div', { role: 'columnheader', class: place }, words);
  if (name !== words) cell.append(h('span', { class: 'visually-hidden' }, name));
  return cell;
};

/** @param {string} words @param {string} action @param {Node[]} lines */
const unfoldable = (words, action, lines) =>
  h(
    'details',
    { class: 'result-missing' },
    h('summary', {}, words, ' ', h('span', { class: 'link' }, action)),
    h('ul', {}, ...lines),
  );

/** @param {{engine: string, install: string|null}} row */
const installLine = ({ engine, install }) =>
  h(
    'li',
    {},
    h('span', { class: 'install-name' }, engine),
    h('code', { class: 'mono', tabIndex: 0 }, install ?? 'no command'),
  );

/** @param {BenchmarkRow} row */
const reasonLine = ({ engine, message }) => h('li', {}, h('span', { class: 'install-name' }, engine), message ?? DASH);

customElements.define('benchmark-results', ResultsTable);
