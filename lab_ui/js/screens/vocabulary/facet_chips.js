/**
 * Choices that narrow a list, each with how many entries it would leave. Gets `show`; reports `facet` (detail: the name
 * pressed). Choices of none are left out, unless they are chosen.
 */
import { LabElement } from '../../ui/element.js';
import { h, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';

export class FacetChips extends LabElement {
  #name = h('span', { class: 'facet-name', 'aria-hidden': 'true' });
  #chips = h('span', { class: 'facet-chips' });

  render() {
    this.role = 'group';
    this.append(this.#name, this.#chips);
  }

  /**
   * @param {string} label what is chosen @param {{name: string, count: number}[]} facets
   * @param {string[]} chosen @param {(name: string) => string} words
   */
  show(label, facets, chosen, words) {
    this.ariaLabel = label;
    setText(this.#name, label);
    update(
      this.#chips,
      facets.filter(({ name, count }) => count || chosen.includes(name)),
      ({ name }) => name,
      ({ name }) => this.#chip(name),
      (chip, facet) => {
        setText(chip.firstChild, words(facet.name));
        chip.ariaPressed = String(chosen.includes(facet.name));
        setText(chip.lastChild, count(facet.count));
      },
    );
  }

  #chip(name) {
    return h(
      'button',
      { type: 'button', class: 'small-chip', 'data-name': name, onclick: () => this.emit('facet', name) },
      h('span'),
      ' ',
      h('span', { class: 'number' }),
    );
  }
}

customElements.define('facet-chips', FacetChips);
