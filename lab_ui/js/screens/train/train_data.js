/**
 * The trainings that the screen shows: the list, the one that is open with its steps, its curve and its log, and what
 * is offered for the next one. Follows the open one while it runs. Knows nothing of the page.
 *
 * Reports `trainingchange` when the list or the open training changed, `stepschange`, `curvechange` and `logchange`
 * when more of it was read, and `trainingend` (detail: the training) when the open one has ended. What an act of the
 * user fails with is thrown to the caller; what fails while following goes to `fail`.
 */
import * as trainingsClient from '../../api/trainings.js';
import { isLive } from '../../app/training_states.js';
import { PAGE_CLOCK, delay } from '../../text/timing.js';
import { isAbort } from '../../util/abort.js';
import { Latest } from '../../util/latest.js';
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
 * @typedef {import('../../api/trainings.js').TrainingCurve} TrainingCurve
 * @typedef {import('../../api/trainings.js').TrainingOptions} TrainingOptions
 * @typedef {import('../../api/trainings.js').LogLine} LogLine
 * @typedef {'pause'|'continue'|'keep'|'resume'} Act
 */

export class TrainData extends EventTarget {
  #jobs;
  #client;
  #fail;
  #clock;
  #loading = new Latest();
  #opening = new Latest();
  /** Ends the following of the open training. */
  #following = new AbortController();
  #isReading = false;
  /** Ends the pause before the next reading. */
  #rest = new AbortController();
  #hasMore = false;
  /** Called when the open training was read once. */
  #onRead = () => {};
  /** @type {string[]} */
  #references = [];
  /** The newest first. @type {Training[]} */
  list = [];
  /** The one that is open. @type {Training|null} */
  training = null;
  /** @type {Steps|null} */
  steps = null;
  /** @type {TrainingCurve|null} */
  curve = null;
  /** @type {LogLine[]} */
  log = [];
  /** @type {TrainingOptions} */
  offered = { presets: [], practice: [] };
  /** Whether list and offer were read. */
  isLoaded = false;
  /** Whether the screen is shown: nothing is asked for while it is hidden. */
  #isShown = false;
  /** Whether a training is being started. */
  isStarting = false;

  /**
   * @param {AbortSignal} life ends it @param {(error: Error) => void} fail
   * @param {Pick<import('../../app/job_store.js').JobStore, 'jobs'|'followById'|'addEventListener'>} jobs
   * @param {typeof trainingsClient} [client] @param {import('../../text/timing.js').Clock} [clock]
   */
  constructor(life, fail, jobs, client = trainingsClient, clock = PAGE_CLOCK) {
    super();
    this.#jobs = jobs;
    this.#client = client;
    this.#fail = fail;
    this.#clock = clock;
    life.addEventListener('abort', () => this.stop(), { once: true });
  }

  /** Stops asking; a training goes on. */
  stop() {
    this.#isShown = false;
    this.#loading.stop();
    this.#opening.stop();
    this.#following.abort();
  }

  /** Whether the connection to the open training, which runs, is lost. */
  get isLost() {
    return this.#jobs.jobs.some(({ id, isLost }) => isLost && id === this.training?.job);
  }

