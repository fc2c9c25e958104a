/** Train: how a tokenizer learns its vocabulary. Starts trainings as jobs, follows, pauses, keeps and opens them. */
import * as corporaClient from '../../api/corpora.js';
import * as trainingsClient from '../../api/trainings.js';
import { chartFile, offerCharts } from '../../app/chart_files.js';
import { saveFile } from '../../app/files.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { shortNames } from '../../app/short_names.js';
import { isLive } from '../../app/training_states.js';
import { h, listen } from '../../ui/dom.js';
import { count, problemWords, size } from '../../util/format.js';
import { ChartsColumn } from './panels/charts_column.js';
import { FactsRow } from './panels/facts_row.js';
import { StagesStrip } from './panels/stages_strip.js';
import { StepsTable, stepWords } from './panels/steps_table.js';
import { TrainPanel } from './panels/train_panel.js';
import { SETTINGS } from './settings.js';
import { SpokenProgress } from './spoken_progress.js';
import { TrainData } from './train_data.js';
import { TrainInvitation } from './train_invitation.js';
import { SETUP, TrainPlan } from './train_plan.js';
import { TABS, paramsOf, stateOf } from './train_state.js';
import { algorithmWords, endWords } from './train_words.js';

const CLIENT = {
  ...trainingsClient,
  listCorpora: corporaClient.listCorpora,
  uploadCorpus: corporaClient.uploadCorpus,
};
const KIND = 'training';

/** @typedef {import('../../api/trainings.js').Training} Training */

export default class TrainScreen extends Screen {
  static settings = SETTINGS;

