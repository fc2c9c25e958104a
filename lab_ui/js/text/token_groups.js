/**
 * Tokens of a short answer in groups that can be drawn: what a reader takes for one character is never drawn in parts.
 */
import { Clusters } from './clusters.js';

/**
 * @param {{span_utf16: [number, number]|null}[]} tokens in the order of the text @param {string} text
 * @returns {{first: number, end: number, from: number, to: number}[]} tokens [first, end) and their text [from, to) in
 *   UTF-16, which covers whole characters; it is empty for a token that stands for no text or whose place is not known
 */
export function groupsOf(tokens, text) {
  const clusters = new Clusters(text);
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
