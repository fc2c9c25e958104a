/** Says whether a value is the one that it got before, so that what depends on it is made once. */

export class Seen {
  #has = false;
  /** @type {any} */
  #last;

  /** @param {any} value plain data, which is not changed later @returns {boolean} whether the last one was the same */
  again(value) {
    const isAgain = this.#has && isSame(value, this.#last);
    this.#has = true;
    this.#last = value;
    return isAgain;
  }

  /** The next value is new, whatever it is. */
  forget() {
    this.#has = false;
  }
}

/**
 * Whether two values hold the same: `isSame({ a: [1] }, { a: [1] })`.
 * @param {any} a plain data: numbers, texts, lists, objects @param {any} b
 * @returns {boolean}
 */
export function isSame(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
