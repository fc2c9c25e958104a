/**
 * Sentences as parts, some of which point at the figure. A part with a `ref` lights what has the same in the figure.
 *
 * @typedef {string|{text: string, ref: string}} Part
 */

/**
 * A sentence with named values. @param {TemplateStringsArray} strings @param {...(Part|number|Part[])} values
 * @returns {Part[]}
 */
export function say(strings, ...values) {
  /** @type {Part[]} */
  const parts = [];
  strings.forEach((string, n) => {
    parts.push(string);
    if (n < values.length)
      parts.push(...[values[n]].flat().map(value => (typeof value === 'number' ? `${value}` : value)));
  });
  return parts.filter(part => part !== '');
}

/** A part that points at the figure. @param {string} text @param {string} ref @returns {Part} */
export const pointing = (text, ref) => ({ text, ref });

/** @param {Part[]} parts @returns {string} as it is read aloud */
export const plain = parts => parts.map(part => (typeof part === 'string' ? part : part.text)).join('');
