/** Why figures of languages are missing, as numbered notes under their table. */

/** A reason without the figures of its row: "over 10 % unknown (11.1 %)" is a case of "over 10 % unknown". */
const kindOf = (/** @type {string} */ reason) => reason.replace(/ \([^()]*\)$/, '');

/**
 * The kinds of reasons in the order of the table.
 * @param {import('./language_columns.js').Row[]} rows
 * @returns {string[]}
 */
export const notesOf = rows => [
  ...new Set(
    rows.flatMap(({ cells }) =>
      Object.values(cells)
        .filter(({ value }) => value === null)
        .map(({ reason }) => kindOf(reason)),
    ),
  ),
];

/** The number of the note that says why a figure is missing. @param {string[]} notes @param {string} reason */
export const noteOf = (notes, reason) => notes.indexOf(kindOf(reason)) + 1;
