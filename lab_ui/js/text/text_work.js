/** What both text screens do with long texts. */
import { Breath } from '../util/breath.js';

const LONG = 60_000;
const PAUSE_MS = 120;
const BURST_MS = 400;

/**
 * When to send a whole text: a short one at every key; a long one, where edits cannot be followed, at the first key and
 * then at the next pause in the typing.
 */
export class Pace {
  #last = -Infinity;

  /**
   * @param {number} length UTF-16
   * @param {AbortSignal} signal ends the wait at once
   * @returns {Promise<void>} settles when it is time
   */
  async turn(length, signal) {
    const now = performance.now();
    const burst = now - this.#last < BURST_MS;
    this.#last = now;
    if (length < LONG || !burst) return;
    await pause(PAUSE_MS, signal);
  }
}

/** @param {number} ms @param {AbortSignal} signal ends the wait at once, with an AbortError @returns {Promise<void>} */
export const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(new DOMException('stopped', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms); // the signal may live for many pauses
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/**
 * One thing that is to be done after a wait, unless it is put off before: cheaper than `pause`, for what every key puts
 * off.
 */
export class Later {
  #timer = 0;
  #settle = null;

  /** @param {number} ms @returns {Promise<boolean>} false where it was put off */
  wait(ms) {
    this.stop();
    return new Promise(settle => {
      this.#settle = settle;
      this.#timer = setTimeout(() => this.#end(true), ms);
    });
  }

  stop() {
    clearTimeout(this.#timer);
    this.#end(false);
  }

  #end(now) {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(now);
  }
}

const PIECE = 1 << 17; // UTF-16 units that are looked at in one go

/**
 * Runs of characters that are no white space, or null where that counts no words: in a text of which more than a tenth
 * is in a script that puts no space between them. Counted by hand: a regular expression over 10 MB makes millions of
 * strings.
 * @param {string} text @returns {Promise<number|null>}
 */
export async function wordCount(text) {
  const counter = new WordCounter();
  const breath = new Breath();
  for (let from = 0; from < text.length; from += PIECE) {
    counter.add(text, from, Math.min(text.length, from + PIECE));
    await breath.turn();
  }
  return counter.unspaced * 10 > text.length ? null : counter.words;
}

class WordCounter {
  words = 0;
  unspaced = 0;
  #inWord = false;

  add(text, from, to) {
    let { words, unspaced } = this;
    let inWord = this.#inWord;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      const space =
        unit <= 32 ||
        unit === 0xa0 ||
        unit === 0x3000 ||
        (unit >= 0x2000 && unit <= 0x200a) ||
        unit === 0x2028 ||
        unit === 0x2029;
      if (!space && !inWord) words++;
      inWord = !space;
      if (unit >= 0xe00 && isUnspaced(unit)) unspaced++;
    }
    this.words = words;
    this.unspaced = unspaced;
    this.#inWord = inWord;
  }
}

/** Thai, Lao, Tibetan, Burmese, Khmer, kana and ideographs of the basic plane. */
function isUnspaced(unit) {
  return (
    unit <= 0xfff ||
    (unit >= 0x1000 && unit <= 0x109f) ||
    (unit >= 0x1780 && unit <= 0x17ff) ||
    (unit >= 0x3040 && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xf900 && unit <= 0xfaff)
  );
}
