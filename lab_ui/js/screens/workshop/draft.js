/**
 * What a recipe makes of a base, as the backend says: the draft, proofs, a corpus under both. Old figures stay until
 * new ones are known. Work over half a second reports how far it is, and ends with `stop`. Without DOM.
 */
import * as client from '../../api/edits.js';
import { Latest } from '../../util/latest.js';
/** @import {EditCheck, Edited, EditProgress, Measured} from '../../api/schema.d.ts' */

/** @typedef {import('../../api/edits.js').Edit} Edit */

const SLOW_MS = 500;
const BEAT_MS = 250;

export class Draft {
  #client;
  #changed;
  #asked = new Latest();
  #proved = new Latest();
  #measuring = new Latest();
  base = '';
  /** @type {Edit[]} */
  edits = [];
  /** @type {Edited|null} */
  done = null;
  /** @type {EditCheck[]} */
  proofs = [];
  /** @type {Measured|null} */
  measured = null;
  /** Of work that takes long. @type {EditProgress|null} */
  progress = null;

  /** @param {() => void} changed called after each change @param {typeof client} [asked] */
  constructor(changed, asked = client) {
    this.#changed = changed;
    this.#client = asked;
  }

  /** The edits that are in the draft: those before one that was refused. */
  get applied() {
    const problem = this.done?.problem;
    return problem ? this.edits.slice(0, problem.number - 1) : this.edits;
  }

  /** Whether `done` is of other edits, until an answer comes. */
  get isRenewing() {
    return this.#asked.running;
  }

  get isBusy() {
    return [this.#asked, this.#proved, this.#measuring].some(asked => asked.running);
  }

  /** The base alone is known. */
  forget() {
    this.done = this.measured = null;
    this.proofs = [];
    this.#changed();
  }

  /** Ends what is asked. @returns {boolean} whether something was */
  stop() {
    const { isBusy } = this;
    for (const asked of [this.#asked, this.#proved, this.#measuring]) asked.stop();
    return isBusy;
  }

  /**
   * Asks what the edits do. @param {string} text that must come back as it did
   * @returns {Promise<Edited|null>} null: something else was asked
   */
  async renew(text) {
    this.stop();
    this.proofs = [];
    this.#changed();
    try {
      const done = await this.#watched(this.#asked, (run, signal) =>
        this.#client.tryEdits(this.base, this.edits, { text, run }, signal),
      );
      if (!done) return null;
      this.done = done;
      this.measured = null;
      this.#changed();
      return done;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  async prove() {
    const found = await this.#proved.run(signal => this.#client.proveEdits(this.base, this.applied, signal));
    if (found) this.proofs = found.checks;
    this.#changed();
  }

  /** @param {string} corpus ID; '': none */
  async measure(corpus) {
    if (!corpus) {
      this.#measuring.stop();
      this.measured = null;
    } else {
      const found = await this.#watched(this.#measuring, (run, signal) =>
        this.#client.measureEdits(this.base, this.applied, { corpus, run }, signal),
      );
      if (!found) return;
      this.measured = found;
    }
    this.#changed();
  }

  /**
   * @template T
   * @param {Latest} asked @param {(run: string, signal: AbortSignal) => Promise<T>} ask `run`: names the request
   */
  async #watched(asked, ask) {
    const run = Math.random().toString(36).slice(2);
    let hasEnded = false;
    const beat = async () => {
      const progress = hasEnded ? null : await this.#client.progressOf(run).catch(() => null);
      if (hasEnded) return;
      this.progress = progress;
      this.#changed();
      setTimeout(beat, BEAT_MS);
    };
    setTimeout(beat, SLOW_MS);
    try {
      return await asked.run(signal => ask(run, signal));
    } finally {
      hasEnded = true;
      this.progress = null;
      this.#changed();
    }
  }
}
