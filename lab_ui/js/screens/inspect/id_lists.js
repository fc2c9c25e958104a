/** Lists of ids as people paste and copy them. */

/** Ways to copy ids. */
export const ID_FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'python', label: 'Python' },
  { value: 'spaced', label: 'Spaced' },
];

const LARGEST = 2 ** 32 - 1;

/** @param {ArrayLike<number>} ids @param {string} format one of ID_FORMATS */
export function idsAs(ids, format) {
  const all = Array.from(ids);
  if (format === 'json') return JSON.stringify(all);
  return format === 'python' ? `ids = [${all.join(', ')}]` : all.join(' ');
}

/**
 * Whole numbers with white space, commas, semicolons or brackets between them; what `idsAs` writes is read back.
 * @param {string} text
 * @returns {{ids: number[], wrong: {word: string, at: number}|null}} `wrong`: the first word that is no id, and its
 *   1-based place
 */
export function readIds(text) {
  const words = text.replace(/^\s*[A-Za-z_]\w*\s*=/, '').match(/[^\s,;[\](){}]+/g) ?? [];
  const at = words.findIndex(word => !/^\d{1,10}$/.test(word) || Number(word) > LARGEST);
  return { ids: words.map(Number), wrong: at < 0 ? null : { word: words[at], at: at + 1 } };
}
