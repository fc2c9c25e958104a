/** Code points of strings. */

/**
 * Returns the first code point of a string.
 * @param {string} text not empty
 * @throws {RangeError} if it is empty
 */
export function codePointOf(text) {
  const code = text.codePointAt(0);
  if (code === undefined) throw new RangeError('an empty string has no code point; pass at least one character');
  return code;
}
