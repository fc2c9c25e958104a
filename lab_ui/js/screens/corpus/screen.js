/**
 * Corpus: how tokenizers behave on a whole corpus. Chooses a corpus, analyses it as a job, shows what was counted.
 */
import * as analysesClient from '../../api/analyses.js';
import * as corporaClient from '../../api/corpora.js';
import { listJobs } from '../../api/jobs.js';
import * as probesClient from '../../api/probes.js';
import { failureOf } from '../../app/job_store.js';
import { saveFile } from '../../app/files.js';
import { chartFile, offerCharts } from '../../app/chart_files.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { lettersOf } from '../../app/letters.js';
import { Screen } from '../../app/screen.js';
import { h, listen } from '../../ui/dom.js';
import { durationOfSeconds, plural, whenWords } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { AddCorpus } from './add_corpus.js';
import { ComparisonDialog } from './comparison_dialog.js';
import { CorpusControls } from './corpus_controls.js';
import { CorpusData } from './corpus_data.js';
import { CorpusInvitation } from './corpus_invitation.js';
import { PREMIUM, VIEWS, paramsOf, stateOf, usualMetric } from './corpus_state.js';
import { analysedWords, corpusFacts } from './corpus_words.js';
import { CorpusDrawer } from './drawer.js';
import { ExportMenu } from './export_menu.js';
import { FactCards } from './fact_cards.js';
import { FigureCache } from './figure_cache.js';
import { HowToRead } from './how_to_read.js';
import { LanguageExamplesDialog } from './language_examples.js';
import { ResultsMenu } from './results_menu.js';
import { SETTINGS, optionsOf } from './settings.js';
import { CorpusViews } from './views.js';

const CLIENT = { ...analysesClient, ...corporaClient, ...probesClient, listJobs };
/** The kind of its jobs. */
const ROBUSTNESS = 'robustness';

export default class CorpusScreen extends Screen {
  static settings = SETTINGS;

