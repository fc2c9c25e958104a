/**
 * Grapheme clusters, what a reader takes for one character: a flag of two letters, a base with its accents, an emoji
 * family. A boundary inside one cannot be drawn between glyphs, so every boundary is rounded to clusters first.
 */
import { isHighSurrogate, isLowSurrogate } from '../util/utf8.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const FIRST_COMBINING = 0x300;
const CARRIAGE_RETURN = 13;
const SHORT = 16;
const LONGEST = 512; // UTF-16 units after a place that are searched for the end of its cluster, at first and at most
/** @type {Map<string, [number, number]>} */
const CLUSTERS = new Map();
const MOST_CLUSTERS = 1000;
// Characters that may join the one before them, or the one after them (UAX 29, and some more). The segmenter, which is
// slow on long texts, runs only at these.
const JOINS_BEFORE =
  /[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Regional_Indicator}\u0e33\u0eb3\u1100-\u11ff\u200d\ua960-\ua97f\ud7b0-\ud7ff\u{16d63}\u{16d67}-\u{16d6a}]/uy;
const JOINS_AFTER =
  /[\p{M}\p{Cf}\p{Regional_Indicator}\u0d4e\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{111c2}\u{111c3}\u{11d46}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11f02}]/uy;

/** Kana, ideographs and Hangul syllables, and all before the first combining character. @param {number} unit */
const isPlain = unit =>
  unit < FIRST_COMBINING ||
  (unit > 0x3040 && unit < 0xa000 && unit !== 0x3099 && unit !== 0x309a) ||
  (unit >= 0xac00 && unit < 0xd7a4);

/**
 * Whether the code point of `text` that starts at `at` matches.
 * @param {RegExp} pattern sticky @param {string} text @param {number} at
 */
function startsWith(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** @param {string} text @param {number} at @returns {boolean} false if a cluster surely ends there */
export function mayJoin(text, at) {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (isPlain(before) && isPlain(after)) return before === CARRIAGE_RETURN;
  if (isHighSurrogate(before) && isLowSurrogate(after)) return true;
  const start = at > 1 && isLowSurrogate(before) && isHighSurrogate(text.charCodeAt(at - 2)) ? at - 2 : at - 1;
  return startsWith(JOINS_BEFORE, text, at) || startsWith(JOINS_AFTER, text, start);
}

/**
 * Returns the cluster of a long text that holds a place, without the segmenter if possible.
 * @param {string} text @param {number} at @param {number} [known] a place before it at which a cluster ends
 * @returns {{from: number, to: number}}
 */
export function clusterAt(text, at, known = 0) {
  let from = at;
  while (from > known && mayJoin(text, from)) from--;
  for (const most of [SHORT, LONGEST]) {
    let to = at + 1;
    while (to < text.length && to < at + most && mayJoin(text, to)) to++;
    const [first, end] = within(text.slice(from, to), at - from);
    if (from + end < to || to < at + most || most === LONGEST) return { from: from + first, to: from + end };
  }
  throw new Error('one of the two lengths was the longest');
}

/**
 * Returns start and end of the cluster at a place of a short text, from a cache: the same few come again and again.
 * @param {string} text @param {number} at
 * @returns {[number, number]}
 */
function within(text, at) {
  const key = `${at} ${text}`;
  let found = CLUSTERS.get(key);
  if (!found) {
    const clusters = new Clusters(text);
    found = [clusters.floor(at), clusters.ceil(at + 1)];
    if (CLUSTERS.size === MOST_CLUSTERS) CLUSTERS.clear();
    if (text.length <= SHORT * 2) CLUSTERS.set(key, found);
  }
  return found;
}

export class Clusters {
  #text;
  #offset;
  /** @type {Intl.Segments|null} */
  #segments = null;
  /** @type {Map<number, {from: number, to: number}>} */
  #known = new Map();

  /**
   * @param {string} text a slice
   * @param {number} offset position of the slice's start; all positions are those of the whole text
   */
  constructor(text, offset = 0) {
    this.#text = text;
    this.#offset = offset;
  }

  /**
   * Returns the start of the cluster that holds the position, or the position if it is a boundary.
   * @param {number} pos
   */
  floor(pos) {
    return this.#isBoundary(pos) ? pos : this.#containing(pos).from;
  }

  /**
   * Returns the end of the cluster that holds the position, or the position if it is a boundary.
   * @param {number} pos
   */
  ceil(pos) {
    return this.#isBoundary(pos) ? pos : this.#containing(pos).to;
  }

  /** @param {number} pos */
  #isBoundary(pos) {
    const at = pos - this.#offset;
    if (at <= 0 || at >= this.#text.length) return true;
    return !mayJoin(this.#text, at) || this.#containing(pos).from === pos;
  }

  /** @param {number} pos inside the slice */
  #containing(pos) {
    let found = this.#known.get(pos);
    if (!found) {
      this.#segments ??= segmenter.segment(this.#text);
      const data = this.#segments.containing(pos - this.#offset);
      if (!data) throw new RangeError(`position ${pos} is outside the text`);
      const from = data.index + this.#offset;
      found = { from, to: from + data.segment.length };
      this.#known.set(pos, found);
    }
    return found;
  }
}

/** Splits a short text into clusters. @param {string} text @returns {string[]} */
export function clustersOf(text) {
  return Array.from(segmenter.segment(text), part => part.segment);
}

/**
 * Returns the start of a text in whole clusters.
 * @param {string} text
 * @param {number} most UTF-16 units
 * @returns {string}
 */
export const shortened = (text, most) =>
  text.length <= most ? text : text.slice(0, new Clusters(text.slice(0, 2 * most)).floor(most));
