/** Facts about one token that follow from the text and the spans: its bytes, its characters, what it shares. */
import { clustersOf } from './clusters.js';
import { ADDED, SPECIAL, UNKNOWN } from './token_spans.js';

const encoder = new TextEncoder();

/**
 * @typedef {import('./token_spans.js').TokenSpans} TokenSpans
 * @typedef {import('./text_slice.js').Sliced} Sliced
 * @typedef {{text: string, bytes: Uint8Array, from: number, to: number, mine: [number, number], owners: number[]}}
 *   CharacterFacts one code point: its bytes, its byte span, which of its bytes belong to the token, and every token
 *   that holds a part of it
 * @typedef {{token: number, id: number, source: string, bytes: Uint8Array, span8: [number, number], span16: [number,
 *   number], characters: CharacterFacts[], added: boolean, special: boolean, unknown: boolean}} TokenFacts
 */

/**
 * @param {TokenSpans} tokens
 * @param {number} i @param {Sliced} text the whole text the tokens belong to
 * @returns {TokenFacts}
 */
export function tokenFacts(tokens, i, text) {
  const start8 = tokens.start8.at(i);
  const end8 = tokens.end8.at(i);
  const start16 = tokens.start16.at(i);
  const end16 = tokens.end16.at(i);
  /** @type {TokenFacts} */
  const facts = {
    token: i,
    id: tokens.ids.at(i),
    source: text.slice(start16, end16),
    span8: [start8, end8],
    span16: [start16, end16],
    added: tokens.has(i, ADDED),
    special: tokens.has(i, SPECIAL),
    unknown: tokens.has(i, UNKNOWN),
    bytes: new Uint8Array(0),
    characters: [],
  };
  if (facts.added) return facts;
  return { ...facts, bytes: sourceBytes(tokens, i, text), characters: charactersOf(tokens, i, text) };
}

/**
 * Returns the bytes of the text that a token covers.
 * @param {TokenSpans} tokens
 * @param {number} i
 * @param {Sliced} text
 */
export function sourceBytes(tokens, i, text) {
  const anchor = tokens.anchor(i);
  const bytes = encoder.encode(text.slice(anchor.utf16, tokens.end16.at(i)));
  return bytes.subarray(tokens.start8.at(i) - anchor.utf8, tokens.end8.at(i) - anchor.utf8);
}

/** @param {TokenSpans} tokens @param {number} i @param {Sliced} whole */
function charactersOf(tokens, i, whole) {
  /** @type {CharacterFacts[]} */
  const characters = [];
  const anchor = tokens.anchor(i);
  const source = whole.slice(tokens.start16.at(i), tokens.end16.at(i));
  let from = anchor.utf8 + encoder.encode(whole.slice(anchor.utf16, tokens.start16.at(i))).length;
  for (const text of source) {
    const bytes = encoder.encode(text);
    const to = from + bytes.length;
    /** @type {[number, number]} */
    const mine = [Math.max(0, tokens.start8.at(i) - from), Math.min(bytes.length, tokens.end8.at(i) - from)];
    const owners = mine[0] > 0 || mine[1] < bytes.length ? ownersOf(tokens, i, from, to) : [i];
    characters.push({ text, bytes, from, to, mine, owners });
    from = to;
  }
  return characters;
}

/**
 * Returns the tokens around token i that hold a byte of [from, to).
 * @param {TokenSpans} tokens @param {number} i @param {number} from @param {number} to
 */
function ownersOf(tokens, i, from, to) {
  let first = i;
  let last = i;
  while (first > 0 && tokens.end8.at(first - 1) > from && !tokens.has(first - 1, ADDED)) first--;
  while (last + 1 < tokens.length && tokens.start8.at(last + 1) < to && !tokens.has(last + 1, ADDED)) last++;
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}

/**
 * "1 character, 2 tokens", "parts of 2 characters", or "" if the token holds whole characters.
 * @param {TokenFacts} facts
 */
export function sharing({ characters }) {
  const split = characters.filter(character => character.owners.length > 1);
  if (!split.length) return '';
  if (characters.length === 1) return `1 character, ${split[0].owners.length} tokens`;
  return split.length === characters.length
    ? `parts of ${split.length} characters`
    : `${characters.length - split.length} whole and ` +
        (split.length === 1 ? 'a part of 1 more' : `parts of ${split.length} more`);
}

/** "2 characters"; for emoji and the like, "1 character of 3 code points" @param {string} source */
export function extent(source) {
  const points = [...source].length;
  const seen = source.length < 200 ? clustersOf(source).length : points;
  if (seen === points) return `${points} character${points === 1 ? '' : 's'}`;
  return `${seen} character${seen === 1 ? '' : 's'} of ${points} code points`;
}
