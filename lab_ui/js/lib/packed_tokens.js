/**
 * Tokens as they travel with a document: a length for most, more where their flags say so. Made into the arrays that
 * `TokenSpans` keeps. What the bits mean stands in docs/reference/http-api.md; the engine packs (engine_rs/src/editing/packed.rs).
 */
import { ADDED } from './token_spans.js';

const UNITS = 32, GAP = 64, WIDE = 128, FACTS = 31;

/**
 * @param {Object<string, Uint32Array|Uint8Array>} arrays those of a frame @param {string} prefix as in `0/`, of their names
 * @returns {Object<string, Uint32Array|Uint8Array>} `ids`, `start_utf8`, `end_utf8`, `start_utf16`, `end_utf16`, `flags`; those of the frame are left as they are
 */
export function unpack(arrays, prefix) {
  const [ids, bits, lengths, extra, wide] = ['ids', 'flags', 'lengths', 'extra', 'wide'].map(name => arrays[prefix + name]);
  const count = ids.length, flags = new Uint8Array(count);
  const [start8, end8, start16, end16] = Array.from({ length: 4 }, () => new Uint32Array(count));
  let byte = 0, unit = 0, e = 0, w = 0;
  for (let i = 0; i < count; i++) {
    const bit = bits[i];
    flags[i] = bit & FACTS;
    if (bit & ADDED) continue; // stands for no part of the text
    if (bit & WIDE) {
      start8[i] = wide[w]; byte = end8[i] = wide[w + 1]; start16[i] = wide[w + 2]; unit = end16[i] = wide[w + 3];
      w += 4;
      continue;
    }
    if (bit & GAP) { byte += extra[e] - 128; unit += extra[e + 1] - 128; e += 2; }
    start8[i] = byte; start16[i] = unit;
    byte += lengths[i];
    unit += bit & UNITS ? extra[e++] : lengths[i];
    end8[i] = byte; end16[i] = unit;
  }
  return { ids, flags, start_utf8: start8, end_utf8: end8, start_utf16: start16, end_utf16: end16 };
}
