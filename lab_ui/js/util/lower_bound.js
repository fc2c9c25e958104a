/** The search in what is in order. */

/**
 * @param {number} length how many there are
 * @param {(n: number) => boolean} holds what holds for one holds for all behind it
 * @returns {number} the first for which it holds; `length` where it holds for none
 */
export function firstWhere(length, holds) {
  let low = 0;
  let high = length; // it holds for none before `low` and for all from `high` on
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
