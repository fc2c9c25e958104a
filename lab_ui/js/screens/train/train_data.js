/**
 * The trainings that the screen shows: the list, the one that is open with its steps, its charts and its log, and what
 * is offered for the next one. Follows the open one while it runs. Knows nothing of the page.
 *
 * Reports `change` when the list or the open training changed, `stepschange`, `figureschange` and `logchange`
 * when more of it was read, and `trainingend` (detail: the training) when the open one has ended. What an act of the
 * user fails with is thrown to the caller; what fails while following goes to `fail`.
 */
import * as trainingsClient from '../../api/trainings.js';
import { ResultStore } from '../../app/result_store.js';
import { isLive } from '../../app/training_states.js';
import { PAGE_CLOCK, delay } from '../../text/timing.js';
import { isAbort } from '../../util/abort.js';
import { Seen } from '../../util/seen.js';
import { Steps } from './steps.js';

/** Between two readings of a training that runs. */
const READ_MS = 500;
/** Between two readings of its state, while its job changes. */
const RENEW_MS = 100;
/** Before it is read again where the backend did not answer. */
const RETRY_MS = 1000;

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/trainings.js').TrainingBody} TrainingBody
 * @typedef {import('../../api/schema.d.ts').TrainingFigures} TrainingFigures
 * @typedef {import('../../api/trainings.js').Drawing} Drawing
 * @typedef {import('../../api/schema.d.ts').TrainingChoices} TrainingOptions
 * @typedef {import('../../api/schema.d.ts').LogLine} LogLine
 * @typedef {'pause'|'continue'|'keep'|'resume'} Act
 *
 * @typedef {Pick<TrainData, 'training'|'lines'|'steps'|'figures'|'log'|'isLost'|'isLoaded'|'isStarting'|'offered'> &
 *   {state: import('./train_state.js').TrainState, hasForm: boolean, isActing: boolean}} Shown what panels get
 * @typedef {import('../../app/result_screen.js').ResultScreen<TrainData, import('./train_state.js').TrainState> &
 *   {isActing: boolean, hasForm: boolean, act: (name: Act|'halt') => Promise<void>, planNext: () => void, open: (id:
 *   number) => Promise<void>, resume: (id: number) => Promise<void>, remove: (id: number) => Promise<void>,
 *   kept: () => Promise<string|null>, openTokenizer:
 *   () => Promise<void>, compareTokenizer: (other: string|null) => Promise<void>}} Host the screen, as
 *   its panels know it
 */

export class TrainData extends ResultStore {
  #client;
  #fail;
  #clock;
  /** Ends the following of the open training. */
  #following = new AbortController();
  #isReading = false;
  /** Ends the pause before the next reading. */
  #rest = new AbortController();
  #hasMore = false;
  /** Called when the open training was read once. */
  #onRead = () => {};
  /** @type {Drawing} */
  #drawing = { tokenizers: [], letters: [] };
  #asked = new Seen();
  /** @type {Training[]} */
  lines = [];
  /** @type {Steps|null} */
  steps = null;
  /** @type {TrainingFigures|null} */
  figures = null;
  /** @type {LogLine[]} */
  log = [];
  /** @type {TrainingOptions} */
  offered = { presets: [], algorithms: [], practice: [] };
  /** Whether the screen is shown: nothing is asked for while it is hidden. */
  #isShown = false;

  /**
   * @param {AbortSignal} life ends it @param {(error: Error) => void} fail
   * @param {Pick<import('../../app/state/job_store.js').JobStore, 'jobs'|'followById'|'addEventListener'>} jobs
   * @param {typeof trainingsClient} [client] @param {import('../../text/timing.js').Clock} [clock]
   */
  constructor(life, fail, jobs, client = trainingsClient, clock = PAGE_CLOCK) {
    super('training', /** @type {any} */ (jobs), life);
    this.#client = client;
    this.#fail = fail;
    this.#clock = clock;
  }

  /** The training that is open. @returns {Training|null} */
  get training() {
    return this.result;
  }

  /** @param {AbortSignal} [signal] @returns {Promise<Training[]>} */
  readList(signal) {
    return this.#client.listTrainings(signal);
  }

