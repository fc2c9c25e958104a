/**
 * Excerpts of texts that are too long to be traced as a whole, and whether what holds in the excerpt holds in the text.
 * Positions are UTF-16 unless they are called bytes.
 */
import { isHighSurrogate, isLowSurrogate } from '../util/utf8.js';
import { codePointOf } from '../util/unicode.js';

export { utf8Length as byteLength } from '../util/utf8.js';

/**
 * Returns whole lines around a position, or the excerpt around it if its line is too long. A text that fits is whole.
 * @param {{length: number, slice: (from: number, to: number) => string}} text @param {number} pos @param {number} most
 * @returns {{from: number, to: number, text: string, whole: boolean}} `whole`: all of the text
 */
export function windowAround(text, pos, most) {
  if (text.length <= most) return { from: 0, to: text.length, text: text.slice(0, text.length), whole: true };
  let from = Math.max(0, Math.min(pos - (most >> 1), text.length - most));
  let to = Math.min(text.length, from + most);
  const before = text.slice(from, pos);
  const after = text.slice(pos, to);
  if (from > 0) {
    const line = before.indexOf('\n') + 1;
    from += line || (isLowSurrogate(before.charCodeAt(0)) ? 1 : 0);
  }
  if (to < text.length) {
    const line = after.lastIndexOf('\n') + 1;
    to = line ? pos + line : to - (isHighSurrogate(after.charCodeAt(after.length - 1)) ? 1 : 0);
  }
  return { from, to, text: text.slice(from, to), whole: false };
}

/**
 * @param {string} text
 * @param {number} byte a place between two characters
 * @returns {number} the same place in UTF-16
 */
export function unitsAt(text, byte) {
  let units = 0;
  let bytes = 0;
  for (const character of text) {
    if (bytes >= byte) break;
    const code = codePointOf(character);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return units;
}

/**
 * Returns the boundaries in (from, to): bytes at which a token starts or ends and that no token covers.
 * @param {[number, number][]} spans in bytes @param {number} from @param {number} to
 */
export function boundariesOf(spans, from, to) {
  const boundaries = new Set(spans.flat().filter(at => at > from && at < to));
  for (const [start, end] of spans)
    for (let at = Math.max(from, start + 1); at < Math.min(end, to); at++) boundaries.delete(at);
  return [...boundaries].sort((a, b) => a - b);
}

/**
 * Whether an excerpt has the same boundaries around a place as the whole text. Near an edge that is not an edge of the
 * text they may differ, so only the half of the way to it that is next to the place is compared.
 * @param {number[]} boundaries of the excerpt
 * @param {number[]} real those of the whole text, counted from the excerpt's start
 * @param {number} at the place
 * @param {number} length of the excerpt
 * @param {{atStart: boolean, atEnd: boolean}} edges of the excerpt that are edges of the text; all in bytes
 */
export function sameBoundaries(boundaries, real, at, length, { atStart, atEnd }) {
  const first = atStart ? 0 : at / 2;
  const last = atEnd ? length : (at + length) / 2;
  /** @param {number[]} list */
  const within = list => list.filter(at => at >= first && at <= last).join();
  return within(boundaries) === within(real);
}
