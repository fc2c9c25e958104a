/** Letter, hue and shape of a tokenizer. Decoration: the name always stands beside it. */
import { h } from './dom.js';

/** @param {string} letter A to H; written by the style sheet, so that it is no part of any name */
export const tokenizerBadge = (letter, size = '') =>
  h('span', { class: `badge ${size}`, 'data-letter': letter, 'aria-hidden': 'true' });
