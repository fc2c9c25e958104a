/**
 * Which neighbouring stretches of a line are plain: printable ASCII, none of it before a character that could combine
 * with it. In a font of one width they can be read a row at a time. Reading them is in `geometry`.
 */

/** @param {number} unit */
const isPlain = unit => unit >= 32 && unit < 127;
/** @param {number} unit */
const isLetter = unit => (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);

export class PlainText {
  #text;
  #offset;
  #stretches;
  #mixed;

  /**
   * @param {import('../../vendor/codemirror.js').Text} doc @param {{from: number, to: number}} line
   * @param {{from: number, to: number}[]} stretches of the line, ascending
   * @param {boolean} mixed whether some of the line may run from right to left: then only what lies between two letters
   *   surely runs from left to right
   */
  constructor(doc, line, stretches, mixed) {
    this.#offset = Math.max(line.from, stretches[0].from - 1);
    this.#text = doc.sliceString(this.#offset, Math.min(stretches[stretches.length - 1].to + 1, line.to));
    this.#stretches = stretches;
    this.#mixed = mixed;
  }

  /**
   * @param {number} n number of a stretch
   * @returns {number} number of the first stretch behind the plain ones that begin with it; `n`: it is not plain
   */
  runFrom(n) {
    const stretches = this.#stretches;
    const first = stretches[n].from;
    if (this.#mixed && !isLetter(this.#at(first)) && !isLetter(this.#at(first - 1))) return n;
    let end = n;
    let good = n;
    for (; end < stretches.length && (end === n || stretches[end].from === stretches[end - 1].to); end++) {
      const { from, to } = stretches[end];
      let at = from;
      while (at < to && isPlain(this.#at(at))) at++;
      if (at < to) break;
      if (this.#ends(to)) good = end + 1;
    }
    return good;
  }

  /** Whether plain text may be split at a position: nothing behind it changes what is before it. @param {number} pos */
  #ends(pos) {
    const behind = this.#at(pos);
    if (!(Number.isNaN(behind) || isPlain(behind))) return false;
    return !this.#mixed || isLetter(this.#at(pos - 1)) || isLetter(behind);
  }

  /** NaN: outside of the line. @param {number} pos */
  #at(pos) {
    return this.#text.charCodeAt(pos - this.#offset);
  }
}
