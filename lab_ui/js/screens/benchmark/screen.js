/** Benchmark: how fast tokenizers and engines are on a text. Starts runs as jobs, shows, compares and repeats them. */
import * as benchmarksClient from '../../api/benchmarks.js';
import * as corporaClient from '../../api/corpora.js';
import { textSize, withoutPractice } from '../../api/corpora.js';
import * as costsClient from '../../api/costs.js';
import * as trainingsClient from '../../api/trainings.js';
import { chartFile, offerCharts } from '../../app/chart_files.js';
import { saveFile } from '../../app/files.js';
import { failureOf } from '../../app/job_store.js';
import { lettersOf } from '../../app/letters.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { h, listen } from '../../ui/dom.js';
import { asSentence, durationOfSeconds, plural, size, whenWords } from '../../util/format.js';
import { utf8Length } from '../../util/utf8.js';
import { BenchmarkData, KIND } from './benchmark_data.js';
import { BenchmarkInvitation } from './benchmark_invitation.js';
import { BenchmarkPanel } from './benchmark_panel.js';
import { VIEWS, paramsOf, stateOf } from './benchmark_state.js';
import { keyNames, linesOf, tokenizersOf } from './benchmark_words.js';
import { COST_KINDS, CostViews, tokenizersOfCost } from './cost_views.js';
import { ExportMenu } from './export_menu.js';
import { ProgressRow } from './progress_row.js';
import { RunsHistory } from './runs_history.js';
import { OPEN_TEXT, SETTINGS, chosenSubjects, optionsOf } from './settings.js';
import { SetupRow } from './setup_row.js';
import { BenchmarkViews } from './views.js';

const CLIENT = {
  ...benchmarksClient,
  ...costsClient,
  listCorpora: corporaClient.listCorpora,
  trainingOptions: trainingsClient.trainingOptions,
};
/** Titles of charts that have no values. @type {Object<string, string|undefined>} */
const FIGURE_TITLES = {
  stages: 'Where the time goes',
  rounds: 'Time of each round',
  history: 'Ratio in each run',
};
const SETUP = Object.keys(SETTINGS);
/** Text that the page sends with a run, at most. */
const MOST_TEXT = 20_000_000;

export default class BenchmarkScreen extends Screen {
  static settings = SETTINGS;

