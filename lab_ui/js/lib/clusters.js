/**
 * What a reader takes for one character (a grapheme cluster): a flag of two letters, a base with its accents, an emoji
 * family. A cut inside one cannot be drawn between glyphs, so every cut is rounded to clusters before it is drawn.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const FIRST_COMBINING = 0x300;
const CARRIAGE_RETURN = 13;

export class Clusters {
  #text; #offset; #segments = null; #known = new Map();

  /** @param {string} text a slice @param {number} offset where the slice starts; all positions are counted from there on */
  constructor(text, offset = 0) { this.#text = text; this.#offset = offset; }

  /** @returns {number} start of the cluster that holds the position; the position itself where it is a boundary */
  floor(pos) { return this.#isBoundary(pos) ? pos : this.#containing(pos).from; }

  /** @returns {number} end of the cluster that holds the position; the position itself where it is a boundary */
  ceil(pos) { return this.#isBoundary(pos) ? pos : this.#containing(pos).to; }

  /** Most text is plain: two characters below the first combining one always have a boundary between them. */
  #isBoundary(pos) {
    const at = pos - this.#offset;
    if (at <= 0 || at >= this.#text.length) return true;
    const before = this.#text.charCodeAt(at - 1), after = this.#text.charCodeAt(at);
    if (before < FIRST_COMBINING && after < FIRST_COMBINING && before !== CARRIAGE_RETURN) return true;
    return this.#containing(pos).from === pos;
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
export function clustersOf(text) { return Array.from(segmenter.segment(text), part => part.segment); }

/** The beginning of a text, no cluster cut. @param {string} text @param {number} most UTF-16 units @returns {string} */
export const shortened = (text, most) => (text.length <= most ? text : text.slice(0, new Clusters(text.slice(0, 2 * most)).floor(most)));
