/** How tokens and texts are written in a lesson: every character visible. */
import { clustersOf } from '../text/clusters.js';
import { visibleParts } from '../text/visible_text.js';
import { ratio } from '../util/format.js';
import { utf8Length } from '../util/utf8.js';

/** @typedef {{token: string, text: string|null, bytes: string}} Named an id's names */

/** The space mark of SentencePiece. */
const SPACE_MARK = /▁/g;

/** Every character visible, as it is. @param {string} text */
export const visible = text =>
  visibleParts(text)
    .map(part => part.text)
    .join('');

/** A spelling of a vocabulary, with one mark for a space, however it writes that. @param {string} text */
export const shown = text => visible(text.replace(SPACE_MARK, ' '));

/**
 * What a model sees of a text; where the text itself has the space mark, nothing tells the two apart.
 * @param {{text: string}} facts @param {string} part
 */
export const pretokenName = (facts, part) => (facts.text.match(SPACE_MARK) ? visible(part) : shown(part));

/**
 * The token of an id: its text, or its bytes in hex where it is a part of a character.
 * @param {{named: Object<string, Named>}} facts @param {number|null} id null: no token, an unknown character
 */
export function tokenName({ named }, id) {
  if (id === null) return '?';
  const name = named[id];
  if (!name) return `#${id}`;
  if (name.text !== null && name.text !== '')
    return name.token.match(SPACE_MARK) ? shown(name.text) : visible(name.text);
  if (!name.bytes) return shown(name.token);
  // A part of a character is written in hex, and the letters before it as they are.
  return (name.bytes.toUpperCase().match(/../g) ?? []).map(byteName).join(' ');
}

/** @param {string} hex of a byte */
function byteName(hex) {
  const byte = Number.parseInt(hex, 16);
  return byte >= 0x20 && byte < 0x7f ? visible(String.fromCharCode(byte)) : hex;
}

/** @param {{named: Object<string, Named>}} facts @param {number} id its bytes in hex */
export const hexOf = ({ named }, id) => (named[id]?.bytes ?? '').toUpperCase();

/**
 * A number that may be near 0: with so many decimals, or by its power of ten where they would be zeros.
 * @param {number} value @param {number} digits
 */
export const smallNumber = (value, digits) =>
  value === 0 || Math.abs(value) >= 0.01 ? ratio(value, digits) : value.toExponential(digits - 2);

/** The letters of a text, as readers count them, with their places in UTF-8 bytes. @param {string} text */
export function lettersOf(text) {
  let from = 0;
  return clustersOf(text).map(letter => {
    const to = from + utf8Length(letter);
    const found = { text: letter, from, to };
    from = to;
    return found;
  });
}
