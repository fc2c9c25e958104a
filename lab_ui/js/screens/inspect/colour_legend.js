/** What the colours of the tokens say, in a row: a swatch and its label. Gets `show`; nothing to interact with. */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { colourOf } from '../../text/token_colour.js';

export class ColourLegend extends LabElement {
  /**
   * @param {{title: string, steps: {shade: string, label: string}[]}|null} legend null: the colours say nothing that
   *   can be listed
   */
  show(legend) {
    this.hidden = !legend;
    if (!legend) {
      this.replaceChildren();
      return;
    }
    /** @param {string} shade */
    const swatch = shade => {
      const element = h('span', { class: 'swatch', 'aria-hidden': 'true' });
      element.style.backgroundColor = colourOf(shade);
      return element;
    };
    this.replaceChildren(
      h('span', { class: 'dim' }, legend.title),
      h('ul', {}, ...legend.steps.map(({ shade, label }) => h('li', {}, swatch(shade), label))),
    );
  }
}

customElements.define('colour-legend', ColourLegend);
