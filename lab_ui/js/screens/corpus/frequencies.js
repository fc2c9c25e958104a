/** The order of tokens in a list. */

/**
 * Puts the unknown token first: it hides what it stands for.
 * @param {import('../../api/analyses.js').FrequencyRow[]} rows the most frequent first
 */
export const unknownFirst = rows => [...rows.filter(row => row.unknown), ...rows.filter(row => !row.unknown)];
