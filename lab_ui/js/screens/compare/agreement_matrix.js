/**
 * How much two tokenizers agree: the share of their boundaries that both have (Jaccard). Gets `show`; reports `pair`
 * (detail: two ids) when a share is pressed.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h } from '../../ui/dom.js';
import { count, percent, plural } from '../../util/format.js';
import { boundaryShape } from '../../editor/boundary_shape.js';
import { append } from '../../editor/svg.js';
import { svg } from '../../ui/svg.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';

const MANY = 5; // tokenizers; from there on there is no room for a sign in every cell
/** @type {Object<string, string>} */
const WORDS = { all: 'in all', most: 'in most', some: 'in some', one: 'in one' };

/** @typedef {{id: string, name: string, letter: string}} Named */

export class AgreementMatrix extends LabElement {
  /**
   * @param {Named[]} tokenizers @param {number[][]} agreement 0 to 1
   * @param {{counts: Object<string, number>, classes: string[]}} boundaries how many of each class
   */
  show(tokenizers, agreement, { counts, classes }) {
    const many = tokenizers.length > MANY;
    const total = classes.reduce((sum, name) => sum + counts[name], 0);
    const head = tokenizers.map(({ name, letter }) =>
      h('th', { scope: 'col', title: name }, tokenizerBadge(letter), h('span', { class: 'visually-hidden' }, name)),
    );
    const rows = tokenizers.map(({ name, letter }, a) =>
      h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          h('span', { class: 'matrix-name' }, tokenizerBadge(letter), h('span', { class: 'matrix-label clip' }, name)),
        ),
        ...tokenizers.map((other, b) => this.#cell(agreement[a][b], tokenizers[a], other, many)),
      ),
    );
    this.style.setProperty('--columns', String(tokenizers.length));
    this.replaceChildren(
      h(
        'p',
        { class: 'dim' },
        `Boundaries that both have, as a share of the boundaries that either has${many ? ', in per cent' : ''}.`,
      ),
      h(
        'table',
        {},
        h('caption', { class: 'visually-hidden' }, 'Agreement of each pair of tokenizers'),
        h('thead', {}, h('tr', {}, h('td'), ...head)),
        h('tbody', {}, ...rows),
      ),
      h(
        'p',
        { class: 'dim boundary-title' },
        `${plural(total, 'boundary', 'boundaries')}, by how many tokenizers share them`,
      ),
      h(
        'dl',
        { class: 'boundary-counts' },
        ...classes.flatMap(name => [
          h('dt', {}, boundaryKey(`boundary-${name}`), WORDS[name]),
          h('dd', { class: 'number', 'data-class': name }, count(counts[name])),
          h('dd', { class: 'number dim' }, percent(counts[name] / total)),
        ]),
      ),
    );
  }

  /** Without an answer nothing is measured. */
  clear() {
    this.replaceChildren();
  }

  /** @param {number} share 0 to 1 @param {Named} a @param {Named} b @param {boolean} many */
  #cell(share, a, b, many) {
    if (a === b) return h('td', { class: 'number faint' }, '–');
    const text = many ? String(Math.round(100 * share)) : percent(share);
    const td = h(
      'td',
      { class: 'number' },
      actionButton(text, () => this.emit('pair', [a.id, b.id]), {
        class: 'pair-share',
        title: `${a.name} and ${b.name}: what they share`,
        'data-pair': `${a.id} ${b.id}`,
        'aria-label': `${percent(share)}, ${a.name} and ${b.name}: what they share`,
      }),
    );
    td.style.backgroundColor = `color-mix(in srgb, var(--accent-soft) ${Math.round(100 * share)}%, transparent)`;
    return td;
  }
}

/** How a boundary of a class is drawn. @param {string} name of the class */
export function boundaryKey(name) {
  const picture = svg('svg', { class: `boundary-key ${name}`, viewBox: '0 0 24 12', 'aria-hidden': 'true' });
  append(picture, svg('path', { class: 'left', d: 'M0 0h12v12h-12z' }));
  append(picture, svg('path', { class: 'right', d: 'M12 0h12v12h-12z' }));
  append(picture, svg('path', { class: `ticks ${name}`, d: boundaryShape(name, 12, 0, 12, false) }));
  return picture;
}

customElements.define('agreement-matrix', AgreementMatrix);
