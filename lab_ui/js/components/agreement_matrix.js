/** How much two tokenizers agree: the share of their boundaries that both have (Jaccard). Gets `show`. */
import { h } from '../lib/dom.js';
import { percent } from '../lib/format.js';
import { tokenizerBadge } from './tokenizer_badge.js';

export class AgreementMatrix extends HTMLElement {
  /** @param {{name: string, letter: string}[]} tokenizers @param {number[][]} agreement 0 to 1 */
  show(tokenizers, agreement) {
    const head = tokenizers.map(({ name, letter }) => h('th', { scope: 'col', title: name }, tokenizerBadge(letter), h('span', { class: 'visually-hidden' }, name)));
    const rows = tokenizers.map(({ name, letter }, a) => h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'matrix-name' }, tokenizerBadge(letter), h('span', { class: 'matrix-label' }, name))), ...tokenizers.map((other, b) => cell(agreement[a][b], a === b))));
    this.style.setProperty('--columns', String(tokenizers.length));
    this.replaceChildren(
      h('p', { class: 'dim' }, 'Boundaries that both have, as a share of the boundaries that either has.'),
      h('table', {}, h('caption', { class: 'visually-hidden' }, 'Agreement of each pair of tokenizers'), h('thead', {}, h('tr', {}, h('td'), ...head)), h('tbody', {}, ...rows)));
  }
}

function cell(share, self) {
  const td = h('td', { class: self ? 'number faint' : 'number' }, self ? '–' : percent(share));
  if (!self) td.style.backgroundColor = `color-mix(in srgb, var(--accent-soft) ${Math.round(100 * share)}%, transparent)`;
  return td;
}

customElements.define('agreement-matrix', AgreementMatrix);
