/** The work area: one element per view of the run that is shown, and the tabs that choose among them. */
import { Panel } from '../../../app/panel.js';
import { FigureGrid } from '../../../ui/figure_grid.js';
import { h, listen } from '../../../ui/dom.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { TabList } from '../../../ui/tab_list.js';
import { asSentence } from '../../../util/format.js';
import { baselineName, linesOf, runWords } from '../benchmark_words.js';
import { COLUMNS, VIEWS } from '../benchmark_state.js';
import { DocumentProfile } from '../document_profile.js';
import { ResultsTable, chartOf } from '../results_table.js';
import { RunsHistory } from '../runs_history.js';
import { openRuns } from './side.js';
import { SlowDocuments } from '../slow_documents.js';

/** @type {Object<string, string>} */
const TITLES = {
  speed: 'Speed against the baseline of the same run',
  latency: 'Time of one call with one document',
  memory: 'Memory, and the time to load',
};
/** Titles of charts that have no values. @type {Object<string, string|undefined>} */
const FIGURE_TITLES = {
  stages: 'Where the time goes',
  rounds: 'Time of each round',
  history: 'Ratio in each run',
};
/** Charts of a run by view. @type {Object<string, string[]>} */
const FIGURES = { results: ['stages', 'rounds'], stages: ['stages'], history: ['history'] };

/**
 * @typedef {import('../../../api/schema.d.ts').BenchmarkResult} Benchmark
 * @typedef {import('../benchmark_state.js').BenchmarkState} BenchmarkState
 * @typedef {import('../document_profile.js').Document} Document
 */

export class ViewsPanel extends Panel {
  #screen;
  #client;
  tabs = new TabList();
  #columns = new SegmentedControl();
  #title = h('h2', { class: 'result-title' });
  #caption = h('p', { class: 'bench-caption' });
  #results = new ResultsTable();
  #slow = new SlowDocuments();
  #profile = new DocumentProfile();
  #profiling = 0;
  #history = new RunsHistory();
  /** @type {Object<string, FigureGrid>} */
  #figures = { results: new FigureGrid(), stages: new FigureGrid(), history: new FigureGrid() };
  #views;
  /** What each view shows, so that it is not drawn again. @type {Map<string, string>} */
  #drawn = new Map();

