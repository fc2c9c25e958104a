/**
 * The lines of a text and how many tokens each has. A token counts on the line where it starts, a line break on the
 * line that it ends; so the counts of all lines add up to the tokens of the text. Added special tokens have no place in
 * the text and are not counted.
 */
import { firstWhere } from '../../util/lower_bound.js';

/** @typedef {import('../../../vendor/codemirror.js').Text} Text */

/**
 * @param {import('../../text/token_spans.js').TokenSpans} tokens of the whole text
 * @param {number} pos UTF-16
 * @returns {number} placed tokens that start before the position
 */
export const startingBefore = (tokens, pos) =>
  firstWhere(tokens.placedCount, k => tokens.start16.at(tokens.placed(k)) >= pos);

/**
 * Counts the tokens that start in a line.
 * @param {import('../../text/token_spans.js').TokenSpans} tokens
 * @param {{from: number, to: number}} line without its line break, UTF-16
 */
export const countInLine = (tokens, { from, to }) => startingBefore(tokens, to + 1) - startingBefore(tokens, from);

/** Numbers, from 1, of the lines that hold more than white space. @param {Text} doc @returns {number[]} */
export function linesWithText(doc) {
  const numbers = [];
  let number = 0;
  for (const line of doc.iterLines()) {
    number++;
    if (/\S/.test(line)) numbers.push(number);
  }
  return numbers;
}

/** As `linesWithText(...).length`, for a text that is not a document. @param {string} text */
export const countLinesWithText = text => text.split('\n').filter(line => /\S/.test(line)).length;
