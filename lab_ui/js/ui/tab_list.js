/**
 * A row of tabs for panels that are elsewhere in the page. ARIA pattern: tabs with automatic activation. Gets `tabs`
 * and `value`, shows and hides the panels, reports `valuechange` (detail: the value).
 */
import { LabElement } from './element.js';
import { childrenOf, closest, h } from './dom.js';

/** @typedef {{value: string, label: string, panel: HTMLElement}} Tab */

export class TabList extends LabElement {
  /** @type {Tab[]} */
  #tabs = [];
  /** @type {string|null} */
  #value = null;

  constructor() {
    super();
    this.addEventListener('click', event => this.#choose(closest(event, '[role=tab]')));
    this.addEventListener('keydown', event => this.#move(event));
  }

  render() {
    this.role = 'tablist';
  }

  /** @param {Tab[]} tabs */
  set tabs(tabs) {
    this.#tabs = tabs;
    this.replaceChildren(
      ...tabs.map(({ value, label, panel }) => {
        panel.id ||= `panel-${value}`;
        panel.setAttribute('role', 'tabpanel');
        panel.ariaLabel = label;
        return h(
          'button',
          { type: 'button', role: 'tab', id: `tab-${value}`, 'data-value': value, 'aria-controls': panel.id },
          label,
        );
      }),
    );
    this.value = this.#value ?? tabs[0].value;
  }

  /** @param {string|null} value */
  set value(value) {
    this.#value = value;
    this.#tabs.forEach((tab, n) => {
      const chosen = tab.value === value;
      const button = childrenOf(this)[n];
      tab.panel.hidden = !chosen;
      button.ariaSelected = String(chosen);
      button.tabIndex = chosen ? 0 : -1;
    });
  }
  get value() {
    return this.#value;
  }

  /** @param {HTMLElement|null} button */
  #choose(button) {
    const value = button?.dataset.value;
    if (value === undefined || value === this.#value) return;
    this.value = value;
    this.emit('valuechange', this.#value);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const buttons = childrenOf(this);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    /** @type {Object<string, number|undefined>} */
    const targets = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const button = buttons[(next + buttons.length) % buttons.length];
    button.focus();
    this.#choose(button);
  }
}

customElements.define('tab-list', TabList);
