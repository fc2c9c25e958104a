/**
 * Makes every character visible. Whitespace, control characters and direction marks get a glyph or a name, so that no
 * token is an empty box and none can reorder the text around it.
 */
import { codePointOf } from '../util/unicode.js';

const CONTROLS = [
  ...'NUL SOH STX ETX EOT ENQ ACK BEL BS → ↵ VT FF CR SO SI'.split(' '),
  ...'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US ·'.split(' '),
];
/** @type {Map<number, string>} */
const NAMES = new Map([
  ...CONTROLS.map((name, code) => /** @type {[number, string]} */ ([code, name])),
  [0x7f, 'DEL'],
  [0xa0, '⍽'],
  [0xad, 'SHY'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LSEP'],
  [0x2029, 'PSEP'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0x3000, '□'],
  [0xfeff, 'BOM'],
  [0xfffc, 'OBJ'],
]);

/** Characters that an editor would not show, or that would reorder their neighbours, except whitespace. */
export const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffc\ud800-\udfff]/gu;

/** Characters that need a glyph in a list of tokens: hidden ones and whitespace. */
const UNSEEN =
  /[\s\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ud800-\udfff]/u;

/** @param {number} code code point @returns {string} "NUL", "·", "U+E000" */
export const nameOf = code => NAMES.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Splits a text into parts that are shown as they are and parts that are shown by name.
 * @param {string} text
 * @returns {{text: string, named: boolean}[]}
 */
export function visibleParts(text) {
  // A joiner inside a longer text joins its neighbours (emoji families, Indic conjuncts) and must stay between them.
  /** @type {{text: string, named: boolean}[]} */
  const parts = [];
  const isJoined = text.length > 1;
  for (const character of text) {
    const named = UNSEEN.test(character) && !(isJoined && (character === '\u200d' || character === '\u200c'));
    const last = parts.at(-1);
    if (named) parts.push({ text: nameOf(codePointOf(character)), named });
    else if (last && !last.named) last.text += character;
    else parts.push({ text: character, named });
  }
  return parts;
}

/** Returns what a screen reader says: "space hello", "line break". @param {string} text */
export function spokenText(text) {
  /** @param {string} run */
  const name = run =>
    run === '\n' ? ' line break ' : run === '\t' ? ' tab ' : run.length > 1 ? ` ${run.length} spaces ` : ' space ';
  return text
    .replace(/\n|\t| +/g, name)
    .replace(/ {2,}/g, ' ')
    .trim();
}
