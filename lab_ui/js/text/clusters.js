/**
 * What a reader takes for one character (a grapheme cluster): a flag of two letters, a base with its accents, an emoji
 * family. A cut inside one cannot be drawn between glyphs, so every cut is rounded to clusters before it is drawn.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const FIRST_COMBINING = 0x300;
const CARRIAGE_RETURN = 13;
const SHORT = 16;
const LONGEST = 512; // UTF-16 units of a cluster that are looked at behind a place, at first and at most
const CLUSTERS = new Map();
const MOST_CLUSTERS = 1000;
// What may belong to what is before it, and what may draw in what is behind it (UAX 29, with some to spare): only there
// is the segmenter asked, which takes longer the longer its text is.
const JOINS_BEFORE =
  /[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Regional_Indicator}\u0e33\u0eb3\u1100-\u11ff\u200d\ua960-\ua97f\ud7b0-\ud7ff\u{16d63}\u{16d67}-\u{16d6a}]/uy;
const JOINS_BEHIND =
  /[\p{M}\p{Cf}\p{Regional_Indicator}\u0d4e\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{111c2}\u{111c3}\u{11d46}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11f02}]/uy;

/** Kana, ideographs and Hangul syllables, and what is below the first combining character. */
const isPlain = unit =>
  unit < FIRST_COMBINING ||
  (unit > 0x3040 && unit < 0xa000 && unit !== 0x3099 && unit !== 0x309a) ||
  (unit >= 0xac00 && unit < 0xd7a4);

/** Whether the code point of `text` that starts at `at` is one of `pattern`, which is sticky. */
function startsWith(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** @param {string} text @param {number} at @returns {boolean} false where a cluster surely ends at the place */
export function mayJoin(text, at) {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  if (isPlain(before) && isPlain(behind)) return before === CARRIAGE_RETURN;
  const isPair = unit => (unit & 0xfc00) === 0xd800;
  if (isPair(before) && (behind & 0xfc00) === 0xdc00) return true;
  const start = at > 1 && (before & 0xfc00) === 0xdc00 && isPair(text.charCodeAt(at - 2)) ? at - 2 : at - 1;
  return startsWith(JOINS_BEFORE, text, at) || startsWith(JOINS_BEHIND, text, start);
}

/**
 * The cluster of a long text that holds a place, without the segmenter where it need not be asked.
 * @param {string} text @param {number} at @param {number} [known] a place before it at which a cluster is known to end
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

/** Start and end of the cluster at a place of a short text. The same few are asked for again and again. */
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
  #segments = null;
  #known = new Map();

  /**
   * @param {string} text a slice
   * @param {number} offset where the slice starts; all positions are counted from there on
   */
  constructor(text, offset = 0) {
    this.#text = text;
    this.#offset = offset;
  }

  /** @returns {number} start of the cluster that holds the position; the position itself where it is a boundary */
  floor(pos) {
    return this.#isBoundary(pos) ? pos : this.#containing(pos).from;
  }

  /** @returns {number} end of the cluster that holds the position; the position itself where it is a boundary */
  ceil(pos) {
    return this.#isBoundary(pos) ? pos : this.#containing(pos).to;
  }

  #isBoundary(pos) {
    const at = pos - this.#offset;
    if (at <= 0 || at >= this.#text.length) return true;
    return !mayJoin(this.#text, at) || this.#containing(pos).from === pos;
  }

  #containing(pos) {
    let found = this.#known.get(pos);
    if (!found) {
      this.#segments ??= segmenter.segment(this.#text);
      const { index, segment } = this.#segments.containing(pos - this.#offset);
      found = { from: index + this.#offset, to: index + segment.length + this.#offset };
      this.#known.set(pos, found);
    }
    return found;
  }
}

/** @returns {string[]} the clusters of a short text */
export function clustersOf(text) {
  return Array.from(segmenter.segment(text), part => part.segment);
}

/** The beginning of a text, no cluster cut. @param {string} text @param {number} most UTF-16 units @returns {string} */
export const shortened = (text, most) =>
  text.length <= most ? text : text.slice(0, new Clusters(text.slice(0, 2 * most)).floor(most));
