/**
 * Writes numbers and characters for the screens.
 *
 * @typedef {number|null|undefined} Figure null or undefined: not measured, written as a dash
 */
import { codePointOf } from './unicode.js';

/** Parts the digits of a number and its unit; lines do not break at it. */
export const THIN_SPACE = '\u202f';
/** Not measured, which is not 0. */
export const DASH = '–';
const DIGITS = 3;
const MINUTE_NS = 60e9;
const HOUR_NS = 60 * MINUTE_NS;
const TIMES = [
  { ns: 1e9, unit: 's' },
  { ns: 1e6, unit: 'ms' },
  { ns: 1e3, unit: 'µs' },
  { ns: 1, unit: 'ns' },
];
/** @type {Intl.DateTimeFormat|null} made when a time is written: the first view has none */
let times = null;
const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345 as "12 345" with a thin space. @param {Figure} n */
export const count = n =>
  n === null || n === undefined ? DASH : withMinus(integers.format(n).replaceAll(',', THIN_SPACE));

/** The number of a merge for people, who count from 1; ranks of programs begin at 0. @param {Figure} rank */
export const mergeNumber = rank => count(rank === null || rank === undefined ? rank : rank + 1);

/** A number with the minus sign of typography. @param {string} written */
export const withMinus = written => written.replace(/^-/, '−');

/** "2.86", "−4.11", or a dash if the number is not finite. @param {Figure} n @param {number} [digits] */
export const ratio = (n, digits = 2) => (isNumber(n) ? withMinus(n.toFixed(digits)) : DASH);

/** Three digits or more: "41.0", "0.126", "1 534". @param {Figure} n */
export function figure(n) {
  if (!isNumber(n)) return DASH;
  if (Math.abs(Number(n.toPrecision(DIGITS))) >= 10 ** DIGITS) return count(Math.round(n));
  return n === 0 ? '0' : withMinus(n.toPrecision(DIGITS));
}

/** "46 %", or a dash if the number is not finite. @param {Figure} share 0 to 1 @param {number} [digits] */
export const percent = (share, digits = 0) =>
  isNumber(share) ? `${(100 * share).toFixed(digits)}${THIN_SPACE}%` : DASH;

/** "+3.1 %", "−18 %" @param {Figure} share by which something grew */
export function growth(share) {
  if (!isNumber(share)) return DASH;
  const value = Math.abs(100 * share);
  return `${share < 0 ? '−' : '+'}${value.toFixed(value < 10 ? 1 : 0)}${THIN_SPACE}%`;
}

const SMALL_SHARE = 0.001;

/** "0.3 %", "< 0.1 %": a share above 0 is never written as 0. @param {Figure} share 0 to 1 */
export const shareOf = share =>
  isNumber(share) && share > 0 && share < SMALL_SHARE ? `< ${percent(SMALL_SHARE, 1)}` : percent(share, 1);

/** @param {Figure} n @returns {n is number} */
const isNumber = n => Number.isFinite(n);

/** "4.36 µs", "45.0 ms", "12.2 s", "1 min 5 s", "1 h 4 min" @param {Figure} ns */
export function duration(ns) {
  if (!isNumber(ns)) return DASH;
  const whole = Math.round(ns / 1e9) * 1e9;
  if (whole >= HOUR_NS) return parts(Math.round(ns / MINUTE_NS), 60, 'h', 'min');
  if (whole >= MINUTE_NS) return parts(whole / 1e9, 60, 'min', 's');
  const time = TIMES.find(one => ns >= one.ns) ?? { ns: 1e9, unit: 's' };
  return `${figure(ns / time.ns)}${THIN_SPACE}${time.unit}`;
}

/** As `duration`. @param {Figure} s seconds */
export const durationOfSeconds = s => duration(isNumber(s) ? 1e9 * s : null);

/** @param {number} n @param {number} base @param {string} large @param {string} small the units */
const parts = (n, base, large, small) =>
  `${Math.floor(n / base)}${THIN_SPACE}${large} ${n % base}${THIN_SPACE}${small}`;

/** "835 B", "32 kB", "1.4 MB", "926 MB", "2.5 GB": powers of 1000 @param {Figure} bytes */
export function size(bytes) {
  if (!isNumber(bytes)) return DASH;
  if (bytes < 1e3) return `${bytes}${THIN_SPACE}B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1e3)}${THIN_SPACE}kB`;
  if (bytes < 999.5e6) return `${(bytes / 1e6).toFixed(bytes < 99.95e6 ? 1 : 0)}${THIN_SPACE}MB`;
  return `${(bytes / 1e9).toFixed(1)}${THIN_SPACE}GB`;
}

/** "23 Nov 2026, 14:05", in local time @param {string} time ISO 8601 */
export function whenWords(time) {
  times ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return times.format(new Date(time));
}

/** ["A", "B", "C"] as "A, B and C" @param {string[]} names */
export const listed = names => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');

/** "1 token", "2 tokens" @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** 0xE8 as "E8" @param {number} byte */
export const hexByte = byte => byte.toString(16).toUpperCase().padStart(2, '0');

/** "e8aa9e" as [232, 170, 158] @param {string} hex */
export const bytesOfHex = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));

/** "語" as "U+8A9E" @param {string} character */
export const codePoint = character => `U+${codePointOf(character).toString(16).toUpperCase().padStart(4, '0')}`;

const IS_NAME = /^\S*([._/\\]\w|\d)/; // a file, an option or an ID, such as "empty.txt", "vocab_size" and "gpt2"

/** Starts with a capital, unless with a name, and ends with a full stop. @param {string} text */
export function asSentence(text) {
  const start = IS_NAME.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return text ? `${start}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}` : '';
}

/** Joins message and hint of an error to one line. @param {{message: string, hint?: string|null}} error */
export const problemWords = ({ message, hint }) =>
  [message, hint && hint !== message ? hint : ''].filter(Boolean).map(asSentence).join(' ');
