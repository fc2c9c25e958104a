/**
 * The tokens of one text as the backend sent them: lists with one entry per token, searched by position.
 *
 * Tokens that the postprocessor added ([CLS], [SEP]) have no position. They are numbered as the others, and `leading`
 * and `trailing` list them; every search by position skips them. Those that have a position are called placed.
 */

import { firstWhere } from '../util/lower_bound.js';
import { GapArray } from './gap_array.js';

/** Bits of `flags`. */
export const SPECIAL = 1,
  ADDED = 2,
  UNKNOWN = 4,
  STARTS_INSIDE = 8,
  ENDS_INSIDE = 16;

/** @typedef {import('../api/types.js').Arrays} Arrays */

const COLOURS = 4; // at most, of those that alternate by position

export class TokenSpans {
  /** @type {{from: number, to: number}|null} the part of the text whose tokens these are, UTF-16; null: all of it */
  known = null;
  /** Number of calls of `splice`: a reader that works in slices sees by it that the tokens have changed. */
  edits = 0;
  /** @type {{edits: number, times: Map<number, number>}} occurrences by id, of that number of edits */
  #counted = { edits: 0, times: new Map() };
  #phase = 0;
  /** @type {Uint32Array|null} numbers of the placed tokens; null: all between those at the start and at the end */
  #placed = null;
  #lead = 0;
  #trail = 0;

  /** @param {Arrays} arrays those of a frame @param {string} [prefix] of one tokenizer among several, as in `0/` */
  constructor(arrays, prefix = '') {
    /** @param {string} name */
    const list = name => new GapArray(arrays[prefix + name]);
    this.ids = list('ids');
    this.start8 = list('start_utf8');
    this.end8 = list('end_utf8');
    this.start16 = list('start_utf16');
    this.end16 = list('end_utf16');
    this.flags = list('flags');
    this.#sort();
  }

  /**
   * Aligns the alternating colours with those of another part of the same text, if both have a token in common: nothing
   * changes its colour when the rest of the text arrives.
   * @param {TokenSpans} part
   */
  continueFrom(part) {
    if (!part.placedCount || !this.placedCount) return;
    const byte = Math.max(part.start8.at(part.placed(0)), this.start8.at(this.placed(0)));
    const k = this.firstStartingAt(byte);
    const other = part.firstStartingAt(byte);
    if (k === this.placedCount || other === part.placedCount) return;
    this.#phase = (part.turn(part.placed(other), COLOURS) - (this.placed(k) % COLOURS) + COLOURS) % COLOURS;
  }