  #client;
  /** @type {import('../../app/context.js').Context} */
  #context;
  /** @type {CorpusData} */
  #data;
  #isActive = false;
  #state = stateOf(new URLSearchParams());
  #controls = new CorpusControls();
  #add = new AddCorpus();
  #cards = new FactCards();
  #results = new ResultsMenu();
  #comparison = new ComparisonDialog();
  #examples = new LanguageExamplesDialog();
  #askingExamples = new Latest();
  /** @type {CorpusViews} */
  #views;
  /** @type {CorpusDrawer} */
  #drawer;
  #invitation = new CorpusInvitation();
  #export = new ExportMenu();
  #help = new HowToRead();
  /** The last measurement of robustness. @type {import('../../api/probes.js').Robustness|null} */
  #robustness = null;
  /** The corpus whose measurement was looked for. @type {string|null} */
  #soughtRobustness = null;
  #isStarting = false;
  /** The corpus whose reading is shown. @type {string|null} */
  #reading = null;
  /** @type {import('../../api/corpora.js').CorpusDetail} */
  #detail;
  /** @type {FigureCache} */
  #figures;

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
    this.#figures = new FigureCache(client);
  }

  mount(root, context) {
    this.#context = context;
    this.#data = new CorpusData(context.jobs, this.life, this.#client);
    const acts = {
      choose: tokenizer => this.#choose(tokenizer),
      find: search => this.#set({ search }),
      examples: token => this.#findToken(this.#shown?.chosen.tokenizer ?? '', token),
      word: word => this.#set({ word, id: null }),
      entry: token => this.#openToken(this.#shown?.chosen.tokenizer ?? '', token),
      pick: ({ data }) => this.#pick(data),
      measure: metric => this.#set({ metric }),
      showAll: () => this.#set({ view: 'languages', metric: PREMIUM }),
      show: drawer => this.#set({ drawer }),
      fail: error => this.#showError(error),
      track: work => context.activity.track(work),
    };
    this.#views = new CorpusViews(acts);
    this.#drawer = new CorpusDrawer(acts);
    root.append(
      h(
        'div',
        { class: 'corpus' },
        this.#cards,
        h(
          'div',
          { class: 'tools' },
          this.#views.tabs,
          h('span', { class: 'grow' }),
          this.#help,
          this.#results,
          this.#export,
        ),
        h('div', { class: 'corpus-work' }, this.#invitation, ...this.#views.elements),
        this.#drawer.side,
      ),
      this.#add,
      this.#comparison,
      this.#examples,
    );
    this.#drawer.settings.reading.cleaning.start(acts.track);
    followPanelSettings(this.#drawer.side, context.settings, this.life);
    offerCharts(this.#export, root, (chart, format) => this.#try(() => this.#saveChart(chart, format)));
    this.#listen();
    this.#draw();
  }

  #listen() {
    const { settings, catalog, jobs } = this.#context;
    const handle = (target, type, run) => listen(target, type, detail => this.#try(() => run(detail)));
    listen(this.#data, 'change', () => this.#draw());
    handle(this.#controls, 'choosecorpus', id => this.#data.choose(id));
    handle(this.#controls, 'cancelanalysis', () => this.#data.cancel());
    for (const part of [this.#controls, this.#invitation]) {
      listen(part, 'analyze', () => this.#analyze());
      listen(part, 'addcorpus', () => this.#add.open());
    }
    handle(this.#results, 'openanalysis', id => this.#data.show(id));
    handle(this.#results, 'compareanalysis', id => this.#data.show(this.#data.analysis?.id ?? null, id));
    handle(this.#results, 'showdifferences', () => this.#showDifferences());
    listen(this.#examples, 'inspectexample', example => this.#inspect(example));
    listen(this.#add, 'addpaths', paths => this.#addPaths(paths, {}));
    listen(this.#add, 'addfiles', files => this.takeFiles(files));
    listen(this.#views.tabs, 'valuechange', view => this.#set({ view }));
    listen(this.#drawer.settings, 'settingchange', values => settings.set(values));
    listen(this.#drawer.settings.reading, 'readagain', options => this.#readAgain(options));
    handle(this.#export, 'saveanalysis', format => this.#save(format));
    handle(this.#help, 'openchange', () => this.#loadHelp());
    listen(this.#views.robustness, 'measure', () => this.#measure());
    handle(this.#drawer.settings, 'repeatanalysis', () => this.#data.repeat());
    handle(this.#drawer.settings, 'removecorpus', () => this.#data.removeCorpus(this.#data.corpus.id));
    handle(this.#drawer.settings, 'removeanalysis', () => this.#data.removeAnalysis(this.#data.analysis.id));
    settings.on(['active'], () => this.#followActive(), this.life);
    settings.on(['chosen', 'letters', 'corpus.sample', 'corpus.reference'], () => this.#draw(), this.life);
    catalog.addEventListener('change', () => this.#draw(), { signal: this.life });
    const onEnded = event => this.#onEnded(event.detail);
    jobs.addEventListener('ended', onEnded, { signal: this.life });
  }

  activate(params) {
    this.#isActive = true;
    this.#soughtRobustness = null;
    this.#state = stateOf(params);
    this.#try(() => this.#loadHelp()); // before its menu is opened, so that it opens in its full size
    return this.#try(async () => {
      const { missing } = await this.#data.load(this.#state);
      if (missing.length)
        throw Object.assign(new Error(`This link names ${missing.join(' and ')}, which this lab does not have.`), {
          hint: 'It may have been removed. What is here is shown instead.',
        });
    });
  }

  deactivate() {
    this.#isActive = false;
    this.#data.stop();
    this.#views.concordance.stop();
    this.#askingExamples.stop();
  }

  get followsActive() {
    return true;
  }

  get barControls() {
    return this.#controls;
  }

  get dropHint() {
    return 'Drop files or a folder to add a corpus';
  }

  get focusName() {
    return 'the corpus';
  }

  focusText() {
    const { view } = this.#state;
    if (['frequencies', 'concordance'].includes(view) && this.#data.analysis) this.#views.focusSearch(view);
    else this.#controls.focusMenu();
  }

  /**
   * Files that were dropped or chosen become a corpus.
   * @param {import('../../app/dropped_files.js').DroppedFile[]} files
   */
  takeFiles(files) {
    if (!files.length) return null;
    const [{ path }] = files;
    const others = files.length > 1 ? ` and ${plural(files.length - 1, 'more file')}` : '';
    return this.#addCorpus(() => this.#client.uploadCorpus(files, { title: `${path}${others}` }));
  }

  renew() {
    this.#figures.clear();
    this.#views.clear();
    this.#try(() => this.#data.load(this.#state));
  }

  /** @returns {import('../../app/command.js').Command[]} */
  get commands() {
    return [
      { label: 'Analyze the corpus', keys: ['Mod+Enter'], also: 'run count', run: () => this.#analyze() },
      { label: 'Add a corpus', also: 'files folder open text', run: () => this.#add.open() },
      ...VIEWS.map(({ value, label }) => ({
        label: `Show ${label.toLowerCase()}`,
        run: () => this.#set({ view: value }),
      })),
      {
        label: 'Find a token of the corpus',
        keys: ['/'],
        run: () => {
          this.#set({ view: 'frequencies' });
          this.#views.focusSearch('frequencies');
        },
      },
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

  /** Not among the tracked work: it may take long, and what is shown does not wait for it. */
  async #analyze() {
    const { settings, status } = this.#context;
    const { corpus } = this.#data;
    if (!corpus || this.#data.isBusy) return;
    status.clearError();
    status.announce(`Analyzing ${corpus.title}`);
    try {
      const analysis = await this.#data.analyze(settings.get('chosen'), optionsOf(settings, corpus));
      if (analysis && this.#isActive) status.announce(`${corpus.title} is analysed`);
    } catch (error) {
      this.#showError(error);
    }
  }

  /** @param {{job: Object, resumed: boolean}} ended */
  #onEnded({ job, resumed }) {
    if (job.kind === ROBUSTNESS && job.state === 'done') this.#robustness = /** @type {any} */ (job).result;
    if (job.kind === ROBUSTNESS) this.#drawRobustness();
    if (!resumed || !['analysis', ROBUSTNESS].includes(job.kind)) return;
    if (job.state === 'failed') this.#showError(failureOf(job));
    else if (job.kind === 'analysis') this.#try(() => this.#data.takeResumed(job));
  }

  /** @param {string[]} paths @param {import('../../api/corpora.js').CorpusOptions} options */
  #addPaths(paths, options) {
    return this.#addCorpus(async () => this.#context.jobs.follow(await this.#client.addCorpus(paths, options)));
  }

  /** Reads the files of the corpus in another way, as another corpus. @param {Object} options */
  #readAgain(options) {
    const { id, title, first_files: files, builtin, files: number } = this.#detail;
    if (builtin || number > files.length)
      return this.#addCorpus(async () =>
        this.#context.jobs.follow(await this.#client.cleanCorpus(id, options.cleaning ?? [])),
      );
    const paths = files.map(({ path }) => path);
    return this.#addPaths(paths, { title, ...options });
  }

  /** Reads how the chosen corpus is read, once per corpus and only where it is shown. */
  #drawReading() {
    const { corpus } = this.#data;
    const wanted = this.#state.drawer === 'settings' ? (corpus?.id ?? null) : null;
    if (wanted === null || wanted === this.#reading) return;
    this.#reading = wanted;
    this.#drawer.settings.reading.show(null);
    this.#try(async () => {
      const [detail, steps] = await Promise.all([this.#client.getCorpus(wanted), this.#client.listCleaningSteps()]);
      if (this.#reading !== wanted) return;
      this.#detail = detail;
      this.#drawer.settings.reading.show(detail, steps);
    });
  }

  /** @param {() => Promise<import('../../api/corpora.js').Corpus|null>} add null: it was stopped */
  #addCorpus(add) {
    this.#add.problem = null;
    this.#add.busy = 'Reading the files…';
    return this.#context.activity.track(
      (async () => {
        try {
          const corpus = await add();
          this.#add.close();
          if (!corpus) return;
          await this.#data.add(corpus);
          this.#context.status.announce(`${corpus.title} is added: ${corpusFacts(corpus)}`);
        } catch (error) {
          if (this.#add.isOpen) this.#add.problem = error;
          else this.#showError(error);
        } finally {
          this.#add.busy = '';
        }
      })(),
    );
  }

  /** Shows the tokens of one tokenizer, and makes it the active one if it is in use. @param {string} tokenizer */
  #choose(tokenizer) {
    const { settings } = this.#context;
    this.#set({ tokenizer });
    if (settings.get('chosen').includes(tokenizer)) settings.set({ active: tokenizer });
  }

  #followActive() {
    const active = this.#context.settings.get('active');
    if (this.#data.analysis?.tokenizers.some(({ tokenizer }) => tokenizer === active)) this.#set({ tokenizer: active });
  }

  /**
   * An id means another token for another tokenizer, so that choosing one forgets it.
   * @param {Partial<import('./corpus_state.js').CorpusState>} patch
   */
  #set(patch) {
    const isOther = patch.tokenizer && patch.tokenizer !== this.#shown?.chosen.tokenizer;
    this.#state = { ...this.#state, ...(isOther ? { id: null } : {}), ...patch };
    this.#draw();
  }

  /** @returns {import('./corpus_state.js').Shown|null} */
  get #shown() {
    const { analysis } = this.#data;
    if (!analysis) return null;
    const { catalog, settings } = this.#context;
    const ids = analysis.tokenizers.map(({ tokenizer }) => tokenizer);
    const letters = lettersOf(ids, id => catalog.letterOf(id));
    const tokenizers = analysis.tokenizers.map((result, n) => ({
      id: ids[n],
      name: catalog.nameOf(ids[n]),
      letter: letters[n],
      result,
    }));
    const wanted = [this.#state.tokenizer, settings.get('active'), ids[0]].find(id => ids.includes(id));
    const chosen = analysis.tokenizers[ids.indexOf(wanted)];
    return {
      analysis,
      tokenizers,
      chosen,
      state: { ...this.#state, metric: this.#state.metric ?? usualMetric(analysis.corpus) },
      figure: name => this.#figures.figure(analysis.id, letters, name),
      rows: (offset, limit, search) =>
        this.#client.frequencyRows(analysis.id, { tokenizer: chosen.tokenizer, offset, limit, search }),
    };
  }

  /** Shows where a token of a tokenizer of the analysis occurs. @param {string} tokenizer @param {number} id */
  #findToken(tokenizer, id) {
    this.#set({ view: 'concordance', tokenizer, id, word: '' });
  }

  /**
   * Opens a token in the vocabulary of its tokenizer, which is put to use.
   * @param {string} tokenizer @param {number} id
   */
  #openToken(tokenizer, id) {
    const { catalog, settings, router } = this.#context;
    if (!catalog.add(tokenizer)) return;
    settings.set({ active: tokenizer });
    router.go('vocabulary', { tab: 'entry', token: String(id) });
  }

  /** What was clicked in a chart: a token, or a language under a tokenizer. @param {any} data */
  #pick({ tokenizer, id, language }) {
    if (tokenizer) this.#choose(tokenizer);
    if (id !== undefined) this.#findToken(tokenizer, id);
    else if (language !== undefined) this.#try(() => this.#showExamples(language));
  }

  /** Shows the first documents of a language under the tokenizers that are installed. @param {string} language */
  async #showExamples(language) {
    const { analysis, tokenizers } = this.#shown;
    const { catalog } = this.#context;
    const query = {
      corpus: analysis.corpus.id,
      language,
      tokenizers: tokenizers.map(({ id }) => id).filter(id => catalog.isUsable(id)),
    };
    const found = await this.#askingExamples.run(signal => this.#client.languageExamples(query, signal));
    if (found) this.#examples.open(found, tokenizers);
  }

  /** Opens a text of the corpus in Inspect. @param {{text: string, name: string}} example */
  #inspect({ text, name }) {
    const { session, router } = this.#context;
    session.setText(text, { name: `${this.#shown?.analysis.corpus.title}, ${name}`, encoding: 'UTF-8' });
    router.go('inspect');
  }

  async #saveChart(chart, format) {
    const { name, data } = await chartFile(chart, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  /** @param {string} format */
  async #save(format) {
    const { name, data } = await this.#client.analysisFile(this.#data.analysis.id, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  async #showDifferences() {
    const { analysis, before } = this.#data;
    const { catalog } = this.#context;
    const asked = [this.#client.compareAnalyses(before.id, analysis.id), this.#figures.metrics()];
    const [changes, metrics] = await Promise.all(asked);
    this.#comparison.open({ analysis, before, changes, metrics, nameOf: id => catalog.nameOf(id) });
  }

  async #loadHelp() {
    this.#help.metrics = await this.#figures.metrics();
  }

  /** As long as an analysis may take, so what is shown does not wait for it. The end of its job shows it. */
  async #measure() {
    const { corpus } = this.#data;
    if (!corpus || this.#isMeasuring) return;
    this.#isStarting = true;
    this.#drawRobustness();
    try {
      const tokenizers = this.#context.settings.get('chosen');
      const following = this.#context.jobs.follow(
        await this.#client.startRobustness({ corpus: corpus.id, tokenizers }),
      );
      this.#isStarting = false;
      await following;
    } catch (error) {
      this.#showError(error);
    } finally {
      this.#isStarting = false;
      this.#drawRobustness();
    }
  }

  /** Whether robustness is being measured, also since before the screen was opened. */
  get #isMeasuring() {
    return this.#isStarting || this.#context.jobs.jobs.some(({ kind }) => kind === ROBUSTNESS);
  }

  /** Finds the last measurement of robustness of this corpus: the backend keeps it as long as it runs. */
  async #findRobustness() {
    const jobs = await this.#client.listJobs();
    const found = jobs.findLast(
      ({ kind, state, result }) =>
        kind === ROBUSTNESS && state === 'done' && /** @type {any} */ (result).corpus === this.#data.corpus?.id,
    );
    this.#robustness = /** @type {any} */ (found?.result) ?? this.#robustness;
    this.#drawRobustness();
  }

  #drawRobustness() {
    const { catalog, settings } = this.#context;
    const corpus = this.#data.corpus?.id ?? null;
    if (this.#isActive && this.#state.view === ROBUSTNESS && corpus !== this.#soughtRobustness) {
      this.#soughtRobustness = corpus;
      this.#try(() => this.#findRobustness());
    }
    const nameOf = id => catalog.nameOf(id);
    this.#views.robustness.show({
      robustness: this.#robustness?.corpus === this.#data.corpus?.id ? this.#robustness : null,
      tokenizers: this.#data.corpus ? settings.get('chosen').map(nameOf) : [],
      isBusy: this.#isMeasuring,
      nameOf,
      letterOf: id => catalog.letterOf(id),
    });
  }

  #draw() {
    const { data, context } = { data: this.#data, context: this.#context };
    const { settings } = context;
    const shown = this.#shown;
    this.#drawControls();
    this.#drawCards(shown);
    this.#drawInvitation();
    this.#results.show(data.analyses, data);
    this.#export.hidden = !shown;
    this.#help.view = shown ? this.#state.view : '';
    this.#drawRobustness();
    this.#views.tabs.hidden = !shown;
    for (const panel of this.#views.elements) if (!shown) panel.hidden = true;
    if (shown) this.#views.draw(shown);
    const unseen = (offset, limit) =>
      this.#client.unseenEntries(shown.analysis.id, { tokenizer: shown.chosen.tokenizer, offset, limit });
    this.#drawer.draw(shown, this.#state.drawer, unseen);
    this.#drawer.settings.show({
      corpus: data.corpus,
      analysis: data.analysis,
      sample: settings.get('corpus.sample'),
      reference: settings.get('corpus.reference'),
    });
    this.#drawReading();
    if (!this.#isActive || !data.isLoaded) return;
    context.router.replace('corpus', paramsOf(this.#address));
    this.#notes();
  }

  get #address() {
    const { corpus, analysis, before } = this.#data;
    return { ...this.#state, corpus: corpus?.id ?? null, analysis: analysis?.id ?? null, before: before?.id ?? null };
  }

  #drawControls() {
    const { corpora, corpus, analysis, isBusy } = this.#data;
    const canRun = corpus !== null && this.#context.settings.get('chosen').length > 0;
    const gone = corpus ? '' : (analysis?.corpus.title ?? '');
    this.#controls.show({ corpora, corpus, gone, isRunning: isBusy, canRun });
  }

  /** @param {import('./corpus_state.js').Shown|null} shown */
  #drawCards(shown) {
    const { before, corpus } = this.#data;
    const { catalog, settings } = this.#context;
    const counted = shown?.tokenizers ?? [];
    this.#cards.hidden = !shown;
    const isNew = id => corpus !== null && !counted.some(one => one.id === id);
    const uncounted = settings.get('chosen').filter(isNew);
    this.#cards.cards = [
      ...counted.map(tokenizer => ({
        ...tokenizer,
        before: before && (before.tokenizers.find(result => result.tokenizer === tokenizer.id) ?? 'none'),
      })),
      ...uncounted.map(id => ({
        id,
        name: catalog.nameOf(id),
        letter: catalog.letterOf(id),
        result: null,
        before: null,
      })),
    ];
  }

  /** What to do first, where nothing was counted yet. */
  #drawInvitation() {
    const { corpus, analysis, isBusy, isLoaded, job } = this.#data;
    this.#invitation.hidden = analysis !== null || !isLoaded;
    const { catalog, settings } = this.#context;
    const tokenizers = settings.get('chosen').map(id => catalog.nameOf(id));
    this.#invitation.show({ corpus, tokenizers, isBusy });
    this.#invitation.progress = job;
  }

  #notes() {
    const { status } = this.#context;
    const { analysis, before, corpus } = this.#data;
    if (!analysis) {
      status.note(corpus ? `${corpus.title}: ${corpusFacts(corpus)}` : '');
      status.now('');
      return;
    }
    const against = before ? ` · against ${whenWords(before.made_at)}` : '';
    status.note(`${analysedWords(analysis.corpus)} · tokens without added special tokens, ratios of sums${against}`);
    status.now(`${plural(analysis.tokenizers.length, 'tokenizer')} in ${durationOfSeconds(analysis.elapsed_s)}`);
  }
}
