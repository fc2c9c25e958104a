/** Tokens in large letters with their IDs, as examples to read. */
import { count } from '../../util/format.js';
import { h } from '../dom.js';
import { visibleNodes } from './token_spans_text.js';
import { tokenizerBadge } from './tokenizer_badge.js';

/**
 * @typedef {{text: string, isHex: boolean, id: number, colour: string}} Face how a token is written: as text or, if its
 *   bytes are not text, in hex
 */

/** @param {Face} face */
export function face({ text, isHex, id, colour }) {
  const shown = h('bdi', { class: 'face-token' }, ...(isHex ? [text] : visibleNodes(text)));
  shown.style.background = colour;
  return h('span', { class: 'face' }, shown, h('small', { class: 'number' }, String(id)));
}

/** @param {{written: string, id: number}} unknown */
export const unknownFace = ({ written, id }) =>
  h(
    'span',
    { class: 'face' },
    h('span', { class: 'face-token unknown-tag' }, written),
    h('small', { class: 'number' }, String(id)),
  );

/** A text and the tokens that replace it. @param {string} text @param {Node[]} faces */
export const instead = (text, faces) =>
  h(
    'div',
    { class: 'faces' },
    h('bdi', { class: 'face-text' }, ...visibleNodes(text)),
    h('span', { class: 'face-arrow', 'aria-hidden': 'true' }, '→'),
    ...faces,
  );

/**
 * How many tokens each tokenizer makes.
 * @param {{letter: string, name: string, count: number}[]} tokenizers
 */
export function countBars(tokenizers) {
  const most = Math.max(1, ...tokenizers.map(one => one.count));
  return h(
    'ul',
    { class: 'count-bars' },
    ...tokenizers.map(({ letter, name, count: tokens }) => {
      const bar = h('i', { 'data-letter': letter });
      bar.style.width = `${(100 * tokens) / most}%`;
      return h(
        'li',
        {},
        tokenizerBadge(letter),
        h('span', { class: 'count-name clip', title: name }, name),
        h('span', { class: 'count-track', 'aria-hidden': 'true' }, bar),
        h('b', { class: 'number' }, count(tokens)),
      );
    }),
  );
}