  #client;
  /** @type {import('../../app/context.js').Context} */
  #context;
  /** @type {BenchmarkData} */
  #data;
  #isActive = false;
  #state = stateOf(new URLSearchParams());
  #setup = new SetupRow();
  #progress = new ProgressRow();
  #invitation = new BenchmarkInvitation();
  #export = new ExportMenu();
  #history = new RunsHistory();
  #costs = new CostViews({
    subjects: () => chosenSubjects(this.#context.settings, this.#offered.presets).subjects,
    active: () => this.#context.settings.get('active'),
    text: () => this.#context.session.text,
    measure: (kind, options) => this.#measureCost(kind, options),
    show: (kind, id) => this.#try(() => this.#showCost(kind, id)),
  });
  /** @type {BenchmarkPanel} */
  #panel;
  /** @type {BenchmarkViews} */
  #views;
  /** @type {import('../../api/corpora.js').Corpus[]} */
  #corpora = [];
  /** Presets and engines for a tokenizer. @type {{tokenizer: string, presets: any[], engines: any[]}} */
  #offered = { tokenizer: '', presets: [], engines: [] };
  /** Texts that are on every machine, for the race of trainers; null: not asked for yet. @type {any[]|null} */
  #practice = null;
  /** Kinds of costs whose newest measurement was looked for. @type {Set<string>} */
  #soughtCosts = new Set();
  /** The machine as it is now. @type {{environment: any, noise: any}|null} */
  #machine = null;

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
  }

  mount(root, context) {
    this.#context = context;
    this.#data = new BenchmarkData(context.jobs, this.life, /** @type {any} */ (this.#client));
    this.#panel = new BenchmarkPanel();
    this.#views = new BenchmarkViews(
      {
        pick: row => this.#set({ row: row === this.#state.row ? null : row }),
        columns: columns => this.#set({ columns: /** @type {any} */ (columns) }),
        inspect: document => this.#inspect(document),
        profile: document => this.#profile(document),
        figure: name => this.#figure(name),
        track: work => context.activity.track(work),
        fail: error => this.#showError(error),
      },
      this.#history,
      this.#costs.panels,
    );
    root.append(
      h(
        'div',
        { class: 'benchmark' },
        this.#setup,
        this.#progress,
        h('div', { class: 'tools' }, this.#views.tabs, h('span', { class: 'grow' }), this.#export),
        h('div', { class: 'bench-work' }, this.#invitation, ...this.#views.elements),
        this.#panel.side,
      ),
    );
    followPanelSettings(this.#panel.side, context.settings, this.life);
    offerCharts(this.#export, root, (chart, format) => this.#try(() => this.#saveChart(chart, format)));
    this.#listen();
    this.#draw();
  }

  #listen() {
    const { settings, catalog, jobs, session } = this.#context;
    const handle = (target, type, run) => listen(target, type, detail => this.#try(() => run(detail)));
    listen(this.#data, 'change', () => this.#draw());
    listen(this.#setup, 'settingchange', values => settings.set(values));
    for (const part of [this.#setup, this.#invitation]) listen(part, 'startrun', () => this.#start());
    listen(this.#setup, 'addtext', () => this.#context.router.go('corpus'));
    handle(this.#progress, 'cancelrun', async () => this.#job && jobs.stop(this.#job.id));
    listen(this.#views.tabs, 'valuechange', view => this.#set({ view }));
    listen(this.#costs.races, 'racechange', race => this.#set({ race }));
    handle(this.#export, 'saverun', format => this.#save(format));
    for (const list of [this.#panel.runs, this.#history]) {
      handle(list, 'openrun', id => this.#data.show(id));
      handle(list, 'comparerun', id => this.#data.show(this.#data.run?.id ?? null, id));
    }
    handle(this.#history, 'removerun', id => this.#data.remove(id));
    handle(this.#panel, 'measurenoise', () => this.#measure());
    listen(this.#panel, 'repeatrun', () => this.#follow(() => this.#data.repeat()));
    listen(this.#panel, 'closerow', () => this.#set({ row: null }));
    handle(this.#panel, 'copycommand', () => this.#copyCommand());
    settings.on(['active'], () => this.#try(() => this.#offer()), this.life);
    // Charts of costs have the letters of the bar.
    settings.on(['chosen', 'letters'], () => this.#soughtCosts.clear(), this.life);
    settings.on(['chosen', 'letters', ...SETUP.map(name => `benchmark.${name}`)], () => this.#draw(), this.life);
    catalog.addEventListener('change', () => this.#draw(), { signal: this.life });
    session.addEventListener('edit', () => this.#isActive && this.#draw(), { signal: this.life });
    jobs.addEventListener('ended', event => this.#onEnded(/** @type {CustomEvent} */ (event).detail), {
      signal: this.life,
    });
  }

  activate(params) {
    this.#isActive = true;
    this.#soughtCosts.clear();
    this.#state = stateOf(params);
    return this.#try(async () => {
      const [{ missing }, corpora] = await Promise.all([
        this.#data.load(this.#state),
        this.#client.listCorpora(),
        this.#offer(),
      ]);
      this.#corpora = corpora;
      this.#draw();
      if (missing.length)
        throw Object.assign(new Error(`This link names ${missing.join(' and ')}, which this lab does not have.`), {
          hint: 'It may have been removed. What is here is shown instead.',
        });
    });
  }

  deactivate() {
    this.#isActive = false;
    this.#data.stop();
  }

  get followsActive() {
    return true;
  }

  get focusName() {
    return 'the setup';
  }

  focusText() {
    this.#setup.focusRun();
  }

  renew() {
    this.#views.clear();
    this.#offered = { tokenizer: '', presets: [], engines: [] };
    this.#try(() => Promise.all([this.#data.load(this.#state), this.#offer()]));
  }

  /** @returns {import('../../app/command.js').Command[]} */
  get commands() {
    return [
      { label: 'Run the benchmark', keys: ['Mod+Enter'], also: 'start measure speed', run: () => this.#start() },
      {
        label: 'Repeat the run that is shown',
        also: 'again',
        run: () => this.#follow(() => this.#data.repeat()),
      },
      ...VIEWS.map(({ value, label }) => ({
        label: `Show ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
        run: () => this.#set({ view: value }),
      })),
      panelCommand(this.#context.settings),
    ];
  }

  /** @param {() => Promise<any>} work */
  #try(work) {
    return this.#context.activity.track(work().catch(error => this.#showError(error)));
  }

  /** @param {Error} error */
  #showError(error) {
    this.#context.status.showError(error);
  }

  /** Reads the presets and the engines for the active tokenizer. */
  async #offer() {
    const tokenizer = this.#context.settings.get('active');
    if (!tokenizer || tokenizer === this.#offered.tokenizer || !this.#isActive) return;
    const [presets, engines] = await Promise.all([
      this.#client.listPresets(tokenizer),
      this.#client.listEngines(tokenizer),
    ]);
    if (tokenizer !== this.#context.settings.get('active')) return;
    this.#offered = { tokenizer, presets, engines };
    this.#draw();
  }

  /** The id of the corpus, or `OPEN_TEXT`, that the next run measures. */
  get #text() {
    const wanted = this.#context.settings.get('benchmark.text');
    const isThere =
      wanted === OPEN_TEXT ? this.#context.session.length > 0 : this.#corpora.some(({ id }) => id === wanted);
    return isThere ? wanted : (this.#corpora[0]?.id ?? OPEN_TEXT);
  }

  /** @returns {import('../../api/benchmarks.js').TextSource} */
  get #source() {
    const { session } = this.#context;
    if (this.#text !== OPEN_TEXT) return { kind: 'corpus', name: this.#text };
    return { kind: 'text', name: session.source.name ?? 'Text of Inspect', text: session.text };
  }

  /** Why no run can start, in words; empty: it can. */
  get #problem() {
    const { catalog, settings, session } = this.#context;
    const { subjects } = chosenSubjects(settings, this.#offered.presets);
    const tokenizers = [...new Set(subjects.map(({ tokenizer }) => tokenizer))];
    const needs = tokenizers.filter(id => !catalog.isUsable(id)).map(id => catalog.nameOf(id));
    if (!this.#data.isLoaded) return 'The screen is loading.';
    if (needs.length) return `Fetch ${needs.join(' and ')} first: Add tokenizer, in the bar.`;
    if (!subjects.length) return 'Choose a tokenizer in the bar, and an engine under More.';
    if (this.#text === OPEN_TEXT && !session.length) return 'There is no text: add a corpus, or type one in Inspect.';
    if (this.#text === OPEN_TEXT && session.length > MOST_TEXT)
      return 'The text is too long: add its file as a corpus.';
    return '';
  }

  #start() {
    const { settings } = this.#context;
    if (this.#problem || this.#data.isBusy) return;
    const options = optionsOf(settings, this.#offered.presets, this.#source);
    this.#context.status.announce('The run has started');
    this.#follow(() => this.#data.start(options));
  }

  /**
   * Not among the tracked work: it takes long, and what is shown does not wait for it.
   * @param {() => Promise<import('../../api/benchmarks.js').Benchmark|null>} run
   */
  async #follow(run) {
    const { status } = this.#context;
    status.clearError();
    try {
      const found = await run();
      if (found && this.#isActive) status.announce(endWords(found));
    } catch (error) {
      this.#showError(error);
    }
  }

  /** @param {{job: Object, resumed: boolean}} ended */
  #onEnded({ job, resumed }) {
    const kind = COST_KINDS.find(one => one === job.kind);
    if (kind && job.state === 'done') this.#try(() => this.#showCost(kind));
    if (!resumed || (job.kind !== KIND && !kind)) return;
    if (job.state === 'failed') this.#showError(failureOf(job));
    else if (!kind) this.#try(() => this.#data.takeResumed(job));
  }

  /** What is under way on this screen: a run or a measurement of cost. */
  get #job() {
    return (
      this.#data.job ??
      this.#context.jobs.jobs.find(({ kind }) => COST_KINDS.includes(/** @type {any} */ (kind))) ??
      null
    );
  }

  /**
   * Measures a cost; as a run, not among the tracked work. The end of its job shows it.
   * @param {import('../../api/costs.js').Cost} kind @param {Object} options
   */
  async #measureCost(kind, options) {
    this.#context.status.clearError();
    try {
      await this.#context.jobs.follow(await this.#client.startCost(kind, options));
    } catch (error) {
      this.#showError(error);
    } finally {
      setTimeout(() => !this.life.aborted && this.#draw());
    }
  }

  /**
   * Shows a measurement of a cost, or the newest, also of an earlier visit.
   * @param {import('../../api/costs.js').Cost} kind @param {number|null} [id]
   */
  async #showCost(kind, id) {
    const all = (await this.#client.listCosts()).filter(one => one.kind === kind);
    const summary = all.find(one => one.id === id) ?? all[0];
    if (!summary) return;
    const letters = lettersOf(tokenizersOfCost(summary), id => this.#context.catalog.letterOf(id));
    if (this.#costs.isShown(kind, summary.id, letters)) return;
    const { report } = await this.#client.getCost(summary.id);
    this.#costs.take(kind, { summary, letters, figures: await this.#client.costFigures(report, letters) }, all);
    this.#draw();
  }

  async #measure() {
    try {
      this.#machine = await this.#client.measureEnvironment();
    } finally {
      this.#draw();
    }
  }

  /** Reads a chart of the run that is shown; what it has no values for has a reason instead. @param {string} name */
  async #figure(name) {
    const { run } = this.#data;
    const title = FIGURE_TITLES[name] ?? '';
    if (run?.id === null || !run) return { name, title, reason: 'No run is shown.' };
    const list = await this.#client.listBenchmarkFigures(run.id);
    const reason = list.find(entry => entry.name === name)?.reason;
    if (reason) return { name, title, reason: asSentence(`Not measured: ${reason}`) };
    return this.#client.benchmarkFigure(run.id, name, this.#letters(run));
  }

  /** The letters of the tokenizers of a run. @param {import('../../api/benchmarks.js').Benchmark} run */
  #letters(run) {
    return lettersOf(tokenizersOf(run), id => this.#context.catalog.letterOf(id));
  }

  /** @param {{tokenizer: string, text: string}} document */
  async #profile({ tokenizer, text }) {
    const profile = await this.#client.profileDocument(tokenizer, text);
    return { profile, figures: await this.#client.profileFigures(profile) };
  }

  /**
   * Opens a document in Inspect, with its tokenizer.
   * @param {{text: string, tokenizer: string, number: number}} found
   */
  #inspect({ text, tokenizer, number }) {
    const { catalog, settings, session, router } = this.#context;
    if (catalog.isUsable(tokenizer) && catalog.add(tokenizer)) settings.set({ active: tokenizer });
    session.setText(text, { name: `${this.#data.run?.text.title ?? 'Text'}, document ${number}`, encoding: 'UTF-8' });
    router.go('inspect');
  }

  /** @param {Partial<import('./benchmark_state.js').BenchmarkState>} patch */
  #set(patch) {
    this.#state = { ...this.#state, ...patch };
    this.#draw();
  }

  async #copyCommand() {
    const { clipboard } = this.#context;
    await clipboard.copy(this.#data.run?.command ?? '', 'The command is copied');
  }

  async #saveChart(chart, format) {
    const { name, data } = await chartFile(chart, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  /** @param {string} format */
  async #save(format) {
    const { name, data } = await this.#client.benchmarkFile(this.#data.run.id, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  #draw() {
    const { run, lines, before, changes, isBusy, isLoaded } = this.#data;
    const { view, row } = this.#state;
    this.#drawSetup();
    this.#progress.job = this.#job;
    this.#drawCosts();
    const needsRun = ['results', 'stages'].includes(view);
    this.#invitation.hidden = !isLoaded || run !== null || !needsRun;
    this.#views.tabs.value = view;
    if (needsRun && !run) for (const panel of this.#views.elements) panel.hidden = true;
    if (run) this.#views.draw(run, this.#letters(run), this.#state, this.#offered.engines);
    this.#history.show(lines, run?.id ?? null, before, changes);
    this.#export.hasRun = run !== null;
    this.#export.hidden = !run && !this.#costs.hasFigures(this.#state);
    this.#panel.show({
      run,
      lines,
      before,
      changes,
      line: run ? (linesOf(run, this.#letters(run)).find(line => line.row.key === row) ?? null) : null,
      machine: this.#machine,
      isBusy,
      hasRuns: view !== 'history',
    });
    if (!this.#isActive || !isLoaded) return;
    this.#context.router.replace('benchmark', paramsOf({ ...this.#state, run: run?.id ?? null, before }));
    this.#notes();
  }

  #drawCosts() {
    const { catalog, settings, session } = this.#context;
    const { view, race } = this.#state;
    if (view === 'race' && race === 'training' && this.#isActive) this.#readPractice();
    const kind = this.#costs.kindOf(this.#state);
    if (kind && this.#isActive && !this.#soughtCosts.has(kind)) {
      this.#soughtCosts.add(kind);
      this.#try(() => this.#showCost(kind, this.#costs.shownId(kind)));
    }
    const { subjects } = chosenSubjects(settings, this.#offered.presets);
    const keys = subjects.map(({ tokenizer, engine }) => `${tokenizer}/${engine}`);
    this.#costs.show({
      names: keys.length ? keyNames(keys) : [],
      active: catalog.nameOf(settings.get('active')),
      isBusy: this.#job !== null,
      problem: subjects.length ? '' : this.#problem,
      race,
      texts: [
        ...(this.#practice ?? []).map(({ name, title, bytes }) => ({ value: `practice:${name}`, title, bytes })),
        ...withoutPractice(this.#corpora, this.#practice ?? []).map(corpus => ({
          value: `corpus:${corpus.id}`,
          title: corpus.title,
          bytes: textSize(corpus),
        })),
      ],
      openBytes: session.length && session.length <= MOST_TEXT ? this.#openBytes() : 0,
    });
  }

  /** Reads, once, which practice corpora there are. */
  #readPractice() {
    if (this.#practice) return;
    this.#practice = [];
    this.#try(async () => {
      this.#practice = (await this.#client.trainingOptions()).practice;
      this.#draw();
    });
  }

  #drawSetup() {
    const { catalog, settings, session } = this.#context;
    const { isBusy, run } = this.#data;
    const chosen = Object.fromEntries(SETUP.map(name => [name, settings.get(`benchmark.${name}`)]));
    const { presets, engines } = this.#offered;
    const problem = this.#problem;
    const openText = session.length ? { bytes: this.#openBytes() } : null;
    this.#setup.show({
      presets,
      engines,
      corpora: this.#corpora,
      openText,
      settings: { .../** @type {any} */ (chosen), text: this.#text },
      cpus:
        this.#machine?.environment.usable_cpus ?? run?.environment.usable_cpus ?? (navigator.hardwareConcurrency || 1),
      problem,
      isRunning: isBusy,
    });
    const corpus = this.#corpora.find(({ id }) => id === this.#text);
    const title = presets.find(({ name }) => name === chosen.what)?.title ?? 'Custom';
    // A title such as "All installed engines" does not name the tokenizer, which is the active one.
    const names = [...new Set(chosenSubjects(settings, presets).subjects.map(one => catalog.nameOf(one.tokenizer)))];
    const what = names.length === 1 ? `${title} with ${names[0]}` : title;
    this.#invitation.show({ what, text: corpus?.title ?? 'the text of Inspect', problem, isBusy });
  }

  /** Bytes of the open text, counted once per version. */
  #openBytes() {
    const { session } = this.#context;
    if (this.#counted.version !== session.version)
      this.#counted = { version: session.version, bytes: utf8Length(session.text) };
    return this.#counted.bytes;
  }
  #counted = { version: -1, bytes: 0 };

  #notes() {
    const { status } = this.#context;
    const { run } = this.#data;
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

/** What is announced when a run has ended. @param {import('../../api/benchmarks.js').Benchmark} run */
function endWords(run) {
  const winner = linesOf(run).find(({ row }) => row.rank === 1);
  return winner ? `The run has ended. Fastest with exact IDs: ${winner.name}` : 'The run has ended';
}
