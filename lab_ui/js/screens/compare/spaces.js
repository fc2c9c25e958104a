/**
 * Which token keeps the space is a convention: by default a boundary next to or inside white space counts at its start.
 * Here the same rule decides which tokens are drawn as differing.
 */

/** White space as Unicode has it, which is what the backend goes by; `\s` has others. */
export const SPACE = /\p{White_Space}/u;

const TRAILING = /\p{White_Space}+$/u;

/**
 * The span of a token without the white space at its end. It is empty if the token is white space only.
 * @param {number} from UTF-16
 * @param {number} to equal to `from` for a token whose own span is empty, as RoBERTa's trimmed offsets have it
 * @param {(from: number, to: number) => string} slice of the text
 * @returns {{from: number, to: number}} UTF-16
 */
export function withoutTrailingSpace(from, to, slice) {
  if (to <= from || !SPACE.test(slice(to - 1, to))) return { from, to };
  return { from, to: from + slice(from, to).replace(TRAILING, '').length };
}
