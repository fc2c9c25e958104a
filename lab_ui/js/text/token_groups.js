/** Groups the tokens of a short answer for drawing: a grapheme cluster is never drawn in parts. */
import { Clusters } from './clusters.js';

/**
 * @param {{span_utf16: [number, number]|null}[]} tokens in the order of the text @param {string} text
 * @returns {{first: number, end: number, from: number, to: number}[]} tokens [first, end) and their text [from, to) in
 *   UTF-16, which covers whole clusters; it is empty for a token without text or without a known position
 */
export function groupsOf(tokens, text) {
  const clusters = new Clusters(text);
  /** @type {{first: number, end: number, from: number, to: number}[]} */
  const groups = [];
  tokens.forEach(({ span_utf16: span }, n) => {
    const [start, end] = span ?? [0, 0];
    const last = groups.at(-1);
    if (end <= start) {
      groups.push({ first: n, end: n + 1, from: start, to: start });
      return;
    }
    const from = clusters.floor(start);
    const to = clusters.ceil(end);
    if (last && from < last.to) Object.assign(last, { end: n + 1, to: Math.max(last.to, to) });
    else groups.push({ first: n, end: n + 1, from, to });
  });
  return groups;
}