  /** @param {number} id @param {AbortSignal} signal */
  readResult(id, signal) {
    return this.#client.getTraining(id, signal);
  }

  /** @param {number} id */
  async removeResult(id) {
    if (this.training?.id === id) this.#following.abort(); // nothing is asked of what is being deleted
    await this.#client.removeTraining(id);
  }

  /** The open training follows its job itself. */
  onJobs() {}

  /** Stops asking; a training goes on. */
  stop() {
    super.stop();
    this.#isShown = false;
    this.#following.abort();
  }

  /** Whether the connection to the open training, which runs, is lost. */
  get isLost() {
    return this.jobs.jobs.some(({ id, isLost }) => isLost && id === this.training?.job);
  }

  /** @param {Drawing} drawing what the charts are to show */
  set drawing(drawing) {
    if (this.#asked.again(drawing)) return;
    this.#drawing = drawing;
    if (this.training && !this.#following.signal.aborted) this.#readOn();
  }

  /**
   * Reads list and offer, then opens what is asked for, or else the newest.
   * @param {number|null} wanted id
   * @returns {Promise<{missing: string[]}>} what was asked for and does not exist
   */
  async load(wanted) {
    this.#isShown = true;
    const found = await this.loading.run(signal =>
      Promise.all([this.readList(signal), this.#client.trainingOptions(signal)]),
    );
    if (!found) return { missing: [] };
    [this.lines, this.offered] = found;
    this.isLoaded = true;
    await this.show(this.knows(wanted) ? wanted : (this.newest?.id ?? null));
    return { missing: this.missing('training', wanted) };
  }

  /** @param {number|null} id null: none */
  async show(id) {
    this.#following.abort();
    await super.show(id);
  }

  /** @param {TrainingBody} body */
  async start(body) {
    this.isStarting = true;
    this.changed();
    let training;
    try {
      training = await this.#client.startTraining(body);
    } finally {
      this.isStarting = false;
      this.changed();
    }
    this.opening.stop();
    this.lines = [training, ...this.lines.filter(({ id }) => id !== training.id)];
    this.take(training);
    return training;
  }

  /** @param {Act} action @param {number} [id] of another training than the open one */
  async act(action, id = this.training?.id) {
    if (id === undefined) return;
    const client = this.#client;
    const run = {
      pause: client.pauseTraining,
      continue: client.continueTraining,
      keep: client.keepTraining,
      resume: client.resumeTraining,
    }[action];
    const training = await run(id);
    if (id !== this.training?.id) await this.show(id);
    else if (action === 'resume') await this.take(training);
    else this.#renewed(training);
  }

  /** Cancels the open training, which says so when it has ended. */
  async halt() {
    if (this.training && isLive(this.training)) await this.#client.removeTraining(this.training.id);
  }

  /** Reads the list again: a training that is not open has ended. */
  async renewList() {
    const found = await this.loading.run(signal => this.readList(signal));
    if (!found) return;
    this.lines = found;
    this.changed();
  }

  /**
   * @param {Training|null} training
   * @returns {Promise<any>} settles when it was read once; it is followed from then on
   */
  take(training) {
    this.#following.abort();
    this.#following = new AbortController();
    // The answer to a start or an act may come when the screen is hidden.
    if (!this.#isShown) this.#following.abort();
    const isSame = training !== null && training.id === this.training?.id;
    this.result = training;
    if (!isSame) {
      this.steps = training && this.#stepsOf(training.id);
      this.figures = null;
      this.log = [];
    }
    this.changed();
    this.steps?.retry(); // what was being read when the screen was left
    for (const part of isSame ? ['stepschange'] : ['stepschange', 'figureschange', 'logchange']) this.#report(part);
    if (!training) return Promise.resolve();
    this.#watch(training);
    this.#isReading = false;
    const read = new Promise(resolve => {
      this.#onRead = () => resolve(undefined);
    });
    this.#readOn();
    return read;
  }

  /** @param {number} id */
  #stepsOf(id) {
    return new Steps(
      query => this.#client.trainingSteps(id, query, this.#following.signal),
      () => this.#report('stepschange'),
      error => this.#fail(error),
    );
  }

  /** Follows the job of a training; while the training is open, reads it at every change. @param {Training} training */
  async #watch(training) {
    const { id, job } = training;
    if (!isLive(training) || !job) return;
    const { signal } = this.#following;
    let version = -1;
    let wasLost = false;
    const onChange = () => {
      const { isLost } = this;
      const found = this.jobs.jobs.find(one => one.id === job);
      if (isLost !== wasLost) this.changed();
      wasLost = isLost;
      if (!found || found.version === version) return;
      version = found.version;
      renew();
    };
    const renew = this.#renewer(id, signal);
    if (!signal.aborted) this.jobs.addEventListener('change', onChange, { signal });
    try {
      await this.jobs.followById(job);
    } catch {
      // The training says itself why it failed.
    }
    renew();
  }

  /**
   * Reads the open training again, at most ten times a second and until nothing has changed meanwhile.
   * @param {number} id @param {AbortSignal} signal ends it
   * @returns {() => Promise<void>}
   */
  #renewer(id, signal) {
    let isOld = false;
    let isRenewing = false;
    return async () => {
      isOld = true;
      if (isRenewing) return;
      isRenewing = true;
      try {
        while (isOld && !signal.aborted) {
          isOld = false;
          const hasAnswer = await this.#renew(id, signal);
          isOld ||= !hasAnswer;
          await delay(hasAnswer ? RENEW_MS : RETRY_MS, signal, this.#clock);
        }
      } catch (error) {
        if (!isAbort(error)) this.#fail(/** @type {Error} */ (error));
      } finally {
        isRenewing = false;
      }
    };
  }

  /** @param {number} id @param {AbortSignal} signal @returns {Promise<boolean>} false: the backend does not answer */
  async #renew(id, signal) {
    try {
      const training = await this.#client.getTraining(id, signal);
      if (!signal.aborted) this.#renewed(training);
      return true;
    } catch (error) {
      if (/** @type {{code?: string}} */ (error).code === 'backend_gone') return false;
      throw error;
    }
  }

  /** @param {Training} training the open one, as it is now */
  #renewed(training) {
    const before = this.training;
    if (!before || before.id !== training.id || training.version < before.version) return;
    this.result = training;
    this.lines = this.lines.map(each => (each.id === training.id ? training : each));
    this.changed();
    this.#readOn();
    if (!isLive(before) || isLive(training)) return;
    this.#rest.abort(); // the last steps are read at once
    this.dispatchEvent(new CustomEvent('trainingend', { detail: training }));
  }

  /** Reads steps, charts and log; again, as long as there was a change meanwhile. */
  async #readOn() {
    this.#hasMore = true;
    if (this.#isReading) return;
    this.#isReading = true;
    const { signal } = this.#following;
    const onRead = this.#onRead;
    try {
      while (this.#hasMore && !signal.aborted) {
        this.#hasMore = false;
        await this.#readOnce(signal);
        onRead();
        if (isLive(this.training)) await this.#pause(signal);
      }
    } catch (error) {
      const { code } = /** @type {{code?: string}} */ (error);
      if (!isAbort(error) && code !== 'backend_gone') this.#fail(/** @type {Error} */ (error));
    } finally {
      onRead();
      if (!signal.aborted) this.#isReading = false;
    }
  }

  /** Waits before the next reading, unless the training ends meanwhile. @param {AbortSignal} signal */
  async #pause(signal) {
    this.#rest = new AbortController();
    try {
      await delay(READ_MS, AbortSignal.any([signal, this.#rest.signal]), this.#clock);
    } catch (error) {
      if (signal.aborted || !isAbort(error)) throw error;
    }
  }

  /** @param {AbortSignal} signal */
  async #readOnce(signal) {
    const { training, steps } = this;
    if (!training || !steps) return;
    const [isOther, figures, log] = await Promise.all([
      steps.readNewest(),
      this.#client.trainingFigures(training.id, this.#drawing, signal),
      this.#client.trainingLog(training.id, signal),
    ]);
    if (signal.aborted) return;
    const hasLines = log.length !== this.log.length;
    this.figures = figures;
    this.log = log;
    if (isOther) this.#report('stepschange');
    this.#report('figureschange');
    if (hasLines) this.#report('logchange');
  }

  /** @param {string} type */
  #report(type) {
    this.dispatchEvent(new CustomEvent(type));
  }
}
