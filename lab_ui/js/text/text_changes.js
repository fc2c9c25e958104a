/**
 * What a short text lost and gained on its way to another: a longest common subsequence of their characters.
 *
 * The libraries for this (jsdiff, `@codemirror/merge`) take time in proportion to the number of changes, and a
 * normalizer may change every letter: 2000 capitals made small take them 1.0 to 1.8 s or end as one change, and this
 * table 75 ms.
 */

const MOST = 3000; // characters that are compared one by one; the table has the square of it

/** @typedef {{kind: 'same'|'gone'|'new', text: string}} TextPart */

/**
 * @param {string} before @param {string} after
 * @returns {TextPart[]} in order; runs of a kind are one
 */
export function textChanges(before, after) {
  const a = [...before];
  const b = [...after];
  let start = 0;
  let end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  /** @type {TextPart[]} */
  const parts = [];
  /** @param {TextPart['kind']} kind @param {string} text */
  const add = (kind, text) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) parts.push({ kind, text });
  };
  add('same', a.slice(0, start).join(''));
  middle(a.slice(start, a.length - end), b.slice(start, b.length - end), add);
  add('same', a.slice(a.length - end).join(''));
  return parts;
}

/** @param {string[]} a @param {string[]} b @param {(kind: TextPart['kind'], text: string) => void} add */
function middle(a, b, add) {
  if (a.length > MOST || b.length > MOST) {
    add('gone', a.join(''));
    add('new', b.join(''));
    return;
  }
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let k = b.length - 1; k >= 0; k--)
      longest[i * width + k] =
        a[i] === b[k]
          ? longest[(i + 1) * width + k + 1] + 1
          : Math.max(longest[(i + 1) * width + k], longest[i * width + k + 1]);
  }
  let i = 0;
  let k = 0;
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) {
      add('same', a[i]);
      i++;
      k++;
    } else if (k >= b.length || (i < a.length && longest[(i + 1) * width + k] >= longest[i * width + k + 1]))
      add('gone', a[i++]);
    else add('new', b[k++]);
  }
}
