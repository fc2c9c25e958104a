/** A tokenizer's letter in its colour and shape. Decoration: the name is always next to it. */
import { h } from '../dom.js';

/** @param {string} letter A to H; the style sheet writes it, so it is not part of an accessible name */
export const tokenizerBadge = (letter, size = '') =>
  h('span', { class: `badge ${size}`, 'data-letter': letter, 'aria-hidden': 'true' });