  /**
   * @param {import('../benchmark_data.js').Host} screen
   * @param {typeof import('../../../api/benchmarks.js') & typeof import('../../../api/costs.js')} client
   * @param {Record<'growth'|'inputs'|'race', HTMLElement>} costs views that draw themselves
   */
  constructor(screen, client, costs) {
    super();
    this.#screen = screen;
    this.#client = client;
    this.#views = {
      results: h(
        'div',
        { class: 'bench-view results' },
        h('div', { class: 'result-tools' }, h('div', { class: 'grow' }, this.#title, this.#caption), this.#columns),
        this.#results,
        this.#figures.results,
      ),
      stages: h('div', { class: 'bench-view stages' }, this.#figures.stages, this.#slow, this.#profile),
      ...costs,
      history: h('div', { class: 'bench-view history' }, this.#figures.history, this.#history),
    };
    this.#columns.ariaLabel = 'Figures of the table';
    this.#columns.options = COLUMNS;
    this.tabs.classList.add('segmented');
    this.tabs.tabs = VIEWS.map(view => ({ ...view, panel: this.#views[view.value] }));
    listen(this.tabs, 'valuechange', view => screen.set({ view }));
    listen(this.#columns, 'valuechange', columns => screen.set({ columns }));
    listen(this.#results, 'pickrow', row => screen.set({ row: row === screen.state.row ? null : row }));
    for (const part of [this.#slow, this.#profile])
      listen(part, 'inspectdocument', document => this.#inspect(document));
    listen(this.#slow, 'profiledocument', document => this.#showProfile(document));
    listen(this.#profile, 'closeprofile', () => this.#closeProfile());
    openRuns(screen, this.#history);
    screen.handle(this.#history, 'removerun', id => screen.data.remove(id));
  }

  /** One per view. @returns {HTMLElement[]} */
  get elements() {
    return Object.values(this.#views);
  }

  /** The next drawing begins anew. */
  clear() {
    this.#drawn.clear();
  }

  /** @param {import('../benchmark_data.js').Shown} shown */
  onResult({ run, lines, before, changes, letters, needsRun, state, engines }) {
    this.tabs.value = state.view;
    if (needsRun && !run) for (const element of this.elements) element.hidden = true;
    this.#history.show(lines, run?.id ?? null, before, changes);
    if (!run) return;
    const version = [run.id, run.rounds_done, run.state, ...letters].join();
    if (state.view === 'results') this.#drawResults(run, letters, state, version, engines);
    if (run.id !== this.#profiledRun) this.#closeProfile();
    this.#profiledRun = run.id;
    if (state.view === 'stages') this.#slow.show(linesOf(run));
    const names = FIGURES[state.view];
    if (names)
      this.#once(state.view, version, async isCurrent => {
        const found = await Promise.all(names.map(name => this.#figure(name, run, letters)));
        if (isCurrent()) await this.#figures[state.view].show(found);
      });
  }

  /** Every chart that the run has values for. @param {Benchmark} run @param {string[]} letters of its tokenizers */
  async all({ id }, letters) {
    const list = id === null ? [] : await this.#client.listBenchmarkFigures(id);
    const names = list.filter(({ name, reason }) => !reason && !name.endsWith('_rows')).map(({ name }) => name);
    const found = names.map(name => this.#client.benchmarkFigure(id ?? 0, name, letters));
    return /** @type {Promise<import('../../../ui/chart_figure.js').ChartFigure[]>} */ (Promise.all(found));
  }

  /**
   * Reads a chart of the run; what it has no values for has a reason instead.
   * @param {string} name @param {Benchmark} run @param {string[]} letters of its tokenizers
   */
  async #figure(name, { id }, letters) {
    const title = FIGURE_TITLES[name] ?? '';
    if (id === null) return { name, title, reason: 'No run is shown.' };
    const list = await this.#client.listBenchmarkFigures(id);
    const reason = list.find(entry => entry.name === name)?.reason;
    if (reason) return { name, title, reason: asSentence(`Not measured: ${reason}`) };
    return this.#client.benchmarkFigure(id, name, letters);
  }

  /**
   * Opens a document in Inspect, with its tokenizer.
   * @param {{text: string, tokenizer: string, number: number}} found
   */
  #inspect({ text, tokenizer, number }) {
    const { catalog, settings } = this.context;
    const title = this.#screen.data.run?.text.title ?? 'Text';
    if (catalog.isUsable(tokenizer) && catalog.add(tokenizer)) settings.set({ active: tokenizer });
    this.#screen.inspect(text, `${title}, document ${number}`);
  }

  /** Whose document is profiled. @type {number|null} */
  #profiledRun = null;

  /** @param {Document} document */
  #showProfile(document) {
    const asked = ++this.#profiling;
    this.#screen.try(async () => {
      const profile = await this.#client.profileDocument(document.tokenizer, document.text);
      const figures = await this.#client.profileFigures(profile);
      if (asked === this.#profiling) await this.#profile.show({ document, profile, figures });
    });
  }

  #closeProfile() {
    this.#profiling++;
    this.#profile.show(null);
  }

  /**
   * @param {Benchmark} run @param {string[]} letters @param {BenchmarkState} state @param {string} version
   * @param {import('../../../api/schema.d.ts').EngineState[]} engines
   */
  #drawResults(run, letters, { columns, row }, version, engines) {
    const baseline = baselineName(run);
    this.#columns.value = columns;
    this.#title.textContent =
      columns === 'speed' && baseline ? `Speed against ${baseline} in the same run` : TITLES[columns];
    this.#caption.textContent = runWords(run);
    this.#results.show(run, letters, columns, row, engines);
    const name = chartOf(columns);
    this.#once('table', `${version} ${name}`, async isCurrent => {
      const chart = await this.#figure(name, run, letters);
      if (!isCurrent()) return;
      this.#results.chart =
        'figure' in chart ? /** @type {import('../../../ui/chart_figure.js').ChartFigure} */ (chart) : null;
      await this.#results.drawn;
    });
  }

  /** @param {string} name @param {string} version @param {(isCurrent: () => boolean) => Promise<any>} draw */
  #once(name, version, draw) {
    if (this.#drawn.get(name) === version) return;
    this.#drawn.set(name, version);
    this.#screen.try(async () => {
      try {
        await draw(() => this.#drawn.get(name) === version);
      } catch (error) {
        this.#drawn.delete(name); // asked for again when it is shown again
        throw error;
      }
    });
  }
}
