/** Bytes of a file to text, without losing or inventing anything: what is not text is refused with the place. */
import { firstWhere } from '../../util/lower_bound.js';
import { size } from '../../util/format.js';

/** The first begins with the mark of UTF-16. */
const UTF32_MARKS = ['255 254 0 0', '0 0 254 255'];

/** @extends Error with `hint`, like every error the screens show */
export class NotTextError extends Error {
  /** @param {string} message @param {string} hint */
  constructor(message, hint) {
    super(message);
    this.name = 'NotTextError';
    this.hint = hint;
  }
}

/** @extends Error as above */
export class TooLargeError extends Error {
  /** @param {string} message @param {string} hint */
  constructor(message, hint) {
    super(message);
    this.name = 'TooLargeError';
    this.hint = hint;
  }
}

/**
 * Reads a file of text, if it is one that the backend takes: what is larger is refused before it is read.
 * @param {Blob & {name: string}} file @param {number} mostBytes of UTF-8
 * @returns {Promise<{text: string, encoding: string}>} @throws {NotTextError|TooLargeError}
 */
export async function readTextFile(file, mostBytes) {
  // A text in UTF-16 can have half as many bytes in UTF-8.
  const isWide = encodingOf(new Uint8Array(await file.slice(0, 2).arrayBuffer())) !== 'utf-8';
  if (file.size > mostBytes * (isWide ? 2 : 1))
    throw new TooLargeError(
      `${file.name} has ${size(file.size)}; the lab takes texts of up to ${size(mostBytes)}.`,
      'Split it into smaller files, set TOKENLAB_MAX_REQUEST_MB higher, or encode it on the command line. ' +
        'The text in the editor is unchanged.',
    );
  return decodeText(await file.arrayBuffer(), file.name);
}

/**
 * @param {ArrayBuffer} buffer @param {string} name for the error
 * @returns {{text: string, encoding: string}} a byte order mark of UTF-8 stays part of the text, because tokenizers see
 *   it
 * @throws {NotTextError}
 */
export function decodeText(buffer, name) {
  const bytes = new Uint8Array(buffer);
  if (UTF32_MARKS.includes(bytes.subarray(0, 4).join(' ')))
    throw new NotTextError(
      `${name} is in UTF-32, which the lab does not read`,
      'Save it as UTF-8. The text in the editor is unchanged.',
    );
  const encoding = encodingOf(bytes);
  return { text: decode(bytes, encoding, name), encoding: encoding.toUpperCase() };
}

/** What the byte order mark says; without one it is UTF-8. @param {Uint8Array<ArrayBuffer>} bytes */
function encodingOf(bytes) {
  const mark = bytes.length >= 2 && (bytes[0] << 8) | bytes[1];
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} encoding @param {string} name */
function decode(bytes, encoding, name) {
  const decoder = () => new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' });
  try {
    return decoder().decode(bytes);
  } catch {
    const at = firstBadByte(bytes, decoder);
    const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0');
    throw new NotTextError(
      `${name} is not ${encoding.toUpperCase()} text: byte ${at} is 0x${byte}`,
      'Save it as UTF-8, or open a text file. The text in the editor is unchanged.',
    );
  }
}

/**
 * The longest prefix that decodes (as a stream: it may end inside a character), found by halving.
 * @param {Uint8Array<ArrayBuffer>} bytes @param {() => TextDecoder} decoder
 */
function firstBadByte(bytes, decoder) {
  /** @param {number} length */
  const fails = length => {
    try {
      decoder().decode(bytes.subarray(0, length), { stream: true });
      return false;
    } catch {
      return true;
    }
  };
  return Math.min(firstWhere(bytes.length + 1, fails) - 1, bytes.length - 1);
}