  #client;
  /** @type {import('../../app/context.js').Context} */
  #context;
  /** @type {TrainData} */
  #data;
  #isActive = false;
  #isActing = false;
  #state = stateOf(new URLSearchParams());
  #facts = new FactsRow();
  #stages = new StagesStrip();
  #table = new StepsTable();
  #charts = new ChartsColumn();
  #progress = new SpokenProgress();
  #invitation = new TrainInvitation();
  #work = h('div', { class: 'train-work' }, this.#table, this.#charts);
  /** @type {TrainPanel} */
  #panel;
  /** @type {TrainPlan} */
  #plan;
  /** What was estimated before a training was started here, by its id. @type {Map<number, any>} */
  #estimates = new Map();

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
  }

  mount(root, context) {
    this.#context = context;
    this.#data = new TrainData(this.life, error => this.#showError(error), context.jobs, this.#client);
    this.#panel = new TrainPanel();
    this.#plan = new TrainPlan(context.settings, this.#client, this.#panel.form);
    root.append(
      h(
        'div',
        { class: 'train' },
        this.#facts,
        this.#stages,
        this.#work,
        h('div', { class: 'train-first' }, this.#invitation),
        this.#panel.side,
      ),
    );
    followPanelSettings(this.#panel.side, context.settings, this.life);
    offerCharts(this.#panel.card.save, root, (chart, format) => this.#try(() => this.#saveChart(chart, format)));
    this.#listen();
    this.#draw();
  }

  #listen() {
    const { settings, catalog, jobs } = this.#context;
    const { form, card, past, tabs } = this.#panel;
    const handle = (target, type, run) => listen(target, type, detail => this.#try(() => run(detail)));
    this.#listenToData();
    handle(this.#facts, 'trainact', name => this.#act(name));
    listen(this.#facts, 'newtraining', () => this.#planNext());
    listen(this.#invitation, 'practice', () => this.#try(() => this.#startWith(this.#plan.first.body)));
    listen(this.#table, 'orderchange', order => settings.set({ 'train.order': order }));
    listen(this.#table, 'followchange', follow => settings.set({ 'train.follow': follow }));
    listen(this.#table, 'choosestep', row => this.#context.status.now(stepWords(row)));
    listen(tabs, 'valuechange', tab => this.#set({ tab }));
    listen(form, 'setupchange', values => this.#plan.set(values));
    listen(form, 'setuptext', text => this.#takeText(text));
    handle(form, 'choosefiles', files => this.#plan.upload(files));
    handle(form, 'starttraining', () => this.#start());
    handle(card, 'opentokenizer', () => this.#inspect());
    handle(card, 'comparetokenizer', other => this.#compare(other));
    handle(card, 'savetokenizer', format => this.#save(format));
    handle(card, 'savereport', format => this.#saveReport(format));
    handle(past, 'opentraining', id => this.#open(id));
    handle(past, 'resumetraining', id => this.#resume(id));
    handle(past, 'removetraining', id => this.#remove(id));
    settings.on(['train.order', 'train.follow'], () => this.#drawTable(), this.life);
    settings.on(
      SETUP.map(name => `train.${name}`),
      () => this.#onSetup(),
      this.life,
    );
    settings.on(['chosen', 'active'], () => this.#onTokenizers(), this.life);
    catalog.addEventListener('change', () => this.#onTokenizers(), { signal: this.life });
    jobs.addEventListener('ended', event => this.#onJobEnd(/** @type {CustomEvent} */ (event).detail.job), {
      signal: this.life,
    });
  }

  #listenToData() {
    listen(this.#data, 'trainingchange', () => {
      this.#draw();
      this.#speak();
    });
    listen(this.#data, 'stepschange', () => {
      this.#drawTable();
      this.#table.renew();
    });
    listen(this.#data, 'curvechange', () => this.#drawCurve());
    listen(this.#data, 'logchange', () => this.#drawLog());
    listen(this.#data, 'trainingend', training => this.#onEnd(training));
  }

  activate(params) {
    this.#isActive = true;
    this.#state = stateOf(params);
    this.#data.references = this.#context.settings.get('chosen');
    return this.#try(async () => {
      const [isKnown, corpora] = await Promise.all([this.#data.load(this.#state.training), this.#client.listCorpora()]);
      this.#plan.corpora = corpora;
      this.#draw();
      await this.#charts.drawn;
      if (!isKnown)
        throw Object.assign(
          new Error(`This link names the training ${this.#state.training}, which this lab does not have.`),
          {
            hint: 'It may have been deleted. The newest one is shown instead.',
          },
        );
    });
  }

  deactivate() {
    this.#isActive = false;
    this.#data.stop();
    this.#plan.stop();
  }

  get holdsInput() {
    return this.#plan.text.length > 0;
  }

  get dropHint() {
    return this.#hasForm ? 'Drop files to learn from them' : null;
  }

  takeFiles(files) {
    return this.#try(() => this.#plan.upload(files));
  }

  get focusName() {
    return 'the setup';
  }

  focusText() {
    if (this.#hasForm) this.#panel.form.focusSource();
    else this.#facts.focusAct();
  }

  renew() {
    this.#try(() => this.#data.load(this.#data.training?.id ?? null));
  }

  /** @returns {import('../../app/command.js').Command[]} */
  get commands() {
    const { settings } = this.#context;
    const { training } = this.#data;
    const state = training?.state;
    const command = (name, label, more = {}) => ({ label, ...more, run: () => this.#try(() => this.#act(name)) });
    return [
      ...(state === 'running' ? [command('pause', 'Pause the training', { keys: [' '] })] : []),
      ...(state === 'paused' ? [command('continue', 'Continue the training', { keys: [' '] })] : []),
      ...(isLive(training)
        ? [command('keep', 'Stop the training and keep its tokenizer', { also: 'end finish' })]
        : []),
      ...(this.#hasForm
        ? [{ label: 'Train', keys: ['Mod+Enter'], also: 'start begin', run: () => this.#try(() => this.#start()) }]
        : []),
      ...(training && !isLive(training) && !this.#hasForm
        ? [{ label: 'New training', keys: ['Mod+Enter'], also: 'setup again', run: () => this.#planNext() }]
        : []),
      ...(training?.vocab_size
        ? [{ label: 'Open the tokenizer in Inspect', run: () => this.#try(() => this.#inspect()) }]
        : []),
      {
        label: settings.get('train.order') === 'newest' ? 'Show the first steps first' : 'Show the newest steps first',
        also: 'order sort merges',
        run: () => settings.set({ 'train.order': settings.get('train.order') === 'newest' ? 'first' : 'newest' }),
      },
      {
        label: 'Toggle following the last step',
        keys: ['f'],
        run: () => settings.set({ 'train.follow': !settings.get('train.follow') }),
      },
      ...TABS.map(({ value, label }) => ({
        label: `Show ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
        run: () => this.#set({ tab: value }),
      })),
      panelCommand(settings),
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

  /** @param {Partial<import('./train_state.js').TrainState>} patch */
  #set(patch) {
    this.#state = { ...this.#state, ...patch };
    this.#draw();
  }

  /** Whether the panel has the setup of the next training. */
  get #hasForm() {
    const { training } = this.#data;
    return !isLive(training) && (training === null || this.#state.isNew);
  }

  #onSetup() {
    this.#plan.forgive();
    this.#draw();
  }

  #onTokenizers() {
    if (this.#isActive) this.#data.references = this.#context.settings.get('chosen');
    this.#drawCurve();
  }

  /** @param {string} text */
  #takeText(text) {
    this.#plan.text = text;
    this.#onSetup();
  }

  /** Offers the setup of the training that is shown, to change it and train again. */
  #planNext() {
    const { training } = this.#data;
    if (training) this.#plan.take(training);
    this.#set({ isNew: true, tab: 'setup' });
    this.#context.settings.set({ showPanel: true });
    this.#panel.form.focusSource();
  }

  async #start() {
    if (!this.#data.isStarting && this.#plan.isSound) await this.#startWith(this.#plan.body);
  }

  /** @param {import('../../api/trainings.js').TrainingBody} body */
  async #startWith(body) {
    const { status } = this.#context;
    status.clearError();
    try {
      const estimate = this.#plan.estimateOf(body);
      const training = await this.#data.start(body);
      if (estimate) this.#estimates.set(training.id, estimate);
      this.#set({ training: training.id, isNew: false, tab: 'setup' });
      status.announce('The training has started');
    } catch (error) {
      if (!this.#hasForm) throw error;
      this.#plan.refuse(error);
      this.#drawForm();
      status.announce(problemWords(error));
    }
  }

  /** @param {import('./train_data.js').Act|'halt'} name */
  async #act(name) {
    const { training } = this.#data;
    if (!training || this.#isActing) return;
    this.#isActing = true;
    this.#drawFacts();
    try {
      await (name === 'halt' ? this.#data.halt() : this.#data.act(name));
    } finally {
      this.#isActing = false;
      this.#drawFacts();
    }
  }

  /** @param {number} id */
  async #open(id) {
    await this.#data.open(id);
    this.#set({ training: id, isNew: false, tab: 'setup' });
  }

  /** @param {number} id */
  async #resume(id) {
    await this.#data.act('resume', id);
    this.#set({ training: id, isNew: false, tab: 'setup' });
  }

  /** @param {number} id */
  async #remove(id) {
    await this.#data.remove(id);
    this.#context.status.announce('The training is deleted');
    this.#set({ training: this.#data.training?.id ?? null });
  }

  /** A training that is not shown has ended, too. @param {{kind: string}} job */
  #onJobEnd({ kind }) {
    if (kind === KIND && this.#isActive) this.#try(() => this.#data.renewList());
  }

  /** @param {Training} training */
  #onEnd(training) {
    const { status, catalog } = this.#context;
    const words = endWords(training);
    status.announce(words ? `${words.words} ${words.hint}`.trim() : 'The training has ended');
    if (training.tokenizer) this.#try(() => catalog.renew());
  }

  /** Puts a copy of the tokenizer as it is now into the catalog. @returns {Promise<string|null>} its id */
  async #take() {
    const { training } = this.#data;
    if (!training) return null;
    const { id } = await this.#client.takeTokenizer(training.id);
    await this.#context.catalog.renew(id);
    return id;
  }

  async #inspect() {
    const id = await this.#take();
    if (id === null || !this.#isActive) return;
    this.#context.settings.set({ active: id });
    this.#context.router.go('inspect');
  }

  /** @param {string|null} other id of a tokenizer; null: all that are in use */
  async #compare(other) {
    const { catalog, settings, router } = this.#context;
    const id = await this.#take();
    if (id === null || !this.#isActive) return;
    if (other !== null) settings.set({ chosen: [other, id] });
    else catalog.add(id);
    settings.set({ active: id });
    router.go('compare');
  }

  /** @param {string} format */
  async #save(format) {
    const { training } = this.#data;
    if (!training) return;
    const { name, data } = await this.#client.trainingFile(training.id, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  /** @param {import('../../api/trainings.js').ReportFormat} format */
  async #saveReport(format) {
    const { training } = this.#data;
    if (!training) return;
    const { name, data } = await this.#client.trainingReport(training.id, format, this.#context.settings.get('chosen'));
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  /** Asks once, when it has ended, which formats can hold the tokenizer. @param {Training} training */
  #readFormats({ id, state }) {
    if (!['done', 'kept'].includes(state) || this.#asked === id || !this.#isActive) return;
    this.#asked = id;
    this.#try(async () => {
      const formats = await this.#client.trainingFormats(id);
      if (this.#asked !== id) return;
      this.#formats = { id, formats };
      this.#drawCard();
    });
  }
  /** @type {number|null} */
  #asked = null;
  /** Of the training that was asked about last. @type {{id: number, formats: any[]}|null} */
  #formats = null;

  async #saveChart(chart, format) {
    const { name, data } = await chartFile(chart, format);
    saveFile(name, data);
    this.#context.status.announce(`${name} is saved`);
  }

  #draw() {
    const { training, list, isLoaded } = this.#data;
    const isThere = training !== null;
    for (const part of [this.#facts, this.#stages, this.#work]) part.hidden = !isThere;
    this.#invitation.parentElement?.toggleAttribute('hidden', isThere || !isLoaded);
    this.#panel.show(this.#state.tab, this.#hasForm);
    this.#panel.past.show(list, training?.id ?? null);
    this.#drawForm();
    this.#drawInvitation();
    if (training) {
      this.#drawFacts();
      this.#stages.show(training.stages, training.state);
      this.#drawTable();
      this.#drawCard();
    }
    this.#drawLog();
    if (!this.#isActive || !isLoaded) return;
    const shown = {
      ...this.#state,
      training: training?.id ?? null,
      isNew: this.#state.isNew && this.#hasForm && isThere,
    };
    this.#context.router.replace('train', paramsOf(shown));
    this.#notes(training);
  }

  #speak() {
    const { training, isLost } = this.#data;
    if (!training || !this.#isActive) return;
    const words = isLost && !this.#wasLost ? 'Connection lost, trying again' : this.#progress.wordsOf(training);
    this.#wasLost = isLost;
    if (words) this.#context.status.announce(words);
  }
  #wasLost = false;

  #drawFacts() {
    const { training, isLost } = this.#data;
    if (training) this.#facts.show(training, { isLost, isActing: this.#isActing });
  }

  #drawTable() {
    const { training, steps } = this.#data;
    if (!training || !steps) return;
    const { settings } = this.#context;
    this.#table.show({
      steps,
      options: training.options,
      order: settings.get('train.order'),
      follows: settings.get('train.follow'),
      isLive: isLive(training),
      hasHeldOut: training.body.held_out !== null,
      words: training.done ? 'Reading the steps…' : noStepWords(training),
    });
  }

  #drawCurve() {
    const { training, curve } = this.#data;
    if (!training) return;
    this.#charts.show(training, curve, this.#references);
    this.#drawCard();
  }

  /** The tokenizers in use, as the chart marks them. */
  get #references() {
    const { catalog } = this.#context;
    const names = shortNames(
      catalog.chosen.map(id => catalog.nameOf(id)),
      true,
    );
    return catalog.chosen.map((id, n) => ({
      id,
      letter: catalog.letterOf(id),
      name: names[n],
      note: catalog.entry(id)?.lossy ?? '',
    }));
  }

  #drawCard() {
    const { training, curve } = this.#data;
    if (!training) return;
    const { catalog, settings } = this.#context;
    const others = catalog.chosen.map(id => ({ id, name: catalog.nameOf(id) }));
    this.#readFormats(training);
    const estimate = training.estimate ?? this.#estimates.get(training.id) ?? null;
    this.#panel.card.show({ ...training, estimate }, curve, {
      active: settings.get('active'),
      others,
      nameOf: id => catalog.nameOf(id),
      isActing: this.#isActing,
      formats: this.#formats?.id === training.id ? this.#formats.formats : null,
    });
  }

  #drawLog() {
    const { training, log } = this.#data;
    this.#panel.log.show(log, training ? 'The log is empty.' : 'No training is open.');
  }

  #drawForm() {
    const { isLoaded, isStarting, offered } = this.#data;
    if (!this.#hasForm || !isLoaded) return;
    this.#plan.offered = offered;
    this.#plan.draw({ isBusy: isStarting, isShown: this.#isActive && this.#state.tab === 'setup' });
  }

  #drawInvitation() {
    const { isLoaded, offered, isStarting } = this.#data;
    if (!isLoaded) return;
    this.#plan.offered = offered;
    const { preset: name, problem } = this.#plan.first;
    const { algorithm, vocab_size: wanted } = offered.presets.find(each => each.name === name)?.options ?? {};
    const [practice] = offered.practice;
    const text = practice ? `${practice.title}, ${size(practice.bytes)}` : '';
    const words = `${text}; ${algorithmWords(algorithm)}, ${count(wanted)} tokens.`;
    this.#invitation.show({ words, problem, isBusy: isStarting });
  }

  /** @param {Training|null} training */
  #notes(training) {
    const { status } = this.#context;
    const isMerge = ['bpe', 'wordpiece'].includes(training?.options.algorithm ?? '');
    const parts = [
      isLive(training) ? 'A checkpoint is written every 30 s: a training that is killed can resume' : '',
      isMerge ? 'Equal counts: lower token IDs first' : '',
    ];
    status.note(training ? parts.filter(Boolean).join(' · ') : '');
  }
}

/** Why the table has no row. @param {Training} training */
const noStepWords = training => (isLive(training) ? 'The first step is not made yet.' : 'No step was made.');
