/**
 * Choices that narrow a list, each with how many entries it would leave. Gets `show`; reports `facet` (detail: the name
 * pressed). Choices of none are left out, unless they are chosen.
 */
import { LabElement } from '../../ui/element.js';
import { all, focused, h } from '../../ui/dom.js';
import { count } from '../../util/format.js';

export class FacetChips extends LabElement {
  /**
   * @param {string} label what is chosen @param {{name: string, count: number}[]} facets
   * @param {string[]} chosen @param {(name: string) => string} words
   */
  show(label, facets, chosen, words) {
    const held = focused()?.closest('facet-chips') === this ? focused().dataset.name : null;
    this.role = 'group';
    this.ariaLabel = label;
    const shown = facets.filter(({ name, count }) => count || chosen.includes(name));
    this.replaceChildren(
      h('span', { class: 'facet-name', 'aria-hidden': 'true' }, label),
      ...shown.map(({ name, count: n }) =>
        h(
          'button',
          {
            type: 'button',
            class: 'small-chip',
            'data-name': name,
            'aria-pressed': String(chosen.includes(name)),
            onclick: () => this.emit('facet', name),
          },
          words(name),
          ' ',
          h('span', { class: 'number' }, count(n)),
        ),
      ),
    );
    if (held)
      all(this, '[data-name]')
        .find(button => button.dataset.name === held)
        ?.focus();
  }
}

customElements.define('facet-chips', FacetChips);
