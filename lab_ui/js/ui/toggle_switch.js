/**
 * A switch with its label. ARIA pattern: switch. Gets `label` and `checked`, reports `valuechange` (detail: its state).
 */
import { LabElement } from './element.js';
import { h, setText } from './dom.js';

export class ToggleSwitch extends LabElement {
  #label = h('span');
  #button = h('button', { type: 'button', role: 'switch' }, h('span', { class: 'track' }), this.#label);
  #name = '';

  render() {
    this.append(this.#button);
    this.#button.addEventListener('click', () => {
      this.checked = !this.checked;
      this.emit('valuechange', this.checked);
    });
  }

  /** @param {string} label what is shown or done while it is on */
  set label(label) {
    setText(this.#label, label);
  }
  /** @param {string} name what assistive tools say instead of a label that is short; it contains the label */
  set name(name) {
    this.#name = name;
    this.#nameButton();
  }
  /** @param {string} hook `data-role` of the switch itself */
  set hook(hook) {
    this.#button.dataset.role = hook;
  }
  /** @param {boolean} quiet hides the label, because what the switch shows is next to it */
  set quiet(quiet) {
    this.#label.hidden = quiet;
    this.#nameButton();
  }
  #nameButton() {
    this.#button.ariaLabel = this.#name || (this.#label.hidden ? this.#label.textContent : null);
  }
  /** @param {string} hint its tooltip */
  set hint(hint) {
    this.#button.title = hint;
  }
  /** @param {boolean} checked */
  set checked(checked) {
    this.#button.ariaChecked = String(Boolean(checked));
  }
  get checked() {
    return this.#button.ariaChecked === 'true';
  }
}

customElements.define('toggle-switch', ToggleSwitch);
