/** Benchmark: how fast tokenizers and engines are on a text. Starts runs as jobs, shows, compares and repeats them. */
import * as benchmarksClient from '../../api/benchmarks.js';
import * as corporaClient from '../../api/corpora.js';
import * as costsClient from '../../api/costs.js';
import * as trainingsClient from '../../api/trainings.js';
import { viewCommands } from '../../app/commands/command.js';
import { lettersOf } from '../../app/tokenizers/letters.js';
import { panelCommand } from '../../app/panel_settings.js';
import { ResultScreen } from '../../app/result_screen.js';
import { h } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';
import { durationOfSeconds, plural, size, whenWords } from '../../util/format.js';
import { BenchmarkData } from './benchmark_data.js';
import { VIEWS, paramsOf, stateOf } from './benchmark_state.js';
import { linesOf, tokenizersOf } from './benchmark_words.js';
import { CostsPanel } from './panels/costs.js';
import { SetupPanel } from './panels/setup.js';
import { SidePart } from './panels/side.js';
import { ViewsPanel } from './panels/views.js';
import { SETTINGS } from './settings.js';

const CLIENT = {
  ...benchmarksClient,
  ...costsClient,
  listCorpora: corporaClient.listCorpora,
  trainingOptions: trainingsClient.trainingOptions,
};
const FORMATS = [
  { value: 'html', label: 'Report (HTML)' },
  { value: 'md', label: 'Report (Markdown)' },
  { value: 'tex', label: 'Tables (LaTeX)' },
  { value: 'json', label: 'All results (JSON)' },
  { value: 'csv', label: 'Table of results (CSV)' },
];
/** Views of the run that is shown. */
const OF_RUN = ['results', 'stages'];

/**
 * @typedef {import('./benchmark_state.js').BenchmarkState} BenchmarkState
 * @extends {ResultScreen<BenchmarkData, BenchmarkState>}
 */
export default class BenchmarkScreen extends ResultScreen {
  static settings = SETTINGS;

  state = stateOf(new URLSearchParams());
  #client;
  #setup;
  #costs;
  #views;
  #export = h(new MenuButton(), { label: 'Export', hook: 'export-benchmark' });

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
    this.#setup = new SetupPanel(this, client);
    this.#costs = new CostsPanel(this, this.#setup, client);
    this.#views = new ViewsPanel(this, client, this.#costs.elements);
  }

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.context = context;
    this.data = new BenchmarkData(context.jobs, this.life, /** @type {any} */ (this.#client));
    const side = new SidePart(this);
    this.panels = [this.#setup, this.#costs, this.#views, side];
    this.#offerFiles();
    const elements = [
      this.#setup.element,
      this.#setup.progress,
      h('div', { class: 'tools' }, this.#views.tabs, h('span', { class: 'grow' }), this.#export),
      h('div', { class: 'bench-work' }, this.#setup.invitation, ...this.#views.elements),
    ];
    this.start(root, elements, side.element, this.#export);
  }

  get name() {
    return 'benchmark';
  }

  get resultName() {
    const { run, needsRun } = this.shown;
    return run && needsRun ? `benchmark-${run.id}` : `benchmark-${this.state.view}`;
  }

  get watched() {
    return ['chosen', 'letters', 'active'];
  }

  /** @param {URLSearchParams} params */
  stateOf(params) {
    return stateOf(params);
  }

  get params() {
    return paramsOf({ ...this.state, run: this.data.run?.id ?? null, before: this.data.before });
  }

  async load() {
    const [{ missing }] = await Promise.all([this.data.load(this.state), this.#setup.load()]);
    this.draw();
    return missing;
  }

  get followsActive() {
    return true;
  }

  get focusName() {
    return 'the setup';
  }

  focusText() {
    this.#setup.element.focusRun();
  }

  renew() {
    this.#views.clear();
    this.#setup.forget();
    super.renew();
  }

  /** @returns {import('../../app/commands/command.js').Command[]} */
  get commands() {
    return [
      { label: 'Run the benchmark', keys: ['Mod+Enter'], also: 'start measure speed', run: () => this.startRun() },
      { label: 'Repeat the run that is shown', also: 'again', run: () => this.repeatRun() },
      ...viewCommands(VIEWS, view => this.set({ view })),
      panelCommand(this.context.settings),
    ];
  }

  /** Starts a run of what the setup says, if one can start. */
  startRun() {
    if (this.#setup.problem || this.data.isBusy) return;
    const { options } = this.#setup;
    this.context.status.announce('The run has started');
    this.follow(() => this.data.start(options), endWords);
  }

  repeatRun() {
    this.follow(() => this.data.repeat(), endWords);
  }

  /** What is under way on this screen: a run or a measurement of cost. */
  get job() {
    return this.data.job ?? this.#costs.job;
  }

  /** @param {{job: import('../../app/state/job_store.js').ShownJob, resumed: boolean}} ended */
  onEnded(ended) {
    super.onEnded(ended);
    this.#costs.onEnded(ended);
  }

  /** @returns {import('./benchmark_data.js').Shown} */
  get shown() {
    const { run, lines, before, changes, isBusy, isLoaded, machine } = this.data;
    const letters = run ? lettersOf(tokenizersOf(run), this.context.catalog) : [];
    const needsRun = OF_RUN.includes(this.state.view);
    const { state, job } = this;
    const { engines } = this.#setup;
    return { run, lines, before, changes, isBusy, isLoaded, machine, letters, needsRun, state, job, engines };
  }

  async allCharts() {
    const { run, letters, needsRun } = this.shown;
    return run && needsRun ? this.#views.all(run, letters) : super.allCharts();
  }

  /** @param {import('./benchmark_data.js').Shown} shown */
  onDraw({ run }) {
    this.#offerFiles();
    this.#export.hidden = !run && !this.#costs.hasFigures(this.state);
  }

  #offerFiles() {
    this.#export.offer('Save as', this.data.run ? FORMATS : [], {
      hook: 'benchmark',
      choose: format => this.save(() => this.#client.benchmarkFile(this.data.run?.id ?? 0, format)),
    });
  }

  /** @param {import('./benchmark_data.js').Shown} shown */
  notes({ run }) {
    const { status } = this.context;
    if (!run) {
      status.note('');
      status.now('');
      return;
    }
    const { text } = run;
    const left = text.left_out_bytes ? ` · ${size(text.left_out_bytes)} left out` : '';
    status.note(
      `${text.title}: ${size(text.bytes)}, ${plural(text.documents, 'document')}${left}` +
        ' · MB = 10⁶ bytes of input · IDs are compared before timing',
    );
    status.now(`${whenWords(run.created_at)}, ${durationOfSeconds(run.elapsed_s)}`);
  }
}

/** What is announced when a run has ended. @param {import('../../api/schema.d.ts').BenchmarkResult} run */
function endWords(run) {
  const winner = linesOf(run).find(({ row }) => row.rank === 1);
  return winner ? `The run has ended. Fastest with exact IDs: ${winner.name}` : 'The run has ended';
}
