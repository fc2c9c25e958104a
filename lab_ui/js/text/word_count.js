/** Counts the words of a text, in pieces, so that a frame can be drawn between them. */
import { Yielder } from '../util/yielder.js';

const PIECE = 1 << 17; // UTF-16 units that are read at once

/**
 * Counts runs of characters other than whitespace. Counted by hand: a regular expression over 10 MB makes millions of
 * strings.
 * @param {string} text
 * @returns {Promise<number|null>} null if more than a tenth of the text is in scripts without spaces between words
 */
export async function wordCount(text) {
  const counter = new WordCounter();
  const yielder = new Yielder();
  for (let from = 0; from < text.length; from += PIECE) {
    counter.add(text, from, Math.min(text.length, from + PIECE));
    await yielder.maybeYield();
  }
  return counter.unspaced * 10 > text.length ? null : counter.words;
}

class WordCounter {
  words = 0;
  unspaced = 0;
  #inWord = false;

  /** @param {string} text @param {number} from @param {number} to UTF-16 */
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

/**
 * Thai, Lao, Tibetan, Burmese, Khmer, kana and ideographs of the basic plane.
 * @param {number} unit UTF-16
 */
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
