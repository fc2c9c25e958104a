/** The work area: one panel per view of the run that is shown, and the tabs that choose among them. */
import { FigureGrid } from '../../ui/figure_grid.js';
import { h, listen } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { TabList } from '../../ui/tab_list.js';
import { baselineName, linesOf, runWords } from './benchmark_words.js';
import { COLUMNS, VIEWS } from './benchmark_state.js';
import { DocumentProfile } from './document_profile.js';
import { ResultsTable, chartOf } from './results_table.js';
import { SlowDocuments } from './slow_documents.js';

/** @type {Object<string, string>} */
const TITLES = {
  speed: 'Speed against the baseline of the same run',
  latency: 'Time of one call with one document',
  memory: 'Memory, and the time to load',
};
/** Charts of a run by view. @type {Object<string, string[]>} */
const FIGURES = { results: ['stages', 'rounds'], stages: ['stages'], history: ['history'] };

/**
 * @typedef {import('../../api/benchmarks.js').Benchmark} Benchmark
 * @typedef {import('./benchmark_state.js').BenchmarkState} BenchmarkState
 * @typedef {import('./document_profile.js').Document} Document
 * @typedef {Object} Acts
 * @property {(row: string) => void} pick shows the details of a row
 * @property {(columns: string) => void} columns
 * @property {(document: Document) => void} inspect
 * @property {(document: Document) => Promise<{profile: any, figures: any[]}>} profile measures one document
 * @property {(name: string) => Promise<any>} figure reads a chart of the run that is shown
 * @property {(work: Promise<any>) => Promise<any>} track
 * @property {(error: Error) => void} fail
 */

export class BenchmarkViews {
  #acts;
  tabs = new TabList();
  #columns = new SegmentedControl();
  #title = h('h2', { class: 'result-title' });
  #caption = h('p', { class: 'bench-caption' });
  #results = new ResultsTable();
  #slow = new SlowDocuments();
  #profile = new DocumentProfile();
  #profiling = 0;
  #figures = { results: new FigureGrid(), stages: new FigureGrid(), history: new FigureGrid() };
  panels;
  /** What each view shows, so that it is not drawn again. @type {Map<string, string>} */
  #drawn = new Map();

  /**
   * @param {Acts} acts
   * @param {HTMLElement} history the list of all runs
   * @param {Record<'growth'|'inputs'|'race', HTMLElement>} costs views that draw themselves
   */
  constructor(acts, history, costs) {
    this.#acts = acts;
    this.panels = {
      results: h(
        'div',
        { class: 'bench-view results' },
        h('div', { class: 'result-tools' }, h('div', { class: 'grow' }, this.#title, this.#caption), this.#columns),
        this.#results,
        this.#figures.results,
      ),
      stages: h('div', { class: 'bench-view stages' }, this.#figures.stages, this.#slow, this.#profile),
      ...costs,
      history: h('div', { class: 'bench-view history' }, this.#figures.history, history),
    };
    this.#columns.ariaLabel = 'Figures of the table';
    this.#columns.options = COLUMNS;
    listen(this.#columns, 'valuechange', acts.columns);
    listen(this.#results, 'pickrow', acts.pick);
    for (const part of [this.#slow, this.#profile]) listen(part, 'inspectdocument', acts.inspect);
    listen(this.#slow, 'profiledocument', document => this.#showProfile(document));
    listen(this.#profile, 'closeprofile', () => this.#closeProfile());
    this.tabs.classList.add('segmented');
    this.tabs.tabs = VIEWS.map(view => ({ ...view, panel: this.panels[view.value] }));
  }

  /** The panels, to be put into the page. @returns {HTMLElement[]} */
  get elements() {
    return Object.values(this.panels);
  }

  /** The next drawing begins anew. */
  clear() {
    this.#drawn.clear();
  }

  /**
   * Draws the view that is chosen.
   * @param {Benchmark} run @param {string[]} letters of its tokenizers @param {BenchmarkState} state
   * @param {import('../../api/benchmarks.js').Engine[]} engines that the lab knows
   */
  draw(run, letters, state, engines) {
    const version = [run.id, run.rounds_done, run.state, ...letters].join();
    if (state.view === 'results') this.#drawResults(run, letters, state, version, engines);
    if (run.id !== this.#profiledRun) this.#closeProfile();
    this.#profiledRun = run.id;
    if (state.view === 'stages') this.#slow.show(linesOf(run));
    const names = FIGURES[state.view];
    if (names)
      this.#once(state.view, version, async isCurrent => {
        const found = await Promise.all(names.map(this.#acts.figure));
        if (isCurrent()) await this.#figures[state.view].show(found);
      });
  }

  /** Whose document is profiled. @type {number|null} */
  #profiledRun = null;

  /** @param {Document} document */
  #showProfile(document) {
    const asked = ++this.#profiling;
    const work = this.#acts
      .profile(document)
      .then(found => (asked === this.#profiling ? this.#profile.show({ document, ...found }) : undefined));
    this.#acts.track(work.catch(this.#acts.fail));
  }

  #closeProfile() {
    this.#profiling++;
    this.#profile.show(null);
  }

  /**
   * @param {Benchmark} run @param {string[]} letters @param {BenchmarkState} state @param {string} version
   * @param {import('../../api/benchmarks.js').Engine[]} engines
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
      const chart = await this.#acts.figure(name);
      if (!isCurrent()) return;
      this.#results.chart = 'figure' in chart ? chart : null;
      await this.#results.drawn;
    });
  }

  /** @param {string} name @param {string} version @param {(isCurrent: () => boolean) => Promise<any>} draw */
  #once(name, version, draw) {
    if (this.#drawn.get(name) === version) return;
    this.#drawn.set(name, version);
    const work = draw(() => this.#drawn.get(name) === version).catch(error => {
      this.#drawn.delete(name); // asked for again when it is shown again
      this.#acts.fail(error);
    });
    this.#acts.track(work);
  }
}
