/** Binary search. */

/**
 * @param {number} length of the list
 * @param {(n: number) => boolean} holds if it is true for one, it is true for all after it
 * @returns {number} the first number for which it is true, or `length`
 */
export function firstWhere(length, holds) {
  let low = 0;
  let high = length; // invariant: false for all before `low`, true for all from `high` on
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
