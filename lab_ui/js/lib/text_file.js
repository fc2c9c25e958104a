/** Bytes of a file to text, without losing or inventing anything: what is not text is refused with the place. */
import { firstWhere } from './first_where.js';

/** @extends Error with `hint`, like every error the screens show */
export class NotTextError extends Error {
  constructor(message, hint) { super(message); this.name = 'NotTextError'; this.hint = hint; }
}

/**
 * @param {ArrayBuffer} buffer @param {string} name for the error
 * @returns {{text: string, encoding: string}} a byte order mark of UTF-8 stays part of the text, because tokenizers see it
 * @throws {NotTextError}
 */
export function decodeText(buffer, name) {
  const bytes = new Uint8Array(buffer), marked = bytes.length >= 2 && (bytes[0] << 8 | bytes[1]);
  if (marked === 0xfffe || marked === 0xfeff) {
    const encoding = marked === 0xfffe ? 'utf-16le' : 'utf-16be';
    return { text: decode(bytes, encoding, name), encoding: encoding.toUpperCase() };
  }
  return { text: decode(bytes, 'utf-8', name), encoding: 'UTF-8' };
}

function decode(bytes, encoding, name) {
  const decoder = () => new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' });
  try {
    return decoder().decode(bytes);
  } catch {
    const at = firstBadByte(bytes, decoder);
    throw new NotTextError(`${name} is not ${encoding.toUpperCase()} text: byte ${at} is 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`, 'Save it as UTF-8, or open a text file. The text in the editor is unchanged.');
  }
}

/** The longest prefix that decodes (as a stream: it may end inside a character), found by halving. */
function firstBadByte(bytes, decoder) {
  const fails = length => { try { decoder().decode(bytes.subarray(0, length), { stream: true }); return false; } catch { return true; } };
  return Math.min(firstWhere(bytes.length + 1, fails) - 1, bytes.length - 1);
}
