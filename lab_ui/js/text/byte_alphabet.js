/** GPT-2's byte alphabet, in which vocabularies of byte-level BPE are written: a printable character for each byte. */

const BYTES = new Map(alphabet());
const MARKS = /[ĠĊ]/;
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Each byte with its character: those that can be printed stand for themselves, the others follow U+0100. */
function* alphabet() {
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const isPrinted = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    yield/** @type {const} */ ([String.fromCharCode(isPrinted ? byte : next++), byte]);
  }
}

/**
 * The text that a text in the byte alphabet stands for; null if it is no such text. With a mark of white space, as
 * in "Ġa Ġb", white space stands between tokens; without one, as in "cafÃ© crème", it is white space.
 * @param {string} text @returns {string|null} " café" for "ĠcafÃ©"
 */
export function textOfByteAlphabet(text) {
  const hasMarks = MARKS.test(text);
  if (!hasMarks && !/[\x80-\xff]/.test(text)) return null; // "čau", "są": letters of languages alone
  const bytes = [];
  for (const character of text) {
    const byte = BYTES.get(character);
    if (byte !== undefined) bytes.push(byte);
    else if (!/\s/.test(character) || character > '\x7f') return null;
    else if (!hasMarks) bytes.push(character.charCodeAt(0));
  }
  try {
    const meant = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
    return CONTROLS.test(meant) ? null : meant;
  } catch {
    return null; // "café": a text of Latin letters is seldom UTF-8 as bytes
  }
}
