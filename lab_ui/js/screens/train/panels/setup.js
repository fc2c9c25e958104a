/** The setup of the next training: the form, what was refused, and the one button of a lab that has trained nothing. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { Invitation } from '../../../ui/invitation.js';
import { count, problemWords, size } from '../../../util/format.js';
import { SetupForm } from '../setup_form.js';
import { SETUP, TrainPlan } from '../train_plan.js';
import { algorithmWords } from '../train_words.js';

const INVITATION =
  'Every merge with its count, and how well the vocabulary so far compresses text that it has not seen.';
const FACTS = [
  'Your own files, a corpus, another algorithm or size: choose them in Setup.',
  'Pause at any time, and open what was learned so far in Inspect.',
  'A training that was interrupted goes on from its last checkpoint.',
];

export class SetupPanel extends Panel {
  element = new SetupForm();
  #invitation = new Invitation();
  first = h('div', { class: 'train-first' }, this.#invitation);
  #screen;
  #client;
  /** @type {TrainPlan} */
  #plan;
  /** What was estimated before a training was started here, by its id. @type {Map<number, any>} */
  #estimates = new Map();

  /** @param {import('../train_data.js').Host} screen @param {import('../train_plan.js').PlanClient} client */
  constructor(screen, client) {
    super();
    this.#screen = screen;
    this.#client = client;
    listen(this.element, 'setupchange', values => this.#plan.set(values));
    listen(this.element, 'setuptext', text => {
      this.#plan.text = text;
      this.#changed();
      screen.draw();
    });
    screen.handle(this.element, 'choosefiles', files => this.take(files));
    screen.handle(this.element, 'starttraining', () => this.start());
    screen.handle(this.#invitation, 'invited', () => this.#startWith(this.#plan.first.body));
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#plan = new TrainPlan(context.settings, this.#client, this.element);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (SETUP.some(name => changed.has(`train.${name}`))) this.#changed();
  }

  #changed() {
    this.#plan.forgive();
  }

  onHide() {
    this.#plan.stop();
  }

  /** Reads which corpora there are. */
  async load() {
    this.#plan.corpora = await this.#client.listCorpora();
  }

  /** What was typed to learn from. */
  get text() {
    return this.#plan.text;
  }

  /** Makes a corpus of files, and chooses it. @param {{file: File, path: string}[]} files */
  take(files) {
    return this.#plan.upload(files);
  }

  /**
   * Takes the setup of a training, to change and repeat it.
   * @param {import('../../../api/trainings.js').Training} training
   */
  repeat(training) {
    this.#plan.take(training);
  }

  /**
   * What was estimated of a training that was started here.
   * @param {import('../../../api/trainings.js').Training} training
   */
  estimateOf({ id, estimate }) {
    return estimate ?? this.#estimates.get(id) ?? null;
  }

  /** Starts a training of what the form says, if nothing of it is wrong. */
  async start() {
    if (!this.#screen.data.isStarting && this.#plan.isSound) await this.#startWith(this.#plan.body);
  }

  /** @param {import('../../../api/trainings.js').TrainingBody} body */
  async #startWith(body) {
    const { status } = this.context;
    status.clearError();
    try {
      const estimate = this.#plan.estimateOf(body);
      const training = await this.#screen.data.start(body);
      if (estimate) this.#estimates.set(training.id, estimate);
      this.#screen.set({ training: training.id, isNew: false, tab: 'setup' });
      status.announce('The training has started');
    } catch (error) {
      if (!this.#screen.hasForm) throw error;
      this.#plan.refuse(/** @type {Error} */ (error));
      this.onResult(this.#screen.shown);
      status.announce(problemWords(/** @type {Error} */ (error)));
    }
  }

  /** @param {import('../train_data.js').Shown} shown */
  onResult({ training, isLoaded, isStarting, offered, state, hasForm }) {
    this.first.hidden = training !== null || !isLoaded;
    if (!isLoaded) return;
    this.#plan.offered = offered;
    if (hasForm) this.#plan.draw({ isBusy: isStarting, isShown: this.#screen.isActive && state.tab === 'setup' });
    this.#invite(offered, isStarting);
  }

  /** @param {import('../../../api/schema.d.ts').TrainingChoices} offered @param {boolean} isStarting */
  #invite({ presets, practice: [practice] }, isStarting) {
    const { preset: name, problem } = this.#plan.first;
    const { algorithm, vocab_size: wanted } = presets.find(each => each.name === name)?.options ?? {};
    const text = practice ? `${practice.title}, ${size(practice.bytes)}` : '';
    const words = problem || `${text}; ${algorithmWords(algorithm)}, ${count(wanted)} tokens.`;
    this.#invitation.show({
      title: 'Watch a tokenizer learn its vocabulary',
      paragraphs: [{ words: INVITATION }, { words, isDim: true, hook: 'practice-words' }],
      acts: [
        {
          name: 'practice',
          label: isStarting ? 'Starting…' : 'Train on the practice corpus',
          isPrimary: true,
          isDisabled: isStarting || problem !== '',
          hook: 'train-practice',
        },
      ],
      facts: FACTS,
    });
  }
}
