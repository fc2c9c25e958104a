/** Names of tokenizers for a narrow bar. Knows nothing of the page. */

/** With as many tokenizers or more, their names are shortened to the part that tells them apart. */
export const MANY = 5;
const LONGEST = 20; // characters: a long name leaves room for the others

/**
 * Leaves out what is in brackets, and the middle of very long names; of many names also what follows a comma, unless
 * two would become the same.
 * @param {string[]} names @param {boolean} [isNarrow] few names are shortened as well @returns {string[]}
 */
export function shortNames(names, isNarrow = false) {
  const plain = names.map(name => name.replace(/ \(.*\)$/, ''));
  const parts = names.length < MANY && !isNarrow ? plain : unlessSame(plain, name => name.replace(/,.*/, ''));
  const cut = unlessSame(parts, name => elided(name, LONGEST - 1, 0));
  return unlessSame(parts, name => elided(name, LONGEST / 2, LONGEST / 2 - 1)).map((name, n) =>
    cut[n] === parts[n] ? name : cut[n],
  );
}

/**
 * Shortens names, except those that would become the same. @param {string[]} names
 * @param {(name: string) => string} shorten
 */
function unlessSame(names, shorten) {
  const short = names.map(shorten);
  return short.map((name, n) => (short.filter(other => other === name).length > 1 ? names[n] : name));
}

/** A name without its middle if it is too long. @param {string} name @param {number} first @param {number} last */
function elided(name, first, last) {
  const characters = [...name];
  if (characters.length <= LONGEST) return name;
  return `${characters.slice(0, first).join('')}…${last ? characters.slice(-last).join('') : ''}`;
}
