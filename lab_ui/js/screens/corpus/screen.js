/**
 * Corpus: how tokenizers behave on a whole corpus. Chooses a corpus, analyses it as a job, shows what was counted.
 */
import * as analysesClient from '../../api/analyses.js';
import * as corporaClient from '../../api/corpora.js';
import { listJobs } from '../../api/jobs.js';
import * as probesClient from '../../api/probes.js';
import { viewCommands } from '../../app/commands/command.js';
import { lettersOf } from '../../app/tokenizers/letters.js';
import { panelCommand } from '../../app/panel_settings.js';
import { ResultScreen } from '../../app/result_screen.js';
import { h } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';
import { durationOfSeconds, plural, whenWords } from '../../util/format.js';
import { CorpusData } from './corpus_data.js';
import { VIEWS, paramsOf, stateOf, usualMetric } from './corpus_state.js';
import { analysedWords, corpusFacts } from './corpus_words.js';
import { FigureCache } from './figure_cache.js';
import { HowToRead } from './how_to_read.js';
import { CardsPanel } from './panels/cards.js';
import { CorporaPanel } from './panels/corpora.js';
import { DrawerPanel } from './panels/drawer.js';
import { RobustnessPanel } from './panels/robustness.js';
import { ExamplesPanel } from './panels/examples.js';
import { ResultsPanel } from './panels/results.js';
import { ViewsPanel } from './panels/views.js';
import { SETTINGS, optionsOf } from './settings.js';
/** @import {DroppedFile} from '../../app/files/dropped_files.js' */

const CLIENT = { ...analysesClient, ...corporaClient, ...probesClient, listJobs };
const FORMATS = [
  { value: 'html', label: 'Report with charts (HTML)' },
  { value: 'md', label: 'Report (Markdown)' },
  { value: 'tex', label: 'Table (LaTeX)' },
  { value: 'json', label: 'All results (JSON)' },
  { value: 'csv', label: 'Table of results (CSV)' },
  { value: 'parquet', label: 'Counts of every token (Parquet)' },
];

/**
 * @typedef {import('./corpus_state.js').CorpusState} CorpusState
 * @extends {ResultScreen<CorpusData, CorpusState>}
 */
export default class CorpusScreen extends ResultScreen {
  static settings = SETTINGS;

