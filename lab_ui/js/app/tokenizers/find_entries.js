/** Finds tokenizers of the catalog by the words that people type. */

/**
 * Returns the entries that contain every word of `text` in their name, id, family, origin or source, whatever its
 * capitals.
 * @param {import('../../api/schema.d.ts').CatalogEntry[]} entries
 * @param {string} text
 * @returns {import('../../api/schema.d.ts').CatalogEntry[]}
 */
export function findEntries(entries, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(entry => {
    const facts = [entry.name, entry.id, entry.family, entry.origin, entry.source]
      .filter(Boolean)
      .join('\n')
      .toLowerCase();
    return words.every(word => facts.includes(word));
  });
}
