/**
 * Choices that narrow a list, each with how many entries it would leave. Gets `show`; reports `facet` (detail: the name
 * pressed). Choices of none are left out, unless they are chosen; those after the first few are behind "More".
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';

/** Choices that are shown at first. */
const FEW = 7;

export class FacetChips extends LabElement {
  #name = h('span', { class: 'facet-name', 'aria-hidden': 'true' });
  #chips = h('span', { class: 'facet-chips' });
  #more = h('button', {
    type: 'button',
    class: 'small-chip more',
    'aria-expanded': 'false',
    onclick: () => this.#toggle(),
  });
  #isOpen = false;
  #redraw = () => {};

  render() {
    this.role = 'group';
    this.append(this.#name, this.#chips, this.#more);
  }

  /**
   * @param {string} label what is chosen
   * @param {{name: string, count: number|null}[]} facets `count` null: not known
   * @param {string[]} chosen @param {(name: string) => string} labelOf
   */
  show(label, facets, chosen, labelOf) {
    this.#redraw = () => this.show(label, facets, chosen, labelOf);
    this.ariaLabel = label;
    setText(this.#name, label);
    const some = facets.filter(({ name, count }) => count !== 0 || chosen.includes(name));
    const few = some.filter(({ name }, at) => at < FEW || chosen.includes(name));
    const hidden = some.length - few.length;
    this.#more.hidden = !hidden;
    this.#more.ariaExpanded = String(this.#isOpen);
    setText(this.#more, this.#isOpen ? 'Fewer' : `More (${hidden})`);
    update(
      this.#chips,
      this.#isOpen ? some : few,
      ({ name }) => name,
      ({ name }) => this.#chip(name),
      (chip, facet) => {
        setText(chip.firstChild, labelOf(facet.name));
        chip.ariaPressed = String(chosen.includes(facet.name));
        setText(chip.lastChild, facet.count === null ? '' : count(facet.count));
      },
    );
  }

  #toggle() {
    this.#isOpen = !this.#isOpen;
    this.#redraw();
  }

  /** @param {string} name */
  #chip(name) {
    return actionButton([h('span'), ' ', h('span', { class: 'number' })], () => this.emit('facet', name), {
      class: 'small-chip',
      'data-name': name,
    });
  }
}

customElements.define('facet-chips', FacetChips);
