/**
 * The states of a lesson: what its lists hold after each step. The engine sends changes and, now and then, the lists
 * whole (docs/reference/lessons.md, "Frames"). One pass keeps the lists of every 64th state and of those that came
 * whole, so that any other is found from the one before it in less than a millisecond.
 */

import { firstWhere } from '../util/lower_bound.js';

/**
 * @typedef {{step: string} & Object<string, any>} Now what a step did
 * @typedef {Object<string, any[]>} Lists
 * @typedef {{now: Now, lists: Lists}} State
 * @typedef {{now: Now, key?: Lists, lists?: Lists}} Frame
 */

const KEPT_EVERY = 64;
const decoder = new TextDecoder();

export class FrameStore {
  #json;
  #ends;
  /** @type {Now[]} */
  #now = [];
  /** States whose lists are kept, rising. @type {number[]} */
  #places = [];
  /** Their lists. @type {Lists[]} */
  #kept = [];
  /** The lists of the state that was found last. @type {{at: number, lists: Lists}} */
  #last = { at: -1, lists: {} };

  /** @param {Uint8Array} json @param {Uint32Array} ends where each frame ends */
  constructor(json, ends) {
    this.#json = json;
    this.#ends = ends;
    /** @type {Lists} */
    let lists = {};
    for (let n = 0; n < ends.length; n++) {
      const frame = this.#frame(n);
      lists = after(lists, frame);
      this.#now.push(frame.now);
      if (!frame.key && n % KEPT_EVERY) continue;
      this.#places.push(n);
      this.#kept.push(copyOf(lists));
    }
  }

  /** How many states there are, the start among them. */
  get length() {
    return this.#ends.length;
  }

  /** What step `n` did. @param {number} n @returns {Now} */
  now(n) {
    return this.#now[n];
  }

  /** The state after step `n`, whose lists are its own. @param {number} n 0: the start @returns {State} */
  state(n) {
    if (n < 0 || n >= this.length) throw new RangeError(`there is no step ${n}: the last is ${this.length - 1}`);
    const kept = firstWhere(this.#places.length, at => this.#places[at] > n) - 1;
    const isNear = this.#last.at <= n && this.#last.at >= this.#places[kept];
    let lists = copyOf(isNear ? this.#last.lists : this.#kept[kept]);
    for (let at = isNear ? this.#last.at : this.#places[kept]; at < n; ) lists = after(lists, this.#frame(++at));
    this.#last = { at: n, lists };
    return { now: this.#now[n], lists };
  }

  /** @param {number} n @returns {Frame} */
  #frame(n) {
    return JSON.parse(decoder.decode(this.#json.subarray(n ? this.#ends[n - 1] : 0, this.#ends[n])));
  }
}

/** @param {Lists} lists @returns {Lists} */
const copyOf = lists => Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, items.slice()]));

/** The lists after a step. @param {Lists} lists which are changed @param {Frame} frame @returns {Lists} */
function after(lists, { key, lists: changes = {} }) {
  if (key) return key;
  for (const [name, splices] of Object.entries(changes))
    for (const [at, removed, ...items] of splices) lists[name].splice(at, removed, ...items);
  return lists;
}
