/** Buttons with sample texts. Reports `sample` (detail: the text), which bubbles. */
import { LabElement } from './element.js';
import { h } from './dom.js';
import { SAMPLES } from '../text/samples.js';

export class SampleChips extends LabElement {
  render() {
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
            // bubbles: the shell sets the text, whatever screen the samples are on
            onclick: () => this.dispatchEvent(new CustomEvent('sample', { detail: text, bubbles: true })),
          },
          label,
        ),
      ),
    );
  }
}

customElements.define('sample-chips', SampleChips);
