/** Texts to begin with, as buttons. Reports by a `sample` event whose `detail` is the text. */
import { h } from './dom.js';
import { SAMPLES } from '../text/samples.js';

export class SampleChips extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.classList.add('sample-chips');
    this.role = 'group';
    this.ariaLabel = 'Sample texts';
    this.append(
      ...SAMPLES.map(({ id, label, text }) =>
        h(
          'button',
          {
            type: 'button',
            class: 'small-chip',
            'data-sample': id,
            onclick: () => this.dispatchEvent(new CustomEvent('sample', { detail: text, bubbles: true })),
          },
          label,
        ),
      ),
    );
  }
}

customElements.define('sample-chips', SampleChips);
