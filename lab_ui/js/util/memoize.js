/**
 * Remembers what a function returned for each argument. It grows with the number of arguments: for functions that are
 * dropped soon.
 * @template K, V
 * @param {(key: K) => V} compute
 * @returns {(key: K) => V}
 */
export function memoize(compute) {
  /** @type {Map<K, V>} */
  const known = new Map();
  return key => {
    if (!known.has(key)) known.set(key, compute(key));
    return /** @type {V} */ (known.get(key));
  };
}