  /** Which of `of` alternating colours a token has. @param {number} i @param {number} of 2 or 4 */
  turn(i, of) {
    return (i + this.#phase) % of;
  }

  get length() {
    return this.ids.length;
  }

  /** Number of placed tokens. */
  get placedCount() {
    return this.#placed ? this.#placed.length : this.ids.length - this.#lead - this.#trail;
  }

  /** @param {number} k 0-based, in the order of the text @returns {number} the token's number among all tokens */
  placed(k) {
    return this.#placed ? this.#placed[k] : k + this.#lead;
  }

  /**
   * Replaces tokens after an edit of the text, in a time that does not depend on its length.
   * @param {{first: number, removed: number}} change counted without the tokens of the postprocessor
   * @param {Arrays} arrays the new tokens, named as those of the constructor
   * @param {string} prefix of their names
   * @param {{shift8: number, shift16: number}} by the shift of all later positions
   */
  splice({ first, removed }, arrays, prefix, { shift8, shift16 }) {
    this.edits++;
    const from = first + this.#lead;
    /** @param {GapArray} list @param {string} name @param {number} [by] */
    const put = (list, name, by) => list.splice(from, removed, arrays[prefix + name], by, this.#trail);
    put(this.ids, 'ids');
    put(this.start8, 'start_utf8', shift8);
    put(this.end8, 'end_utf8', shift8);
    put(this.start16, 'start_utf16', shift16);
    put(this.end16, 'end_utf16', shift16);
    put(this.flags, 'flags');
    if (this.#placed) this.#sort();
  }

  /** Tokens of the postprocessor before the first placed token. */
  get leading() {
    return this.#added(0, this.placedCount ? this.placed(0) : this.length);
  }
  /** Tokens of the postprocessor after the last placed token. */
  get trailing() {
    return this.placedCount ? this.#added(this.placed(this.placedCount - 1) + 1, this.length) : [];
  }

  /** The number of a token among those of the text, from 0; -1 for one of the postprocessor. @param {number} i */
  numberInText(i) {
    return this.has(i, ADDED) ? -1 : firstWhere(this.placedCount, k => this.placed(k) >= i);
  }

  /** @param {number} pos UTF-16 @returns {number} k of the first placed token that ends after it */
  firstEndingAfter(pos) {
    return firstWhere(this.placedCount, k => this.end16.at(this.placed(k)) > pos);
  }

  /** @param {number} byte of the text @returns {number} k of the first placed token that starts there or later */
  firstStartingAt(byte) {
    return firstWhere(this.placedCount, k => this.start8.at(this.placed(k)) >= byte);
  }

  /** @param {number} byte of the text @returns {number} k of the first placed token that ends after it */
  firstEndingAfterByte(byte) {
    return firstWhere(this.placedCount, k => this.end8.at(this.placed(k)) > byte);
  }

  /**
   * @param {number} pos UTF-16
   * @returns {number} the token that covers the position, else the next one, else the last; -1 if there is none
   */
  at(pos) {
    const k = this.firstEndingAfter(pos);
    if (k < this.placedCount) return this.placed(k);
    return this.placedCount ? this.placed(this.placedCount - 1) : -1;
  }

  /**
   * @param {number} from @param {number} to UTF-16 @param {number} [most]
   * @returns {number[]} tokens that overlap [from, to), at most `most`
   */
  overlapping(from, to, most = Infinity) {
    const found = [];
    for (let k = this.firstEndingAfter(from); k < this.placedCount && found.length < most; k++) {
      const i = this.placed(k);
      if (this.start16.at(i) >= to) break;
      found.push(i);
    }
    return found;
  }

  /**
   * Returns the start of the token's first character, which may be before the token. Walks back to a token that starts
   * at a character, at most a few steps.
   * @param {number} i
   * @returns {{utf8: number, utf16: number}} the same place in both units
   */
  anchor(i) {
    let k = i;
    while (k > 0 && this.flags.at(k) & STARTS_INSIDE) k--;
    return { utf8: this.start8.at(k), utf16: this.start16.at(k) };
  }

  /** @param {number} i @param {number} flag */
  has(i, flag) {
    return (this.flags.at(i) & flag) !== 0;
  }

  /** @param {number} id @returns {number} how often it occurs, counted once until the next edit */
  occurrences(id) {
    if (this.#counted.edits !== this.edits) this.#counted = { edits: this.edits, times: new Map() };
    const { times } = this.#counted;
    let count = times.get(id);
    if (count !== undefined) return count;
    count = 0;
    for (let i = 0; i < this.ids.length; i++) if (this.ids.at(i) === id) count++;
    times.set(id, count);
    return count;
  }

  /** Finds the placed tokens. */
  #sort() {
    const flags = this.flags.all();
    let added = 0;
    for (let i = 0; i < flags.length; i++) if (flags[i] & ADDED) added++;
    while (flags[this.#lead] & ADDED) this.#lead++;
    while (this.#lead < added && flags[flags.length - 1 - this.#trail] & ADDED) this.#trail++;
    if (this.#lead + this.#trail === added) return;
    this.#lead = 0; // the postprocessor puts tokens within the text
    this.#trail = 0;
    const placed = new Uint32Array(flags.length - added);
    for (let i = 0, k = 0; i < flags.length; i++) if (!(flags[i] & ADDED)) placed[k++] = i;
    this.#placed = placed;
  }

  /** Lists the postprocessor's tokens of a range. @param {number} from @param {number} to */
  #added(from, to) {
    const numbers = [];
    for (let i = from; i < to; i++) if (this.has(i, ADDED)) numbers.push(i);
    return numbers;
  }
}

/** The tokens of an empty text. */
export const NO_TOKENS = new TokenSpans({
  ids: new Uint32Array(0),
  start_utf8: new Uint32Array(0),
  end_utf8: new Uint32Array(0),
  start_utf16: new Uint32Array(0),
  end_utf16: new Uint32Array(0),
  flags: new Uint8Array(0),
});
