/** How much two tokenizers agree: the share of their boundaries that both have (Jaccard). Gets `show`. */
import { h } from '../lib/dom.js';
import { count, percent, plural } from '../lib/format.js';
import { cutShape } from './token_text/cut_shape.js';
import { append, svg } from './token_text/svg.js';
import { tokenizerBadge } from './tokenizer_badge.js';

const WORDS = { all: 'in all', most: 'in most', some: 'in some', one: 'in one' };

export class AgreementMatrix extends HTMLElement {
  /**
   * @param {{name: string, letter: string}[]} tokenizers @param {number[][]} agreement 0 to 1
   * @param {{counts: Object<string, number>, classes: string[]}} cuts how many are in all, most, some or one of them
   */
  show(tokenizers, agreement, { counts, classes }) {
    const total = classes.reduce((sum, name) => sum + counts[name], 0);
    const head = tokenizers.map(({ name, letter }) => h('th', { scope: 'col', title: name }, tokenizerBadge(letter), h('span', { class: 'visually-hidden' }, name)));
    const rows = tokenizers.map(({ name, letter }, a) => h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'matrix-name' }, tokenizerBadge(letter), h('span', { class: 'matrix-label' }, name))), ...tokenizers.map((other, b) => cell(agreement[a][b], a === b))));
    this.style.setProperty('--columns', String(tokenizers.length));
    this.replaceChildren(
      h('p', { class: 'dim' }, 'Boundaries that both have, as a share of the boundaries that either has.'),
      h('table', {}, h('caption', { class: 'visually-hidden' }, 'Agreement of each pair of tokenizers'), h('thead', {}, h('tr', {}, h('td'), ...head)), h('tbody', {}, ...rows)),
      h('p', { class: 'dim cuts-title' }, `${plural(total, 'cut')} of all tokenizers together, by how many of them have it`),
      h('dl', { class: 'cuts' }, ...classes.flatMap(name => [h('dt', {}, cutKey(`cut-${name}`), WORDS[name]), h('dd', { class: 'number', 'data-class': name }, count(counts[name])), h('dd', { class: 'number dim' }, percent(counts[name] / total))])));
  }
}

/** How a cut of a class is drawn. */
function cutKey(name) {
  const picture = svg('svg', { class: `cut-key ${name}`, viewBox: '0 0 24 12', 'aria-hidden': 'true' });
  append(picture, svg('path', { class: 'left', d: 'M0 0h12v12h-12z' }));
  append(picture, svg('path', { class: 'right', d: 'M12 0h12v12h-12z' }));
  append(picture, svg('path', { class: `ticks ${name}`, d: cutShape(name, 12, 0, 12, false) }));
  return picture;
}

function cell(share, self) {
  const td = h('td', { class: self ? 'number faint' : 'number' }, self ? '–' : percent(share));
  if (!self) td.style.backgroundColor = `color-mix(in srgb, var(--accent-soft) ${Math.round(100 * share)}%, transparent)`;
  return td;
}

customElements.define('agreement-matrix', AgreementMatrix);
