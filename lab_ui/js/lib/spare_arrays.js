/**
 * Typed arrays that parts are put into at every key. They have room to spare, so that most of the time nothing is copied but
 * what stands behind the part.
 */

const SPARE = 4096; // entries: what an array may grow by before it is copied

/**
 * @template {Uint32Array|Uint8Array} T
 * @param {T} array @param {number} first @param {number} removed entries that go @param {T} insert what comes in their place
 * @param {boolean} own whether the array was made here: its own memory is written to then, where there is room
 * @returns {T}
 */
export function spliced(array, first, removed, insert, own) {
  const length = array.length - removed + insert.length, Type = /** @type {any} */ (array.constructor), behind = first + removed;
  if (own && length * array.BYTES_PER_ELEMENT <= array.buffer.byteLength) {
    const all = new Type(array.buffer);
    if (insert.length !== removed) all.copyWithin(first + insert.length, behind, array.length);
    all.set(insert, first);
    return all.subarray(0, length);
  }
  const all = new Type(length + SPARE);
  all.set(array.subarray(0, first));
  all.set(insert, first);
  all.set(array.subarray(behind), first + insert.length);
  return all.subarray(0, length);
}

/** Adds to the entries [from, to). @param {Uint32Array} array @param {number} by may be negative */
export function shift(array, from, to, by) { for (let n = from; n < to; n++) array[n] += by; }
