/**
 * The next training as it is being set up: settings, what was typed, what is offered, the form that shows it, and the
 * estimate of time and memory.
 */
import { PAGE_CLOCK, delay } from '../../text/timing.js';
import { problemWords } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { SETTINGS } from './settings.js';
import { bodyOf, placeOf, problemsOf, valuesOf } from './train_setup.js';
import { inLabels } from './train_words.js';
import { isSame, Seen } from '../../util/seen.js';

const ESTIMATE_WAIT_MS = 300;
/** Settings of the view, not of the setup. */
const VIEW = ['order', 'follow'];
/** Names of the settings of the setup, without that of the screen. */
export const SETUP = Object.keys(SETTINGS).filter(name => !VIEW.includes(name));

/**
 * @typedef {import('./train_setup.js').Values} Values
 * @typedef {import('./train_setup.js').Problems} Problems
 * @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus
 * @typedef {Pick<typeof import('../../api/trainings.js'), 'estimateTraining'> & Pick<typeof
 *   import('../../api/corpora.js'), 'listCorpora'|'uploadCorpus'>} PlanClient
 */

export class TrainPlan {
  #settings;
  #client;
  #form;
  #clock;
  #estimating = new Latest();
  #estimated = new Seen();
  /** The last estimate. @type {{body: Object, estimate: import('../../api/schema.d.ts').TrainingForecast}|null} */
  #found = null;
  /** What the backend refused, by its place in the form. @type {Problems} */
  #refusal = {};
  /** What was typed to learn from. */
  text = '';
  /** @type {Corpus[]} */
  corpora = [];
  /** @type {import('../../api/schema.d.ts').TrainingChoices} */
  offered = { presets: [], algorithms: [], practice: [] };

  /**
   * @param {import('../../app/state/settings.js').Settings} settings @param {PlanClient} client
   * @param {import('./setup_form.js').SetupForm} form @param {import('../../text/timing.js').Clock} [clock]
   */
  constructor(settings, client, form, clock = PAGE_CLOCK) {
    this.#settings = settings;
    this.#client = client;
    this.#form = form;
    this.#clock = clock;
  }

  /** Stops asking; the next drawing asks anew. */
  stop() {
    this.#estimating.stop();
    this.#estimated.forget();
  }

  /** @returns {import('./train_setup.js').Offered} */
  get #all() {
    return { ...this.offered, corpora: this.corpora };
  }

  /** @returns {Values} */
  get #values() {
    return /** @type {any} */ (Object.fromEntries(SETUP.map(name => [name, this.#settings.get(`train.${name}`)])));
  }

  /** The request for what is set up. @returns {import('../../api/trainings.js').TrainingBody} */
  get body() {
    return bodyOf(this.#all, this.#values, this.text);
  }

  /** @returns {boolean} whether nothing that the page knows of is wrong */
  get isSound() {
    return this.#form.isSound && Object.keys(problemsOf(this.#all, this.#values, this.text)).length === 0;
  }

  /**
   * The setup as it is at first, whatever was changed since: what the one button of a new lab trains.
   * @returns {{body: import('../../api/trainings.js').TrainingBody, preset: string|null, problem: string}}
   */
  get first() {
    const values = /** @type {any} */ (Object.fromEntries(SETUP.map(name => [name, SETTINGS[name].default])));
    const body = bodyOf(this.#all, values, '');
    const hasPractice = body.sources[0]?.kind === 'practice';
    const problem = hasPractice ? '' : 'This machine has no practice corpus: choose your own text in Setup.';
    return { body, preset: body.preset, problem: problemsOf(this.#all, values, '').start ?? problem };
  }

  /**
   * The estimate of a request, if it is the last one that was made.
   * @param {import('../../api/trainings.js').TrainingBody} body
   */
  estimateOf(body) {
    return this.#found && isSame(this.#found.body, unnamed(body)) ? this.#found.estimate : null;
  }

  /** Nothing is refused any more: the setup was changed. */
  forgive() {
    this.#refusal = {};
  }

  /** Says what is wrong beside the part of the form that it is about. @param {Error & {hint?: string}} error */
  refuse(error) {
    const words = problemWords({ message: inLabels(error.message), hint: inLabels(error.hint ?? '') });
    this.#refusal = { [placeOf(error)]: words };
  }

  /**
   * Takes the setup of a training, to change and repeat it.
   * @param {import('../../api/trainings.js').Training} training
   */
  take({ body }) {
    const { values, text } = valuesOf(body);
    if (text !== null) this.text = text;
    this.set(values);
  }

  /** @param {Partial<Values>} values */
  set(values) {
    this.#settings.accept(Object.fromEntries(Object.entries(values).map(([name, value]) => [`train.${name}`, value])));
  }

  /**
   * Makes a corpus of files that only the page can read, and chooses it.
   * @param {{file: File, path: string}[]} files
   */
  async upload(files) {
    const { id } = await this.#client.uploadCorpus(files);
    this.corpora = await this.#client.listCorpora();
    this.set({ source: `corpus:${id}` });
  }

  /** @param {{isBusy: boolean, isShown: boolean}} state `isShown`: the user sees the form */
  draw({ isBusy, isShown }) {
    const [offered, values, text] = [this.#all, this.#values, this.text];
    const problems = problemsOf(offered, values, text);
    this.#form.show({
      offered,
      values,
      text,
      problems: { ...this.#refusal, ...problems },
      isBusy,
    });
    if (isShown) this.#estimate(problems, () => this.draw({ isBusy, isShown }));
  }

  /** Asks for time and memory, once the setup rests. @param {Problems} problems @param {() => void} redraw */
  async #estimate(problems, redraw) {
    const { body } = this;
    if (this.#estimated.again([unnamed(body), problems])) return;
    this.#estimating.stop();
    if (Object.keys(problems).length) {
      this.#form.showEstimate(null);
      return;
    }
    this.#form.showEstimate(null, 'Estimating…');
    try {
      const found = await this.#estimating.run(async signal => {
        await delay(ESTIMATE_WAIT_MS, signal, this.#clock);
        return this.#client.estimateTraining(body, signal);
      });
      if (!found) return;
      this.#found = { body: unnamed(body), estimate: found };
      this.#form.showEstimate(found);
    } catch (error) {
      this.#form.showEstimate(null);
      this.refuse(/** @type {Error} */ (error));
      redraw();
    }
  }
}

/** What an estimate depends on. @param {import('../../api/trainings.js').TrainingBody} body */
const unnamed = body => ({ ...body, name: null });
