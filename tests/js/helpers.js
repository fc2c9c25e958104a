/** Builds the tokens of small texts by hand, with the spans an engine would give. */
import { ADDED, ENDS_INSIDE, SPECIAL, STARTS_INSIDE, TokenSpans } from '../../lab_ui/js/text/token_spans.js';

const encoder = new TextEncoder();

/**
 * @param {string} text
 * @param {number[]} byteEnds byte offsets at which tokens end, ascending
 * @param {{before?: number, after?: number}} added how many tokens without text stand around it
 */
export function tokensOf(text, byteEnds, { before = 0, after = 0 } = {}) {
  const utf16 = new Map();
  const starts = [];
  let byte = 0;
  let unit = 0;
  for (const character of text) {
    utf16.set(byte, unit);
    starts.push(byte);
    byte += encoder.encode(character).length;
    unit += character.length;
  }
  utf16.set(byte, unit);
  starts.push(byte);
  const floor = at => starts.findLast(start => start <= at);
  const ceil = at => starts.find(start => start >= at);
  const rows = byteEnds.map((end, n) => {
    const start = n ? byteEnds[n - 1] : 0;
    return [
      100 + n,
      start,
      end,
      utf16.get(floor(start)),
      utf16.get(ceil(end)),
      (utf16.has(start) ? 0 : STARTS_INSIDE) | (utf16.has(end) ? 0 : ENDS_INSIDE),
    ];
  });
  const plain = [7, 0, 0, 0, 0, SPECIAL | ADDED];
  const all = [...Array(before).fill(plain), ...rows, ...Array(after).fill(plain)];
  const column = (n, Type = Uint32Array) => Type.from(all, row => row[n]);
  return new TokenSpans({
    ids: column(0),
    start_utf8: column(1),
    end_utf8: column(2),
    start_utf16: column(3),
    end_utf16: column(4),
    flags: column(5, Uint8Array),
  });
}
