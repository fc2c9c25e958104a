/** Names of tokenizers for a narrow bar. Knows nothing of the page. */

/** With as many tokenizers or more, their names are shortened to the part that tells them apart. */
export const MANY = 5;

/**
 * Leaves out what is in brackets; of many names also what follows a comma, unless two would be the same.
 * @param {string[]} names @param {boolean} [isNarrow] few names are shortened as well @returns {string[]}
 */
export function shortNames(names, isNarrow = false) {
  const plain = names.map(name => name.replace(/ \(.*\)$/, ''));
  if (names.length < MANY && !isNarrow) return plain;
  const short = plain.map(name => name.replace(/,.*/, ''));
  return short.map((name, n) => (short.filter(other => other === name).length > 1 ? plain[n] : name));
}
