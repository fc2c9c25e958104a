/** Train: how a tokenizer learns its vocabulary. Starts trainings as jobs, follows, pauses, keeps and opens them. */
import * as corporaClient from '../../api/corpora.js';
import * as trainingsClient from '../../api/trainings.js';
import { viewCommands } from '../../app/commands/command.js';
import { panelCommand } from '../../app/panel_settings.js';
import { ResultScreen } from '../../app/result_screen.js';
import { isLive } from '../../app/training_states.js';
import { h, listen } from '../../ui/dom.js';
import { ChartsPanel } from './panels/charts.js';
import { FactsPanel } from './panels/facts.js';
import { SetupPanel } from './panels/setup.js';
import { SidePart } from './panels/side.js';
import { StepsPanel } from './panels/steps.js';
import { SETTINGS } from './settings.js';
import { TrainData } from './train_data.js';
import { TABS, paramsOf, stateOf } from './train_state.js';
import { endWords } from './train_words.js';
/** @import {DroppedFile} from '../../app/files/dropped_files.js' */

const CLIENT = {
  ...trainingsClient,
  listCorpora: corporaClient.listCorpora,
  uploadCorpus: corporaClient.uploadCorpus,
};

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('./train_state.js').TrainState} TrainState
 * @extends {ResultScreen<TrainData, TrainState>}
 */
export default class TrainScreen extends ResultScreen {
  static settings = SETTINGS;

  state = stateOf(new URLSearchParams());
  /** Whether a training is being paused, continued or ended. */
  isActing = false;
  #client;
  #facts = new FactsPanel(this);
  #steps;
  #charts = new ChartsPanel(this);
  #setup;
  #work;

