/**
 * The states of a lesson: what its lists hold after each step. The engine sends changes and, now and then, the lists
 * whole (docs/reference/lessons.md, "Frames"); a state is found from the last whole one before it.
 */

/**
 * @typedef {{step: string} & Object<string, any>} Now what a step did
 * @typedef {{now: Now, lists: Object<string, any[]>}} State
 * @typedef {{now: Now, key?: Object<string, any[]>, lists?: Object<string, any[][]>}} Frame
 */

/** Frames that are kept as objects. */
const MOST_READ = 4096;

export class FrameStore {
  #json;
  #ends;
  #decoder = new TextDecoder();
  /** @type {Map<number, Frame>} */
  #read = new Map();
  /** The lists of the state that was found last. @type {{at: number, lists: Object<string, any[]>}} */
  #last = { at: -1, lists: {} };

  /** @param {Uint8Array} json @param {Uint32Array} ends where each frame ends */
  constructor(json, ends) {
    this.#json = json;
    this.#ends = ends;
  }

  /** How many states there are, the start among them. */
  get length() {
    return this.#ends.length;
  }

  /** What step `n` did. @param {number} n @returns {Now} */
  now(n) {
    return this.#frame(n).now;
  }

  /** The state after step `n`, whose lists are its own. @param {number} n 0: the start @returns {State} */
  state(n) {
    if (n < 0 || n >= this.length) throw new RangeError(`there is no step ${n}: the last is ${this.length - 1}`);
    let from = n;
    while (from !== this.#last.at && !this.#frame(from).key) from--;
    const lists = this.#frame(from).key && from !== this.#last.at ? this.#frame(from).key : this.#last.lists;
    /** @type {Object<string, any[]>} */
    const found = { ...lists };
    for (let at = from + 1; at <= n; at++) {
      for (const [name, splices] of Object.entries(this.#frame(at).lists ?? {})) {
        if (found[name] === lists?.[name]) found[name] = [...found[name]];
        for (const [place, removed, ...items] of splices) found[name].splice(place, removed, ...items);
      }
    }
    this.#last = { at: n, lists: found };
    return { now: this.#frame(n).now, lists: found };
  }

  /** @param {number} n @returns {Frame} */
  #frame(n) {
    const known = this.#read.get(n);
    if (known) return known;
    const bytes = this.#json.subarray(n ? this.#ends[n - 1] : 0, this.#ends[n]);
    const frame = JSON.parse(this.#decoder.decode(bytes));
    if (this.#read.size >= MOST_READ) this.#read.clear();
    this.#read.set(n, frame);
    return frame;
  }
}