  state = stateOf(new URLSearchParams());
  #client;
  #examples;
  /** @type {ViewsPanel} */
  #views;
  /** @type {CorporaPanel} */
  #corpora;
  #robustness;
  #export = h(new MenuButton(), { label: 'Export', hook: 'export-analysis' });
  #help = new HowToRead();
  #figures;

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
    this.#figures = new FigureCache(client);
    this.#examples = new ExamplesPanel(this, client);
    this.#robustness = new RobustnessPanel(this, client);
    this.#views = new ViewsPanel(this, this.#robustness.element);
  }

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.context = context;
    this.data = new CorpusData(context.jobs, this.life, this.#client);
    const cards = new CardsPanel();
    const drawer = new DrawerPanel(this, this.#client);
    this.#corpora = new CorporaPanel(this, this.#client, drawer.reading);
    const results = new ResultsPanel(this, this.#client, () => this.#figures.metrics());
    this.panels = [cards, this.#corpora, this.#robustness, results, this.#views, this.#examples, drawer];
    this.#export.offer('Save as', FORMATS, {
      hook: 'analysis',
      choose: format => this.save(() => this.#client.analysisFile(this.data.analysis?.id ?? 0, format)),
    });
    const menus = [this.#help, results.element, this.#export];
    const elements = [
      cards.element,
      h('div', { class: 'tools' }, this.#views.tabs, h('span', { class: 'grow' }), ...menus),
      h('div', { class: 'corpus-work' }, this.#corpora.invitation, ...this.#views.elements),
    ];
    this.handle(this.#help, 'openchange', () => this.#loadHelp());
    this.start(root, elements, drawer.element, this.#export);
    root.append(this.#corpora.dialog, results.dialog, this.#examples.element);
    context.settings.on(['active'], () => this.#followActive(), this.life);
  }

  get name() {
    return 'corpus';
  }

  get resultName() {
    return `analysis-${this.data.analysis?.id}`;
  }

  /** @param {URLSearchParams} params */
  stateOf(params) {
    return stateOf(params);
  }

  get params() {
    const { corpus, analysis, before } = this.data;
    return paramsOf({ ...this.state, corpus: corpus?.id ?? null, analysis: analysis?.id ?? null, before });
  }

  async load() {
    return (await this.data.load(this.state)).missing;
  }

  /** @param {URLSearchParams} params */
  activate(params) {
    this.try(() => this.#loadHelp()); // before its menu is opened, so that it opens in its full size
    return super.activate(params);
  }

  get followsActive() {
    return true;
  }

  get barControls() {
    return this.#corpora.element;
  }

  get dropHint() {
    return 'Drop files or a folder to add a corpus';
  }

  /** @param {DroppedFile[]} files */
  takeFiles(files) {
    return this.#corpora.take(files);
  }

  get focusName() {
    return 'the corpus';
  }

  focusText() {
    const { view } = this.state;
    if (['frequencies', 'concordance'].includes(view) && this.data.analysis) this.#views.focusSearch(view);
    else this.#corpora.element.focusMenu();
  }

  renew() {
    this.#figures.clear();
    this.#views.clear();
    super.renew();
  }

  /** @returns {import('../../app/commands/command.js').Command[]} */
  get commands() {
    const find = () => {
      this.set({ view: 'frequencies' });
      this.#views.focusSearch('frequencies');
    };
    return [
      { label: 'Analyze the corpus', keys: ['Mod+Enter'], also: 'run count', run: () => this.analyze() },
      { label: 'Add a corpus', also: 'files folder open text', run: () => this.#corpora.dialog.open() },
      ...viewCommands(VIEWS, view => this.set({ view })),
      { label: 'Find a token of the corpus', keys: ['/'], run: find },
      panelCommand(this.context.settings),
    ];
  }

  /** Counts the corpus with the tokenizers in use, if nothing is being counted. */
  analyze() {
    const { settings, status } = this.context;
    const { corpus } = this.data;
    if (!corpus || this.data.isBusy) return;
    status.announce(`Analyzing ${corpus.title}`);
    this.follow(
      () => this.data.analyze(settings.get('chosen'), optionsOf(settings, corpus)),
      () => `${corpus.title} is analysed`,
    );
  }

  /** @param {{job: import('../../app/state/job_store.js').ShownJob, resumed: boolean}} ended */
  onEnded(ended) {
    super.onEnded(ended);
    this.#robustness.onEnded(ended);
  }

  /** Shows the tokens of one tokenizer, and makes it the active one if it is in use. @param {string} tokenizer */
  choose(tokenizer) {
    const { settings } = this.context;
    this.set({ tokenizer });
    if (settings.get('chosen').includes(tokenizer)) settings.set({ active: tokenizer });
  }

  #followActive() {
    const active = this.context.settings.get('active');
    if (this.data.analysis?.tokenizers.some(({ tokenizer }) => tokenizer === active)) this.set({ tokenizer: active });
  }

  /**
   * An id means another token for another tokenizer, so that choosing one forgets it.
   * @param {Partial<CorpusState>} patch
   */
  set(patch) {
    const isOther = patch.tokenizer && patch.tokenizer !== this.#chosen;
    super.set({ ...(isOther ? { id: null } : {}), ...patch });
  }

  /** The tokenizer of the analysis whose tokens are listed. */
  get #chosen() {
    const ids = this.data.analysis?.tokenizers.map(({ tokenizer }) => tokenizer) ?? [];
    const wanted = [this.state.tokenizer, this.context.settings.get('active')];
    return wanted.find(id => id && ids.includes(id)) ?? ids[0] ?? '';
  }

  async allCharts() {
    const shown = this.#shown;
    const letters = shown?.tokenizers.map(({ letter }) => letter) ?? [];
    return shown ? this.#figures.all(shown.analysis.id, letters) : [];
  }

  /** @returns {import('./corpus_data.js').Told} */
  get shown() {
    const { corpora, corpus, lines, analysis, other: before, isBusy, isLoaded, job } = this.data;
    return { corpora, lines, corpus, analysis, before, isBusy, isLoaded, job, state: this.state, shown: this.#shown };
  }

  /** @returns {import('./corpus_state.js').Shown|null} */
  get #shown() {
    const { analysis } = this.data;
    if (!analysis) return null;
    const { catalog } = this.context;
    const ids = analysis.tokenizers.map(({ tokenizer }) => tokenizer);
    const letters = lettersOf(ids, catalog);
    const tokenizers = analysis.tokenizers.map((result, n) => ({
      id: ids[n],
      name: catalog.nameOf(ids[n]),
      letter: letters[n],
      result,
    }));
    const chosen = analysis.tokenizers[ids.indexOf(this.#chosen)];
    return {
      analysis,
      tokenizers,
      chosen,
      state: { ...this.state, metric: this.state.metric ?? usualMetric(analysis.corpus) },
      figure: name => this.#figures.figure(analysis.id, letters, name),
      rows: (offset, limit, search) =>
        this.#client.frequencyRows(analysis.id, { tokenizer: chosen.tokenizer, offset, limit, search }),
    };
  }

  /** Shows where a token of a tokenizer of the analysis occurs. @param {number} id @param {string} [tokenizer] */
  findToken(id, tokenizer = this.#chosen) {
    this.set({ view: 'concordance', tokenizer, id, word: '' });
  }

  /** Opens a token in the vocabulary of its tokenizer, which is put to use. @param {number} id */
  openToken(id) {
    const { catalog, settings, router } = this.context;
    const tokenizer = this.#chosen;
    if (!catalog.add(tokenizer)) return;
    settings.set({ active: tokenizer });
    router.go('vocabulary', { tab: 'entry', token: String(id) });
  }

  /** What was clicked in a chart: a token, or a language under a tokenizer. @param {any} data */
  pick({ tokenizer, id, language }) {
    if (tokenizer) this.choose(tokenizer);
    if (id !== undefined) this.findToken(id, tokenizer);
    const shown = this.#shown;
    if (id === undefined && language !== undefined && shown) this.try(() => this.#examples.show(language, shown));
  }

  async #loadHelp() {
    this.#help.metrics = await this.#figures.metrics();
  }

  /** @param {import('./corpus_data.js').Told} told */
  onDraw({ analysis }) {
    this.#export.hidden = !analysis;
    this.#help.view = analysis ? this.state.view : '';
  }

  /** @param {import('./corpus_data.js').Told} told */
  notes({ analysis, before, corpus }) {
    const { status } = this.context;
    if (!analysis) {
      status.note(corpus ? `${corpus.title}: ${corpusFacts(corpus)}` : '');
      status.now('');
      return;
    }
    const against = before ? ` · against ${whenWords(before.made_at)}` : '';
    status.note(`${analysedWords(analysis)} · tokens without added special tokens, ratios of sums${against}`);
    status.now(`${plural(analysis.tokenizers.length, 'tokenizer')} in ${durationOfSeconds(analysis.elapsed_s)}`);
  }
}
