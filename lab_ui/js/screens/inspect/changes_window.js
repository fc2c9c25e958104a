/**
 * Which part of a text is sent to learn what a tokenizer makes of the part in the window, and which of the answer
 * counts: what is near an edge of the part, and not of the text, may be another without the text beyond it. UTF-16
 * throughout.
 */

const AROUND = 2000;
const CONTEXT = 500;
const MOST = 20_000;

/**
 * @typedef {import('../../text/text_slice.js').Sliced} Sliced
 * @typedef {import('../../api/schema.d.ts').TextChange} TextChange
 * @typedef {{start: number, end: number, from: number, to: number, own: (changes: TextChange[]) => {from: number, to:
 *   number, text: string}[]}} Window `start` to `end` is sent, `from` to `to` is what can be told from the answer
 */

/**
 * @param {{from: number, to: number}} shown roughly what is in the window
 * @param {Sliced} text
 * @returns {Window}
 */
export function windowOf(shown, text) {
  const first = Math.max(0, Math.floor(shown.from) - AROUND);
  const last = Math.min(text.length, Math.ceil(shown.to) + AROUND, first + MOST);
  const start = whole(text, Math.max(0, first - CONTEXT));
  const end = whole(text, Math.min(text.length, last + CONTEXT));
  const from = start ? first : 0;
  const to = end < text.length ? last : text.length;
  /** @param {TextChange[]} changes */
  const own = changes =>
    changes
      .map(({ span_utf16: [a, b], text: put }) => ({ from: a + start, to: b + start, text: put }))
      .filter(change => change.from >= from && change.to <= to);
  return { start, end, from, to, own };
}

/** Not between the halves of a character. @param {Sliced} text @param {number} at */
function whole(text, at) {
  const unit = text.slice(at, at + 1);
  return unit >= '\udc00' && unit <= '\udfff' ? at - 1 : at;
}
