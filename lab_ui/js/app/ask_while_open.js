/**
 * Asks for what a panel shows while it is open: after a wait if it follows the caret or the typing, the newest question
 * only, and either what came or what went wrong is shown.
 */
import { delay } from '../text/timing.js';
import { Latest } from '../util/latest.js';

/** How long a panel waits before it asks, while the caret moves or somebody types. */
export const FOLLOW_MS = 150;

export class AskWhileOpen {
  #activity;
  #asking = new Latest();

  /** @param {import('./state/activity.js').Activity} activity */
  constructor(activity) {
    this.#activity = activity;
  }

  /**
   * @template T
   * @param {Object} question
   * @param {number} [question.waitMs] before it is asked
   * @param {(signal: AbortSignal) => Promise<T>} question.ask
   * @param {(found: T) => any} question.show
   * @param {(error: Error & {hint?: string}) => void} question.showProblem
   * @returns {Promise<any>} settles when the answer is shown, or no longer wanted
   */
  ask({ waitMs = 0, ask, show, showProblem }) {
    const asked = this.#asking.run(async signal => {
      if (waitMs) await delay(waitMs, signal);
      return ask(signal);
    });
    return this.#activity.track(
      asked.then(found => (found === null || found === undefined ? null : show(found))).catch(showProblem),
    );
  }

  stop() {
    this.#asking.stop();
  }
}
