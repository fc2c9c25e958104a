/**
 * Where the ids under a row of tokens go. An id stands centred under its token in the first of two rows; where that is
 * taken it stands in the second, with a line that leads to it; where both are taken the token has dots, so that no id
 * is missing without a sign. Pixels along the row; `fragment_rows` and `label_rows` draw them.
 */
import { firstWhere } from '../util/lower_bound.js';

const GAP = 5; // px between two ids
const LEAD_GAP = 2; // px on both sides of a line that leads to the second row
const ROWS = 2;

const DOT_STEP = 3.2;
const DOTS = 3;

/** Both rows of ids, counted from the lower edge of a block. Pixels at the usual text size. */
export const ID_FIRST = 4;
export const ID_STEP = 13;
export const ID_ROOM = 31;
const ID_CHARACTER = 6.3; // width of a digit
const DOTS_Y = 2.5;

/** What is taken of a row: stretches that do not overlap, in order. */
class Taken {
  /** @type {number[]} */
  #starts = [];
  /** @type {number[]} */
  #ends = [];

  /** @param {number} from @param {number} to */
  isFree(from, to) {
    const n = this.#after(from);
    return n === this.#starts.length || this.#starts[n] >= to;
  }

  /** @param {number} from @param {number} to a stretch that is free */
  take(from, to) {
    const n = this.#after(from);
    this.#starts.splice(n, 0, from);
    this.#ends.splice(n, 0, to);
  }

  /**
   * The first stretch that ends after a place; mostly there is none, as tokens come one after the other.
   * @param {number} from
   */
  #after(from) {
    const { length } = this.#ends;
    if (!length || this.#ends[length - 1] <= from) return length;
    return firstWhere(length, n => this.#ends[n] > from);
  }
}

/**
 * Places the ids of one row of tokens.
 * @param {{middle: number, label: string}[]} ids in the order of the text, which may run in both directions
 * @param {number} [scale] how much larger than usual they are
 * @returns {(0|1|null)[]} the row of each; null: it has no room
 */
export function placeIds(ids, scale = 1) {
  const rows = Array.from({ length: ROWS }, () => new Taken());
  return ids.map(({ middle, label }) => {
    const half = (label.length * ID_CHARACTER * scale + GAP) / 2;
    const [first, second] = rows;
    if (first.isFree(middle - half, middle + half)) {
      first.take(middle - half, middle + half);
      return 0;
    }
    if (second.isFree(middle - half, middle + half) && first.isFree(middle - LEAD_GAP, middle + LEAD_GAP)) {
      second.take(middle - half, middle + half);
      first.take(middle - LEAD_GAP, middle + LEAD_GAP);
      return 1;
    }
    return null;
  });
}

/**
 * Returns the line from a block to an id in the second row, as a path to be filled.
 * @param {number} middle @param {number} height of a block @param {number} scale
 */
export const leadShape = (middle, height, scale) =>
  `M${Math.round(middle) - 1} ${height + 1}h1v${Math.round((ID_FIRST + ID_STEP) * scale) - 2}h-1z`;

/**
 * Returns the dots of a token whose id has no room, fewer under a narrow one, as points of a path to be stroked.
 * @param {number} middle @param {number} width of the token @param {number} height of a block @param {number} scale
 */
export function dotsShape(middle, width, height, scale) {
  const step = DOT_STEP * scale;
  const n = Math.max(1, Math.min(DOTS, Math.floor(width / step)));
  const first = middle - ((n - 1) * step) / 2;
  return Array.from({ length: n }, (_, at) => `M${(first + at * step).toFixed(1)} ${height + DOTS_Y * scale}h0`).join(
    '',
  );
}
