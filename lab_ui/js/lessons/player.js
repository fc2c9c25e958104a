/**
 * Where a lesson stands: the step, the stops, whether it plays. Reports `place` after every change. A task that waits
 * for an answer holds it: `hold` says whether the next step may be played.
 */

/** Milliseconds between two steps, at speed 1. */
const STEP_MS = 900;
export const SPEEDS = [0.5, 1, 2, 4];

/** @typedef {{at: number, word: string, isToken?: boolean}} Stop `isToken`: its word is what a step makes */

export class Player extends EventTarget {
  /** The last step. */
  last = 0;
  /** @type {Stop[]} rising */
  stops = [];
  speed = 1;
  at = 0;
  /** Whether a task waits for an answer before the next step. */
  hold = () => false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** Begins another lesson. @param {number} length states @param {Stop[]} stops @param {number} [at] */
  load(length, stops, at = 0) {
    this.pause();
    this.last = length - 1;
    this.stops = stops;
    this.go(at);
  }

  /** @param {number} at a step; the nearest one is taken */
  go(at) {
    this.at = Math.min(Math.max(0, Math.round(at)), this.last);
    this.dispatchEvent(new Event('place'));
  }

  /** @param {number} steps negative: back */
  step(steps) {
    this.pause();
    this.go(this.at + steps);
  }

  /** The next stop, or the one before. @param {1|-1} direction */
  stop(direction) {
    const places = this.stops.map(({ at }) => at);
    const next = direction > 0 ? places.find(at => at > this.at) : places.findLast(at => at < this.at);
    this.pause();
    this.go(next ?? (direction > 0 ? this.last : 0));
  }

  play() {
    if (this.at >= this.last) this.at = 0;
    const turn = () => {
      this.#timer = undefined;
      if (this.at < this.last && !this.hold()) this.#timer = setTimeout(turn, STEP_MS / this.speed);
      this.go(this.at + (this.#timer === undefined ? 0 : 1));
    };
    this.#timer = setTimeout(turn, 0);
    this.dispatchEvent(new Event('place'));
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  toggle() {
    if (!this.isPlaying) return this.play();
    this.pause();
    this.dispatchEvent(new Event('place'));
  }
}
