/** Counts UTF-8 bytes of strings, which are UTF-16, and tells the halves of surrogate pairs. */

/** @param {number} unit UTF-16, NaN past the end of a text @returns {boolean} the first half of a pair */
export const isHighSurrogate = unit => (unit & 0xfc00) === 0xd800;

/** @param {number} unit UTF-16, NaN past the end of a text @returns {boolean} the second half of a pair */
export const isLowSurrogate = unit => (unit & 0xfc00) === 0xdc00;

/** @param {string} text @returns {boolean} whether it has half of a character, which is no text and cannot be sent */
export const hasHalfCharacter = text => /\p{Surrogate}/u.test(text); // in Unicode mode only lone halves match

/**
 * The UTF-8 bytes of one UTF-16 unit. Each half of a surrogate pair counts two, so a split pair counts right.
 * @param {number} unit
 */
export const utf8UnitLength = unit => {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
};

/** The UTF-8 bytes of a text. @param {string} text */
export function utf8Length(text) {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) bytes += utf8UnitLength(text.charCodeAt(at));
  return bytes;
}
