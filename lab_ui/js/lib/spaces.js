/**
 * Which token keeps the space is a convention: by default a cut beside or inside white space counts at the start of it.
 * Here the same rule decides which tokens are drawn as differing.
 */

const SPACE = /\s/u;

/**
 * What counts of a token: without the white space at its end, and nothing of one that is all white space.
 * @param {(from: number, to: number) => string} slice of the text
 * @returns {{from: number, to: number}} UTF-16
 */
export function withoutTrailingSpace(from, to, slice) {
  const last = slice(to - 1, to);
  if (!last || !SPACE.test(last)) return { from, to };
  const text = slice(from, to);
  return { from, to: from + text.trimEnd().length };
}