  /** @param {typeof CLIENT} [client] */
  constructor(client = CLIENT) {
    super();
    this.#client = client;
    this.#setup = new SetupPanel(this, client);
    this.#steps = new StepsPanel(this, client);
    this.#work = h('div', { class: 'train-work' }, this.#steps.element, this.#charts.element);
  }

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.context = context;
    this.data = new TrainData(this.life, error => this.showError(error), context.jobs, this.#client);
    const side = new SidePart(this, this.#client, this.#setup);
    this.panels = [this.#facts, side, this.#setup, this.#steps, this.#charts];
    listen(this.data, 'trainingend', training => this.#onEnd(training));
    const elements = [this.#facts.element, this.#facts.stages, this.#work, this.#setup.first];
    this.start(root, elements, side.element, side.exports);
  }

  get name() {
    return 'train';
  }

  get resultName() {
    return `training-${this.data.training?.id}`;
  }

  get watched() {
    return ['chosen', 'letters', 'active'];
  }

  /** @param {URLSearchParams} params */
  stateOf(params) {
    return stateOf(params);
  }

  get params() {
    const id = this.data.training?.id ?? null;
    return paramsOf({ ...this.state, training: id, isNew: this.state.isNew && this.hasForm && id !== null });
  }

  async load() {
    const [{ missing }] = await Promise.all([this.data.load(this.state.training), this.#setup.load()]);
    this.draw();
    await this.#charts.drawn;
    return missing;
  }

  get holdsInput() {
    return this.#setup.text.length > 0;
  }

  get dropHint() {
    return this.hasForm ? 'Drop files to learn from them' : null;
  }

  /** @param {DroppedFile[]} files */
  takeFiles(files) {
    return this.try(() => this.#setup.take(files));
  }

  get focusName() {
    return 'the setup';
  }

  focusText() {
    if (this.hasForm) this.#setup.element.focusSource();
    else this.#facts.element.focusAct();
  }

  renew() {
    this.try(() => this.data.load(this.data.training?.id ?? null));
  }

  /** @returns {import('../../app/commands/command.js').Command[]} */
  get commands() {
    const { settings } = this.context;
    const isNewest = settings.get('train.order') === 'newest';
    return [
      ...this.#ownCommands,
      {
        label: isNewest ? 'Show the first steps first' : 'Show the newest steps first',
        also: 'order sort merges',
        run: () => settings.set({ 'train.order': isNewest ? 'first' : 'newest' }),
      },
      {
        label: 'Toggle following the last step',
        keys: ['f'],
        run: () => settings.set({ 'train.follow': !settings.get('train.follow') }),
      },
      ...viewCommands(TABS, tab => this.set({ tab })),
      panelCommand(settings),
    ];
  }

  /** What can be done with the training that is open, or with the setup of the next. */
  get #ownCommands() {
    const { training } = this.data;
    /** @param {import('./train_data.js').Act|'halt'} name @param {string} label */
    const doing = (name, label, more = {}) => ({ label, ...more, run: () => this.try(() => this.act(name)) });
    const start = () => this.try(() => this.#setup.start());
    const open = () => this.try(() => this.openTokenizer());
    const next = () => this.planNext();
    const all = [
      training?.state === 'running' && doing('pause', 'Pause the training', { keys: [' '] }),
      training?.state === 'paused' && doing('continue', 'Continue the training', { keys: [' '] }),
      isLive(training) && doing('keep', 'Stop the training and keep its tokenizer', { also: 'end finish' }),
      this.hasForm && { label: 'Train', keys: ['Mod+Enter'], also: 'start begin', run: start },
      training &&
        !isLive(training) &&
        !this.hasForm && { label: 'New training', keys: ['Mod+Enter'], also: 'setup again', run: next },
      training?.vocab_size && { label: 'Open the tokenizer in Inspect', run: open },
    ];
    return /** @type {import('../../app/commands/command.js').Command[]} */ (all.filter(Boolean));
  }

  /** Whether the panel has the setup of the next training. */
  get hasForm() {
    const { training } = this.data;
    return !isLive(training) && (training === null || this.state.isNew);
  }

  /** @returns {import('./train_data.js').Shown} */
  get shown() {
    const { training, lines, steps, figures, log, isLost, isLoaded, isStarting, offered } = this.data;
    const { state, hasForm, isActing } = this;
    return { training, lines, steps, figures, log, isLost, isLoaded, isStarting, offered, state, hasForm, isActing };
  }

  /** Offers the setup of the training that is shown, to change it and train again. */
  planNext() {
    const { training } = this.data;
    if (training) this.#setup.repeat(training);
    this.set({ isNew: true, tab: 'setup' });
    this.context.settings.set({ showPanel: true });
    this.#setup.element.focusSource();
  }

  /** @param {import('./train_data.js').Act|'halt'} name */
  async act(name) {
    if (!this.data.training || this.isActing) return;
    this.isActing = true;
    this.draw();
    try {
      await (name === 'halt' ? this.data.halt() : this.data.act(name));
    } finally {
      this.isActing = false;
      this.draw();
    }
  }

  /** @param {number} id */
  async open(id) {
    await this.data.show(id);
    this.set({ training: id, isNew: false, tab: 'setup' });
  }

  /** @param {number} id */
  async resume(id) {
    await this.data.act('resume', id);
    this.set({ training: id, isNew: false, tab: 'setup' });
  }

  /** @param {number} id */
  async remove(id) {
    await this.data.remove(id);
    this.context.status.announce('The training is deleted');
    this.set({ training: this.data.training?.id ?? null });
  }

  /**
   * A training that is not shown has ended, too.
   * @param {{job: import('../../app/state/job_store.js').ShownJob, resumed: boolean}} ended
   */
  onEnded({ job }) {
    if (job.kind === this.data.kind && this.isActive) this.try(() => this.data.renewList());
  }

  /** @param {Training} training the open one */
  #onEnd(training) {
    const { status, catalog } = this.context;
    const words = endWords(training);
    status.announce(words ? `${words.words} ${words.hint}`.trim() : 'The training has ended');
    if (training.tokenizer) this.try(() => catalog.renew());
  }

  /** Puts a copy of the tokenizer as it is now into the catalog. @returns {Promise<string|null>} its id */
  async #take() {
    const { training } = this.data;
    if (!training) return null;
    const { id } = await this.#client.takeTokenizer(training.id);
    await this.context.catalog.renew(id);
    return this.isActive ? id : null;
  }

  /** The tokenizer in the catalog: the copy that was made last, or one made now. @returns {Promise<string|null>} */
  async kept() {
    const id = this.data.training?.tokenizer;
    return id && this.context.catalog.isUsable(id) ? id : this.#take();
  }

  async openTokenizer() {
    const id = await this.#take();
    if (id === null) return;
    this.context.settings.set({ active: id });
    this.context.router.go('inspect');
  }

  /** @param {string|null} other id of a tokenizer; null: all that are in use */
  async compareTokenizer(other) {
    const { catalog, settings, router } = this.context;
    const id = await this.#take();
    if (id === null) return;
    if (other !== null) settings.set({ chosen: [other, id] });
    else catalog.add(id);
    settings.set({ active: id });
    router.go('compare');
  }

  /** @param {import('./train_data.js').Shown} shown */
  onDraw({ training }) {
    this.#work.hidden = !training;
  }

  /** @param {{training: Training|null}} shown */
  notes({ training }) {
    const isMerge = ['bpe', 'wordpiece'].includes(training?.options.algorithm ?? '');
    const parts = [
      isLive(training) ? 'A checkpoint is written every 30 s: a training that is killed can resume' : '',
      isMerge ? 'Equal counts: lower token IDs first' : '',
    ];
    this.context.status.note(training ? parts.filter(Boolean).join(' · ') : '');
  }
}
