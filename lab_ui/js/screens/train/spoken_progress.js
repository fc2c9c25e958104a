/**
 * What a screen reader says about a training: its stage and share every 20 seconds while it runs, then how it ended. A
 * short training has only its end. Knows nothing of the page.
 */
import { isLive } from '../../app/training_states.js';
import { PAGE_CLOCK } from '../../text/timing.js';
import { percent } from '../../util/format.js';
import { leftWords } from './train_words.js';

const APART_MS = 20_000;

/** @typedef {import('../../api/trainings.js').Training} Training */

export class SpokenProgress {
  #clock;
  /** @type {number|null} id */
  #training = null;
  #spokenAt = 0;
  #spoken = '';

  /** @param {Pick<import('../../text/timing.js').Clock, 'now'>} [clock] */
  constructor(clock = PAGE_CLOCK) {
    this.#clock = clock;
  }

  /** What is to be said now. @param {Training} training as it is now @returns {string} empty: nothing */
  wordsOf(training) {
    if (training.id !== this.#training) {
      this.#training = training.id;
      this.#spokenAt = this.#clock.now();
      this.#spoken = '';
    }
    const stage = training.stages.find(({ state }) => state === 'running');
    if (!stage || !isLive(training) || this.#clock.now() - this.#spokenAt < APART_MS) return '';
    const share = stage.share === null ? '' : `: ${percent(stage.share)}`;
    const left = training.state !== 'running' || training.left_s === null ? '' : `, ${leftWords(training.left_s)} left`;
    const words = training.state === 'paused' ? `Paused: ${stage.title}` : `${stage.title}${share}${left}`;
    if (words === this.#spoken) return '';
    this.#spokenAt = this.#clock.now();
    this.#spoken = words;
    return words;
  }
}
