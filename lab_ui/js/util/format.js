/** Numbers and characters as the screens write them. */

const THIN_SPACE = '\u2009';
const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345 as "12 345", the gap a thin space; null as a dash, because what was not measured is not 0. */
export const count = n => (n === null || n === undefined ? '–' : integers.format(n).replaceAll(',', THIN_SPACE));

/** @param {number} n @param {number} [digits] "2.86"; a dash where the number is not finite */
export const ratio = (n, digits = 2) => (Number.isFinite(n) ? n.toFixed(digits) : '–');

/** @param {number} share 0 to 1 */
export const percent = (share, digits = 0) =>
  Number.isFinite(share) ? `${(100 * share).toFixed(digits)}${THIN_SPACE}%` : '–';

/** "0.03 ms", "1.2 s" @param {number} ns */
export function duration(ns) {
  if (ns < 1e6) return `${(ns / 1e6).toFixed(2)} ms`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms`;
  return `${(ns / 1e9).toFixed(1)} s`;
}

/** "1.4 MB", in powers of 1000 */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  if (bytes < 1e3) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** "1 token", "2 tokens" */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** 0xE8 as "E8" */
export const hexByte = byte => byte.toString(16).toUpperCase().padStart(2, '0');

/** "e8aa9e" as [232, 170, 158] */
export const bytesOfHex = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));

/** "語" as "U+8A9E" */
export const codePoint = character => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A sentence: capital first, full stop last. @param {string} words */
export const asSentence = words =>
  words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}` : '';

/** What went wrong and what to do about it, in one line. @param {{message: string, hint?: string|null}} error */
export const problemWords = ({ message, hint }) =>
  [message, hint && hint !== message ? hint : ''].filter(Boolean).map(asSentence).join(' ');
