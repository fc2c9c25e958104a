/** The edits of a text since it was last sent to the backend, as CodeMirror's descriptions of changes. */
import { isHighSurrogate, isLowSurrogate } from '../util/utf8.js';

export class UnsentChanges {
  /** @type {import('../../vendor/codemirror.js').ChangeDesc|null} null: nothing changed */
  desc = null;

  /** @param {import('../../vendor/codemirror.js').ChangeDesc} desc */
  add(desc) {
    this.desc = this.desc ? this.desc.composeDesc(desc) : desc;
  }

  /** Marks all edits as sent, for callers that send the whole text. */
  clear() {
    this.desc = null;
  }

  get any() {
    return this.desc !== null;
  }

  /** UTF-16 units that were removed and inserted. */
  get units() {
    let units = 0;
    this.desc?.iterChangedRanges((fromA, toA, fromB, toB) => {
      units += toA - fromA + toB - fromB;
    });
    return units;
  }

  /**
   * Maps a range of the text as it is now to the text that was sent.
   * @param {{from: number, to: number}} range UTF-16, may lie between two units
   * @returns {{from: number, to: number}}
   */
  toSent({ from, to }) {
    const back = this.desc?.invertedDesc;
    if (!back) return { from, to };
    const within = (/** @type {number} */ at) => Math.max(0, Math.min(back.length, at));
    return { from: back.mapPos(within(Math.floor(from)), -1), to: back.mapPos(within(Math.ceil(to)), 1) };
  }

  /**
   * Marks all edits as sent and returns them as one replaced range, which never splits a pair of surrogates.
   * @param {import('../../vendor/codemirror.js').Text} doc the text as it is now
   * @returns {{from: number, to: number, insert: string}|null} `from` and `to` in the text that was sent; null: nothing
   */
  take(doc) {
    const { desc } = this;
    this.desc = null;
    let from = Infinity;
    let to = 0;
    let start = Infinity;
    let end = 0;
    desc?.iterChangedRanges((fromA, toA, fromB, toB) => {
      from = Math.min(from, fromA);
      to = toA;
      start = Math.min(start, fromB);
      end = toB;
    });
    if (from > to) return null;
    if (start > 0 && isHighSurrogate(doc.sliceString(start - 1, start).charCodeAt(0))) {
      from--;
      start--;
    }
    if (isLowSurrogate(doc.sliceString(end, end + 1).charCodeAt(0))) {
      to++;
      end++;
    }
    return { from, to, insert: doc.sliceString(start, end) };
  }
}
