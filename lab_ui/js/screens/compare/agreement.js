/**
 * Counts how many tokenizers have a boundary: all, most (more than half), some, one. A boundary is a place where a
 * token starts or ends. With `ignoreSpaces`, one next to or inside white space counts at its start, as in the backend.
 */
import { utf8Length, utf8UnitLength } from '../../util/utf8.js';
import { Yielder } from '../../util/yielder.js';
import { SPACE } from './spaces.js';
import { STARTS_INSIDE } from '../../text/token_spans.js';

/**
 * @typedef {import('../../text/token_spans.js').TokenSpans} TokenSpans
 * @typedef {import('../../text/text_slice.js').Sliced} Sliced
 */

/** From the most agreement to the least. */
export const CLASSES = ['all', 'most', 'some', 'one'];

const REACH = 32; // UTF-16 units that are looked at in one go
const PIECE = 1 << 14; // tokens, UTF-16 units or bytes that are looked at before it may yield

/** @param {number} n tokenizers with this boundary @param {number} of how many @returns {string} one of CLASSES */
export function classOf(n, of) {
  if (n >= of) return 'all';
  if (n === 1) return 'one';
  return 2 * n > of ? 'most' : 'some';
}

/** Which classes there can be. @param {number} of how many tokenizers */
export const classesFor = of =>
  CLASSES.filter(name => Array.from({ length: of }, (_, n) => classOf(n + 1, of)).includes(name));

/**
 * The class of the boundary at which a token starts, found by searching: for the few tokens that are drawn.
 * @param {TokenSpans[]} lanes all tokenizers'
 * @param {number} lane
 * @param {number} token
 * @param {Sliced} text @param {boolean} ignoreSpaces
 * @returns {string} one of CLASSES
 */
export function classAt(lanes, lane, token, text, ignoreSpaces) {
  const place = placeOf(lanes[lane], token, text, ignoreSpaces);
  if (!place) return 'all';
  return classOf(lanes.filter(tokens => boundariesWithin(tokens, place.from, place.to)).length, lanes.length);
}

/**
 * The bytes at which a boundary would be the same one as that at the token's start; null for an edge of the text.
 * @param {TokenSpans} tokens @param {number} token @param {Sliced} text @param {boolean} ignoreSpaces
 */
function placeOf(tokens, token, text, ignoreSpaces) {
  const byte = tokens.start8.at(token);
  const unit = tokens.start16.at(token);
  if (!ignoreSpaces || (tokens.has(token, STARTS_INSIDE) && !SPACE.test(text.slice(unit, unit + 1))))
    return byte ? { from: byte, to: byte } : null;
  const anchor = tokens.anchor(token);
  const start = anchor.utf8 + utf8Length(text.slice(anchor.utf16, unit)); // of the character
  const before = runBefore(text, unit);
  const after = runAfter(text, unit);
  if (start - before.bytes <= 0 || (after.units + before.units > 0 && unit + after.units >= text.length)) return null;
  return { from: start - before.bytes, to: start + after.bytes };
}

/** @param {TokenSpans} tokens @param {number} from @param {number} to both bytes */
function boundariesWithin(tokens, from, to) {
  const k = tokens.firstStartingAt(from);
  const end = k ? tokens.end8.at(tokens.placed(k - 1)) : -1;
  return (end >= from && end <= to) || (k < tokens.placedCount && tokens.start8.at(tokens.placed(k)) <= to);
}

/** White space that ends at a place. All of it is in the basic plane. @param {Sliced} text @param {number} unit */
function runBefore(text, unit) {
  let units = 0;
  let bytes = 0;
  for (let end = unit; end > 0; end -= REACH) {
    const part = text.slice(Math.max(0, end - REACH), end);
    for (let at = part.length - 1; at >= 0; at--) {
      if (!SPACE.test(part[at])) return { units, bytes };
      units++;
      bytes += utf8Length(part[at]);
    }
  }
  return { units, bytes };
}

/** @param {Sliced} text @param {number} unit */
function runAfter(text, unit) {
  let units = 0;
  let bytes = 0;
  for (let start = unit; start < text.length; start += REACH) {
    for (const character of text.slice(start, Math.min(text.length, start + REACH))) {
      if (!SPACE.test(character)) return { units, bytes };
      units++;
      bytes += utf8Length(character);
    }
  }
  return { units, bytes };
}

/**
 * How many boundaries of each class a text has, its two ends left out. Reads the text and every token once, in pieces.
 * @param {TokenSpans[]} lanes @param {string} text @param {boolean} ignoreSpaces
 * @param {{maybeYield: () => Promise<void>}} [yielder] called between two pieces
 * @returns {Promise<Object<string, number>|null>} by class; null: the tokens are others now
 */
export async function countClasses(lanes, text, ignoreSpaces, yielder = new Yielder()) {
  const { spaces, length } = await measured(text, yielder);
  const edits = lanes.map(tokens => tokens.edits);
  const counts = new Uint8Array(length + 1);
  const areOthers = () => lanes.some((tokens, n) => tokens.edits !== edits[n]);
  if (!ignoreSpaces) spaces.length = 0;
  for (const tokens of lanes) {
    let run = 0;
    let last = -1;
    /** @param {number} byte */
    const mark = byte => {
      while (run < spaces.length && spaces[run + 1] < byte) run += 2;
      const place = run < spaces.length && spaces[run] < byte ? spaces[run] : byte;
      if (place === last) return;
      last = place;
      counts[place]++;
    };
    mark(0);
    for (let k = 0; k < tokens.placedCount; k++) {
      if (k % PIECE === 0) {
        await yielder.maybeYield();
        if (areOthers()) return null;
      }
      const i = tokens.placed(k);
      if (tokens.start8.at(i) > last) mark(tokens.start8.at(i));
      if (tokens.end8.at(i) > last) mark(tokens.end8.at(i));
    }
    if (length > last) mark(length);
  }
  const found = Object.fromEntries(CLASSES.map(name => [name, 0]));
  for (let place = 1; place < length; place++) {
    if (place % PIECE === 0) await yielder.maybeYield();
    if (counts[place]) found[classOf(counts[place], lanes.length)]++;
  }
  return found;
}

/**
 * @param {string} text @param {{maybeYield: () => Promise<void>}} yielder
 * @returns {Promise<{spaces: number[], length: number}>} starts and ends of the runs of white space by turns, and the
 *   length of the text, in bytes
 */
async function measured(text, yielder) {
  const spaces = [];
  let byte = 0;
  let inside = false;
  for (let from = 0; from < text.length; from += PIECE) {
    for (let at = from; at < Math.min(text.length, from + PIECE); at++) {
      const code = text.charCodeAt(at);
      const space = (code <= 32 || code > 0x7f) && SPACE.test(text[at]);
      if (space !== inside) spaces.push(byte);
      inside = space;
      byte += utf8UnitLength(code);
    }
    await yielder.maybeYield();
  }
  if (inside) spaces.push(byte);
  return { spaces, length: byte };
}
