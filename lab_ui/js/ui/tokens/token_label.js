/**
 * Shows one vocabulary entry: its text with names for invisible characters, or its bytes if they are not text.
 */
import { h } from '../dom.js';
import { bytesOfHex, count, hexByte } from '../../util/format.js';
import { visibleNodes } from './token_spans_text.js';

/** @typedef {import('../../api/schema.d.ts').TokenHead} TokenHead */

/** The most tokens of a list that are shown. */
export const MOST_LISTED = 24;

const MOST_CHARACTERS = 48;
const MOST_BYTES = 16;

/** "E6 97 A5", shortened with dots @param {string} hex @param {number} [most] */
export function hexWords(hex, most = MOST_BYTES) {
  const bytes = [...bytesOfHex(hex.slice(0, 2 * most))].map(hexByte).join(' ');
  return hex.length > 2 * most ? `${bytes} …` : bytes;
}

/** @param {Pick<TokenHead, 'text'|'bytes'>} token @returns {(string|HTMLElement)[]} */
export function labelNodes({ text, bytes }) {
  if (text === null) return [h('span', { class: 'no-text' }, hexWords(bytes, 8))];
  if (text === '') return [h('span', { class: 'named' }, 'empty')];
  const all = [...text];
  return visibleNodes(all.length > MOST_CHARACTERS ? `${all.slice(0, MOST_CHARACTERS).join('')}…` : text);
}

/**
 * Left to right, also of Arabic letters: the `##` or the space of a token is its start, and stands at the left.
 * @param {Pick<TokenHead, 'text'|'bytes'>} token @param {string} [className] further classes
 */
export const tokenFace = (token, className = '') =>
  h(
    'bdi',
    { dir: 'ltr', class: `token-face ${token.text === null ? 'broken' : ''} ${className}` },
    ...labelNodes(token),
  );

/**
 * A button that opens a token. Reports `opentoken` (detail: its id), which bubbles.
 * @param {TokenHead} token
 */
export const tokenButton = token => {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'token-button',
      'data-id': String(token.id),
      onclick: () =>
        // bubbles: a list of tokens may hold any number of these buttons, and listens in one place
        button.dispatchEvent(new CustomEvent('opentoken', { detail: token.id, bubbles: true })),
    },
    h('bdi', { dir: 'ltr', class: 'mono' }, ...labelNodes(token)),
    h('span', { class: 'faint number' }, String(token.id)),
  );
  return button;
};

/** Buttons for the first MOST_LISTED tokens. @param {TokenHead[]} tokens */
export const tokenChips = tokens =>
  h(
    'div',
    { class: 'token-chips' },
    ...tokens.slice(0, MOST_LISTED).map(tokenButton),
    tokens.length > MOST_LISTED
      ? h('span', { class: 'faint' }, `and ${count(tokens.length - MOST_LISTED)} more`)
      : null,
  );

/** Entries that differ from a token only in case or leading space. @param {TokenHead[]} tokens */
export const variantChips = tokens =>
  tokens.length ? tokenChips(tokens) : h('p', { class: 'dim' }, 'No entry differs only in case or leading space.');
