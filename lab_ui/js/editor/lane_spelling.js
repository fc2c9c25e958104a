/**
 * The labels in the blocks of a lane: each token as its vocabulary spells it, narrowed if it nearly fits, left out if
 * it does not. A character whose tokens have no room for their labels is written once, over all of them.
 * `spelled_rows` writes labels to the page.
 */

/** Of each kind of label: px that stay free in its block, how far it is condensed, its share of the face's size. */
const KINDS = {
  spelled: { free: 3, narrowest: 0.8, size: 1 },
  unknown: { free: 5, narrowest: 0.7, size: 0.86 },
  break: { free: 0, narrowest: 0.8, size: 0.85 },
};
/** Of letters that are joined because they do not fit alone. */
const JOINED = { free: 0, narrowest: 0.6, size: 1 };
const NARROW_MARK = 0.6; // how far the "##" of a label is
/** Characters of the longest label; nothing longer fits in a row. */
export const LONGEST = 64;
const MARK = /^(?:##(?=.)|·+(?=[^·]))/u;
const COMBINING = /^\p{M}/u;
const JOINS = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Adlam}]/u;
const JOINER = '\u200d';
// Characters as wide as the face's advance, and those as wide as it is high: kana, ideographs, Hangul syllables and
// full-width forms, without the marks that combine with them.
const NARROW = '\\x20-\\x7e\\xa1-\\xac\\xae-\\u017f';
const WIDE =
  '\\u2e80-\\u3029\\u3030-\\u303e\\u3041-\\u3098\\u309b-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\uff01-\\uff60';
const ALL_NARROW = new RegExp(`^[${NARROW}]*$`);
const ALL_EVEN = new RegExp(`^[${NARROW}${WIDE}]*$`);

/**
 * @typedef {{size: number, advance: number, measure: (text: string) => number}} Face of the labels: its size, the width
 *   of every Latin character in it, 0 if they differ, and the width of any text; pixels
 * @typedef {{text: string, x: number, width: number}} Shared what several tokens share, a character, and its box
 * @typedef {Object} Label
 * @property {string} text what is written
 * @property {number} mark how many of its first characters mark what comes before: "##" or spaces
 * @property {number} width its own, in pixels
 * @property {number} scale how far it is condensed, 1 for not at all
 * @property {number} markScale how far its mark is narrowed before
 * @property {boolean} flows whether its width is exact: no character of it joins, stacks or turns the direction
 * @property {'spelled'|'unknown'|'break'} kind
 */

/**
 * The label of a block.
 * @param {string} spelling of the token
 * @param {number} width of the block
 * @param {Face} face
 * @param {Label['kind']} [kind]
 * @returns {Label|null} null: there is no room for it
 */
export function fitted(spelling, width, face, kind = 'spelled') {
  if (!spelling || spelling.length > LONGEST) return null;
  const mark = MARK.exec(spelling)?.[0].length ?? 0;
  const text = withBase(spelling, mark);
  const flows = face.advance > 0 && ALL_EVEN.test(text);
  const { free, narrowest, size } = text.startsWith(JOINER) ? JOINED : KINDS[kind];
  const own = size * widthOf(text, face);
  const room = width - free;
  const markScale = own > room && text.startsWith('##') && mark ? NARROW_MARK : 1;
  const narrowed = own - (1 - markScale) * size * widthOf(text.slice(0, mark), face);
  if (narrowed * narrowest > room) {
    // A letter without its mark, or as in the middle of a word wherever it stands, is better than a blank.
    const shorter = mark ? spelling.slice(mark) : joined(spelling);
    return shorter ? fitted(shorter, width, face, kind) : null;
  }
  return { text, mark, width: narrowed, scale: Math.min(1, room / narrowed), markScale, flows, kind };
}

/**
 * @param {string} text
 * @param {Face} face
 * @returns {number} pixels
 */
export function widthOf(text, { size, advance, measure }) {
  if (!advance || !ALL_EVEN.test(text)) return measure(text);
  if (ALL_NARROW.test(text)) return text.length * advance;
  let width = 0;
  for (const character of text) width += ALL_NARROW.test(character) ? advance : size;
  return width;
}

/** Letters of scripts that join, as in the middle of a word: narrower than alone. @param {string} spelling */
const joined = spelling => (JOINS.test(spelling) ? `${JOINER}${spelling}${JOINER}` : '');

/** A combining mark without its letter stands on a dotted circle. @param {string} spelling @param {number} mark */
const withBase = (spelling, mark) =>
  COMBINING.test(spelling.slice(mark)) ? `${spelling.slice(0, mark)}◌${spelling.slice(mark)}` : spelling;

/**
 * @typedef {{token: number, width: number, newline: boolean, stripe: boolean, unknown: boolean, shared?: Shared|null,
 *   spelled?: Label|null, isOver?: boolean}} Piece
 */

/**
 * Labels of the pieces of one token on one line: one label, in its widest piece, and one in each line break.
 * @param {Piece[]} pieces in the order of the text; written to
 * @param {(token: number) => string|null} spelling
 * @param {Face} face
 * @returns {boolean} whether all spellings are known
 */
export function spell(pieces, spelling, face) {
  let complete = true;
  for (let first = 0, end = 0; first < pieces.length; first = end) {
    let widest = -1;
    for (end = first; end < pieces.length && pieces[end].token === pieces[first].token; end++) {
      const piece = pieces[end];
      piece.spelled = piece.newline ? fitted('↵', piece.width, face, 'break') : null;
      if (!piece.newline && (widest < 0 || isBetter(piece, pieces[widest]))) widest = end;
    }
    if (widest < 0) continue;
    const piece = pieces[widest];
    const words = spelling(piece.token);
    if (words === null) complete = false;
    else
      piece.spelled = piece.unknown ? unknownLabel(words, piece.width, face) : fitted(shown(words), piece.width, face);
  }
  writeShared(pieces, face);
  return complete;
}

/**
 * Writes a shared character over its stripes if one of them has no label. Letters are never lost to narrow stripes.
 * @param {Piece[]} pieces @param {Face} face
 */
function writeShared(pieces, face) {
  for (let first = 0, end = 0; first < pieces.length; first = end) {
    const { shared } = pieces[first];
    end = first + 1;
    if (!shared) continue;
    while (end < pieces.length && pieces[end].shared === shared) end++;
    const stripes = pieces.slice(first, end);
    for (const stripe of stripes) stripe.isOver = false;
    const label = stripes.every(({ spelled }) => spelled) ? null : fitted(shared.text, shared.width, face);
    if (!label) continue;
    for (const stripe of stripes) stripe.spelled = null;
    stripes[0].spelled = label;
    stripes[0].isOver = true;
  }
}

/** @param {Piece} piece @param {Piece} other */
const isBetter = (piece, other) =>
  piece.stripe === other.stripe ? piece.width > other.width : other.stripe && !piece.stripe;

/** A line break is written in the block of its own. @param {string} words */
const shown = words => words.replace(/↵+$/u, '');

/**
 * "[UNK]", or "UNK" if there is little room.
 * @param {string} words @param {number} width
 * @param {Face} face
 */
function unknownLabel(words, width, face) {
  const bare = /^[[<(](.+)[\])>]$/u.exec(words)?.[1].toUpperCase() ?? words;
  return fitted(words, width, face, 'unknown') ?? fitted(bare, width, face, 'unknown');
}
