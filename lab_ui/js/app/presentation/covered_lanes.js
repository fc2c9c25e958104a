/**
 * The lanes of a presentation: those of Compare, with what would give the answer away left out. From a position on, the
 * hidden tokenizer has no tokens, and the others are grey with plain boundaries: colour would show where they differ.
 */
import { startingBefore } from './line_counts.js';

/**
 * @typedef {import('../../editor/painter.js').LaneSource} LaneSource
 * @typedef {import('../../text/token_spans.js').TokenSpans} TokenSpans
 */

/** The first tokens of a text, read like all of them: the others are not drawn, so they are nowhere in the page. */
export class FirstTokens {
  #tokens;

  /** @param {TokenSpans} tokens @param {number} count of placed tokens that are kept */
  constructor(tokens, count) {
    this.#tokens = tokens;
    this.placedCount = count;
    const { ids, start8, end8, start16, end16, flags, known } = tokens;
    Object.assign(this, { ids, start8, end8, start16, end16, flags, known });
  }

  get edits() {
    return this.#tokens.edits;
  }
  get length() {
    return this.#tokens.length;
  }
  /** @param {number} k */
  placed(k) {
    return this.#tokens.placed(k);
  }
  /** @param {number} i @param {number} of */
  turn(i, of) {
    return this.#tokens.turn(i, of);
  }
  /** @param {number} i @param {number} flag */
  has(i, flag) {
    return this.#tokens.has(i, flag);
  }
  /** @param {number} pos */
  firstEndingAfter(pos) {
    return Math.min(this.placedCount, this.#tokens.firstEndingAfter(pos));
  }
}

/**
 * @template {LaneSource} T
 * @param {T[]} lanes of all tokenizers
 * @param {string|null} hidden id of the tokenizer that is guessed
 * @param {number} from UTF-16 position where covering starts; Infinity: nothing is covered
 * @returns {T[]}
 */
export function coveredLanes(lanes, hidden, from) {
  if (from === Infinity) return lanes;
  return lanes.map(lane => {
    const { id, tokens, shade, boundary } = lane;
    const first = startingBefore(tokens, from);
    if (id === hidden) return { ...lane, tokens: /** @type {any} */ (new FirstTokens(tokens, first)) };
    /** @param {number} i */
    const isCovered = i => tokens.start16.at(i) >= from;
    return {
      ...lane,
      shade: i => (isCovered(i) ? `g${tokens.turn(i, 2)}` : shade(i)),
      ...(boundary && { boundary: i => (isCovered(i) ? 'boundary-all' : boundary(i)) }),
    };
  });
}
