/**
 * The tokens of one text as the backend sent them: lists with one entry per token (`at`), looked up by position.
 *
 * Tokens that the postprocessor added ([CLS], [SEP]) have no place in the text. They keep their number, and
 * `leading` and `trailing` name them; every search by position skips them.
 */

import { firstWhere } from '../util/lower_bound.js';
import { GapArray } from './gap_array.js';

/** Bits of `flags`. */
export const SPECIAL = 1,
  ADDED = 2,
  UNKNOWN = 4,
  STARTS_INSIDE = 8,
  ENDS_INSIDE = 16;

const ARRAYS = {
  ids: 'ids',
  start8: 'start_utf8',
  end8: 'end_utf8',
  start16: 'start_utf16',
  end16: 'end_utf16',
  flags: 'flags',
};

const TURNS = 4; // colours at most that go by turns

export class TokenSpans {
  /** @type {{from: number, to: number}|null} the part of the text whose tokens these are, UTF-16; null: all of it */
  known = null;
  /** How often `splice` was called: who reads all of them in pieces sees by it that they are others. */
  edits = 0;
  #counted = { edits: 0, times: new Map() };
  #phase = 0;
  #placed = null;
  #lead = 0;
  #trail = 0;

  /**
   * @param {Object<string, Uint32Array|Uint8Array>} arrays those of a frame; `prefix` as in `0/` picks one tokenizer of
   *   several
   */
  constructor(arrays, prefix = '') {
    const list = name => new GapArray(arrays[prefix + ARRAYS[name]]);
    this.ids = list('ids');
    this.start8 = list('start8');
    this.end8 = list('end8');
    this.start16 = list('start16');
    this.end16 = list('end16');
    this.flags = list('flags');
    this.#sort();
  }

  /**
   * Colours that go by turns go on as they were in another part of the same text, where both have a token: nothing
   * changes its colour when more of the text comes.
   * @param {TokenSpans} part
   */
  continueFrom(part) {
    if (!part.placedCount || !this.placedCount) return;
    const byte = Math.max(part.start8.at(part.placed(0)), this.start8.at(this.placed(0)));
    const k = this.firstStartingAt(byte);
    const other = part.firstStartingAt(byte);
    if (k === this.placedCount || other === part.placedCount) return;
    this.#phase = (part.turn(part.placed(other), TURNS) - (this.placed(k) % TURNS) + TURNS) % TURNS;
  }

  /** Which of `of` colours is a token's, by turns. @param {number} i @param {number} of 2 or 4 */
  turn(i, of) {
    return (i + this.#phase) % of;
  }

  get length() {
    return this.ids.length;
  }

  /** How many tokens have a place in the text. */
  get placedCount() {
    return this.#placed ? this.#placed.length : this.ids.length - this.#lead - this.#trail;
  }

  /** @param {number} k 0-based, in the order of the text @returns {number} the token's number among all tokens */
  placed(k) {
    return this.#placed ? this.#placed[k] : k + this.#lead;
  }

  /**
   * Makes of the tokens of a text those of the edited one, in place. It does not depend on how long the text is.
   * @param {{first: number, removed: number}} change counted without the tokens of the postprocessor
   * @param {Object<string, Uint32Array|Uint8Array>} arrays the tokens that came, named as those of the constructor
   * @param {string} prefix of their names
   * @param {{shift8: number, shift16: number}} by what positions behind them move by
   */
  splice({ first, removed }, arrays, prefix, { shift8, shift16 }) {
    this.edits++;
    const from = first + this.#lead;
    const shifts = { start8: shift8, end8: shift8, start16: shift16, end16: shift16 };
    for (const [name, wire] of Object.entries(ARRAYS))
      this[name].splice(from, removed, arrays[prefix + wire], shifts[name], this.#trail);
    if (this.#placed) this.#sort();
  }

  /** Tokens without a place, before the first and after the last one that has a place. */
  get leading() {
    return this.#added(0, this.placedCount ? this.placed(0) : this.length);
  }
  get trailing() {
    return this.placedCount ? this.#added(this.placed(this.placedCount - 1) + 1, this.length) : [];
  }

  /** @param {number} pos UTF-16 @returns {number} k of the first placed token that ends after it */
  firstEndingAfter(pos) {
    return firstWhere(this.placedCount, k => this.end16.at(this.placed(k)) > pos);
  }

  /** @param {number} byte of the text @returns {number} k of the first placed token that starts there or behind it */
  firstStartingAt(byte) {
    return firstWhere(this.placedCount, k => this.start8.at(this.placed(k)) >= byte);
  }

  /** @param {number} byte of the text @returns {number} k of the first placed token that ends after it */
  firstEndingAfterByte(byte) {
    return firstWhere(this.placedCount, k => this.end8.at(this.placed(k)) > byte);
  }

  /**
   * @param {number} pos UTF-16
   * @returns {number} the token that covers the position, or the next one; -1 where there is none
   */
  at(pos) {
    const k = this.firstEndingAfter(pos);
    if (k < this.placedCount) return this.placed(k);
    return this.placedCount ? this.placed(this.placedCount - 1) : -1;
  }

  /** @returns {number[]} tokens that overlap [from, to) in UTF-16, at most `most` */
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
   * Byte offset at which the first character of a token starts; the token itself may start inside that character.
   * Walks back to a token that starts at a character, which is at most a few steps away.
   * @returns {{utf8: number, utf16: number}} the same place in both units
   */
  anchor(i) {
    let k = i;
    while (k > 0 && this.flags.at(k) & STARTS_INSIDE) k--;
    return { utf8: this.start8.at(k), utf16: this.start16.at(k) };
  }

  has(i, flag) {
    return (this.flags.at(i) & flag) !== 0;
  }

  /** @param {number} id @returns {number} how often it occurs; every id is read for it, once until the next edit */
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

  #sort() {
    const flags = this.flags.all();
    let added = 0;
    for (let i = 0; i < flags.length; i++) if (flags[i] & ADDED) added++;
    while (flags[this.#lead] & ADDED) this.#lead++;
    while (this.#lead < added && flags[flags.length - 1 - this.#trail] & ADDED) this.#trail++;
    if (this.#lead + this.#trail === added) return;
    this.#lead = this.#trail = 0; // a template that puts tokens within the text
    this.#placed = new Uint32Array(flags.length - added);
    for (let i = 0, k = 0; i < flags.length; i++) if (!(flags[i] & ADDED)) this.#placed[k++] = i;
  }

  #added(from, to) {
    const numbers = [];
    for (let i = from; i < to; i++) if (this.has(i, ADDED)) numbers.push(i);
    return numbers;
  }
}

/** Those of no text. */
export const NO_TOKENS = new TokenSpans({
  ids: new Uint32Array(0),
  start_utf8: new Uint32Array(0),
  end_utf8: new Uint32Array(0),
  start_utf16: new Uint32Array(0),
  end_utf16: new Uint32Array(0),
  flags: new Uint8Array(0),
});
