/**
 * How a vocabulary spells a token, written so that all of it is seen: spaces as "·", line breaks as "↵", control
 * characters by name. A token that holds parts of characters is spelled by its whole characters alone.
 */
import { bytesOfHex, hexByte } from '../util/format.js';
import { visibleParts } from './visible_text.js';

/** @typedef {import('../api/schema.d.ts').TokenHead} TokenHead */

const REPLACED = /\ufffd/gu;
const decoder = new TextDecoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** @type {WeakMap<Pick<TokenHead, 'text'|'bytes'>, string>} */
const known = new WeakMap();

/**
 * @param {Pick<TokenHead, 'text'|'bytes'>} entry of the vocabulary
 * @returns {string} "##ization", "·unaff"; "" if the token holds no whole character
 */
export function spellingOf(entry) {
  let spelling = known.get(entry);
  if (spelling === undefined) {
    spelling = visibleParts(entry.text ?? wholeCharacters(entry.bytes))
      .map(({ text }) => text)
      .join('');
    known.set(entry, spelling);
  }
  return spelling;
}

/**
 * The same, with the bytes that are parts of characters: "の E5".
 * @param {Pick<TokenHead, 'text'|'bytes'>} entry
 */
export function fullSpellingOf(entry) {
  if (entry.text !== null) return spellingOf(entry);
  /** @type {{text: string, isHex: boolean}[]} */
  const parts = [];
  const bytes = bytesOfHex(entry.bytes);
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    const isHex = length === 0;
    const text = isHex ? hexByte(bytes[at]) : decoder.decode(bytes.subarray(at, at + length));
    const last = parts.at(-1);
    if (last && last.isHex === isHex) last.text += isHex ? ` ${text}` : text;
    else parts.push({ text, isHex });
    at += length || 1;
  }
  return parts.map(({ text, isHex }) => (isHex ? text : spellingOf({ text, bytes: '' }))).join(' ');
}

/**
 * Length of the character that starts at a place of some bytes; 0 if none does.
 * @param {Uint8Array} bytes @param {number} at
 */
function characterLength(bytes, at) {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      if ([...strict.decode(bytes.subarray(at, at + length))].length === 1) return length;
    } catch {
      // not a character of this length
    }
  }
  return 0;
}

/** The whole characters among bytes that begin or end inside of one. @param {string} hex */
const wholeCharacters = hex => decoder.decode(bytesOfHex(hex)).replace(REPLACED, '');
