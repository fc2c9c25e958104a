/**
 * Unpacks the tokens of a document into the arrays that `TokenSpans` keeps. A packed token is its length, and more if
 * its flags say so. docs/reference/http-api.md describes the bits;
 * the engine packs (engine_rs/inspect/src/document/packed.rs).
 */
import { Yielder } from '../util/yielder.js';
import { ADDED } from './token_spans.js';

const UNITS = 32;
const GAP = 64;
const WIDE = 128;
const FACTS = 31;
const SLICE = 100_000; // tokens that are read in one go: a millisecond

/**
 * @typedef {import('../api/types.js').Arrays} Arrays
 * @typedef {{utf8: number, utf16: number}} Base where the encoded text starts, if it is an excerpt of a longer one
 */

/**
 * @param {Arrays} arrays those of a frame @param {string} prefix of their names, as in `0/`
 * @param {Base} [base]
 * @returns {Arrays} `ids`, `start_utf8`, `end_utf8`, `start_utf16`, `end_utf16`, `flags`; those of the frame are left
 *   as they are
 */
export function unpack(arrays, prefix, base) {
  const reader = new Reader(arrays, prefix, base);
  reader.read(Infinity);
  return reader.found;
}

/**
 * The same for long texts, in slices.
 * @param {Arrays} arrays
 * @param {string} prefix
 * @param {Yielder} yielder
 * @param {AbortSignal} signal
 * @returns {Promise<Arrays>}
 */
export async function unpackLong(arrays, prefix, yielder, signal) {
  const reader = new Reader(arrays, prefix);
  while (reader.read(SLICE)) await yielder.maybeYield(signal);
  return reader.found;
}

class Reader {
  #bits;
  #lengths;
  #extra;
  #wide;
  #base;
  #i = 0;
  #e = 0;
  #w = 0;
  /** @type {number} */
  #byte;
  /** @type {number} */
  #unit;

  /** @param {Arrays} arrays @param {string} prefix @param {Base} [base] */
  constructor(arrays, prefix, base = { utf8: 0, utf16: 0 }) {
    const ids = arrays[`${prefix}ids`];
    this.#bits = arrays[`${prefix}flags`];
    this.#lengths = arrays[`${prefix}lengths`];
    this.#extra = arrays[`${prefix}extra`];
    this.#wide = arrays[`${prefix}wide`];
    this.#base = base;
    this.#byte = base.utf8;
    this.#unit = base.utf16;
    /** @type {Arrays} */
    this.found = {
      ids,
      flags: new Uint8Array(ids.length),
      start_utf8: new Uint32Array(ids.length),
      end_utf8: new Uint32Array(ids.length),
      start_utf16: new Uint32Array(ids.length),
      end_utf16: new Uint32Array(ids.length),
    };
  }

  /** @param {number} most tokens @returns {boolean} whether some are left */
  read(most) {
    const bits = this.#bits;
    const lengths = this.#lengths;
    const extra = this.#extra;
    const wide = this.#wide;
    const { utf8, utf16 } = this.#base;
    const { flags, start_utf8: start8, end_utf8: end8, start_utf16: start16, end_utf16: end16 } = this.found;
    const end = Math.min(bits.length, this.#i + most);
    let i = this.#i;
    let e = this.#e;
    let w = this.#w;
    let byte = this.#byte;
    let unit = this.#unit;
    for (; i < end; i++) {
      const bit = bits[i];
      flags[i] = bit & FACTS;
      if (bit & ADDED) continue; // has no position
      if (bit & WIDE) {
        start8[i] = wide[w] + utf8;
        byte = end8[i] = wide[w + 1] + utf8;
        start16[i] = wide[w + 2] + utf16;
        unit = end16[i] = wide[w + 3] + utf16;
        w += 4;
        continue;
      }
      if (bit & GAP) {
        byte += extra[e] - 128;
        unit += extra[e + 1] - 128;
        e += 2;
      }
      start8[i] = byte;
      start16[i] = unit;
      byte += lengths[i];
      unit += bit & UNITS ? extra[e++] : lengths[i];
      end8[i] = byte;
      end16[i] = unit;
    }
    this.#i = i;
    this.#e = e;
    this.#w = w;
    this.#byte = byte;
    this.#unit = unit;
    return i < bits.length;
  }
}
