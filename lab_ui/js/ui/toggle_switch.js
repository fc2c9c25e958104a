/**
 * A switch with its words. ARIA pattern: switch. Gets `label` and `checked` by property, reports by a `valuechange`
 * event whose `detail` is the new state.
 */
import { LabElement } from './element.js';
import { h, setText } from './dom.js';

export class ToggleSwitch extends LabElement {
  #button = h('button', { type: 'button', role: 'switch' }, h('span', { class: 'track' }), h('span'));

  render() {
    this.append(this.#button);
    this.#button.addEventListener('click', () => {
      this.checked = !this.checked;
      this.emit('valuechange', this.checked);
    });
  }

  /** @param {string} label what happens when it is on */
  set label(label) {
    setText(this.#button.lastChild, label);
  }
  /** @param {string} hook `data-role` of the switch itself */
  set hook(hook) {
    this.#button.dataset.role = hook;
  }
  /** @param {boolean} quiet its words are only heard: what it shows stands beside it */
  set quiet(quiet) {
    const words = /** @type {HTMLElement} */ (this.#button.lastChild);
    words.hidden = quiet;
    this.#button.ariaLabel = quiet ? words.textContent : null;
  }
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