  /** @param {string[]} tokenizers that the curve marks */
  set references(tokenizers) {
    if (tokenizers.join() === this.#references.join()) return;
    this.#references = [...tokenizers];
    if (this.training && !this.#following.signal.aborted) this.#readOn();
  }

  /**
   * Reads list and offer, then opens what is asked for, or else the newest.
   * @param {number|null} wanted id
   * @returns {Promise<boolean>} false: what was asked for does not exist
   */
  async load(wanted) {
    this.#isShown = true;
    const found = await this.#loading.run(signal =>
      Promise.all([this.#client.listTrainings(signal), this.#client.trainingOptions(signal)]),
    );
    if (!found) return true;
    [this.list, this.offered] = found;
    this.isLoaded = true;
    const isKnown = this.list.some(({ id }) => id === wanted);
    await this.open(isKnown ? wanted : (this.list[0]?.id ?? null));
    return isKnown || wanted === null;
  }

  /** Opens a training. @param {number|null} id null: none */
  async open(id) {
    this.#following.abort();
    if (id === null) {
      this.#show(null);
      return;
    }
    const training = await this.#opening.run(signal => this.#client.getTraining(id, signal));
    if (training) await this.#show(training);
  }

  /** @param {TrainingBody} body */
  async start(body) {
    this.isStarting = true;
    this.#report('trainingchange');
    let training;
    try {
      training = await this.#client.startTraining(body);
    } finally {
      this.isStarting = false;
      this.#report('trainingchange');
    }
    this.#opening.stop();
    this.list = [training, ...this.list.filter(({ id }) => id !== training.id)];
    this.#show(training);
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
    if (id !== this.training?.id) await this.open(id);
    else if (action === 'resume') await this.#show(training);
    else this.#take(training);
  }

  /** Cancels the open training, which says so when it has ended. */
  async halt() {
    if (this.training && isLive(this.training)) await this.#client.removeTraining(this.training.id);
  }

  /** Reads the list again: a training that is not open has ended. */
  async renewList() {
    const found = await this.#loading.run(signal => this.#client.listTrainings(signal));
    if (!found) return;
    this.list = found;
    this.#report('trainingchange');
  }

  /** Deletes a training that has ended. @param {number} id */
  async remove(id) {
    const isOpen = this.training?.id === id;
    if (isOpen) this.#following.abort(); // nothing is asked of what is being deleted
    await this.#client.removeTraining(id);
    this.list = await this.#client.listTrainings();
    if (isOpen) await this.open(this.list[0]?.id ?? null);
    else this.#report('trainingchange');
  }

  /**
   * @param {Training|null} training
   * @returns {Promise<any>} settles when it was read once; it is followed from then on
   */
  #show(training) {
    this.#following.abort();
    this.#following = new AbortController();
    // The answer to a start or an act may come when the screen is hidden.
    if (!this.#isShown) this.#following.abort();
    const isSame = training !== null && training.id === this.training?.id;
    this.training = training;
    if (!isSame) {
      this.steps = training && this.#stepsOf(training.id);
      this.curve = null;
      this.log = [];
    }
    this.#report('trainingchange');
    this.steps?.retry(); // what was being read when the screen was left
    for (const part of isSame ? ['stepschange'] : ['stepschange', 'curvechange', 'logchange']) this.#report(part);
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
      const found = this.#jobs.jobs.find(one => one.id === job);
      if (isLost !== wasLost) this.#report('trainingchange');
      wasLost = isLost;
      if (!found || found.version === version) return;
      version = found.version;
      renew();
    };
    const renew = this.#renewer(id, signal);
    if (!signal.aborted) this.#jobs.addEventListener('change', onChange, { signal });
    try {
      await this.#jobs.followById(job);
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
      if (!signal.aborted) this.#take(training);
      return true;
    } catch (error) {
      if (/** @type {{code?: string}} */ (error).code === 'backend_gone') return false;
      throw error;
    }
  }

  /** @param {Training} training the open one, as it is now */
  #take(training) {
    const before = this.training;
    if (!before || before.id !== training.id || training.version < before.version) return;
    this.training = training;
    this.list = this.list.map(each => (each.id === training.id ? training : each));
    this.#report('trainingchange');
    this.#readOn();
    if (!isLive(before) || isLive(training)) return;
    this.#rest.abort(); // the last steps are read at once
    this.dispatchEvent(new CustomEvent('trainingend', { detail: training }));
  }

  /** Reads steps, curve and log; again, as long as there was a change meanwhile. */
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
    const [isOther, curve, log] = await Promise.all([
      steps.readNewest(),
      this.#client.trainingCurve(training.id, this.#references, signal),
      this.#client.trainingLog(training.id, signal),
    ]);
    if (signal.aborted) return;
    const hasLines = log.length !== this.log.length;
    this.curve = curve;
    this.log = log;
    if (isOther) this.#report('stepschange');
    this.#report('curvechange');
    if (hasLines) this.#report('logchange');
  }

  /** @param {string} type */
  #report(type) {
    this.dispatchEvent(new CustomEvent(type));
  }
}
