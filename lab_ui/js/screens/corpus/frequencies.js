/** The order of tokens in a list. */

/** @typedef {import('../../api/schema.d.ts').FrequencyRow} FrequencyRow */

/**
 * Divides the most frequent tokens: those that people can read, and those that are parts of characters. The unknown
 * token comes first, since it hides what it stands for.
 * @param {FrequencyRow[]} rows the most frequent first
 * @returns {{whole: FrequencyRow[], parts: FrequencyRow[]}}
 */
export function readableFirst(rows) {
  const isWhole = (/** @type {FrequencyRow} */ { text, unknown }) => unknown || text !== null;
  const whole = rows.filter(isWhole);
  return {
    whole: [...whole.filter(row => row.unknown), ...whole.filter(row => !row.unknown)],
    parts: rows.filter(row => !isWhole(row)),
  };
}
