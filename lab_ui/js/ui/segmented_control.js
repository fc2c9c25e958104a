/**
 * A row of buttons of which one is chosen. ARIA pattern: radio group with roving tabindex.
 *
 * Gets `options` and `value`, reports `valuechange` (detail: the value chosen).
 */
import { LabElement } from './element.js';
import { childrenOf, closest } from './dom.js';
import { Seen } from '../util/seen.js';

/** @typedef {{value: string, label: string, hint?: string}} Option */

/** @type {Object<string, number|undefined>} right and down are the same, as the pattern asks */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class SegmentedControl extends LabElement {
  /** @type {Option[]} */
  #options = [];
  /** @type {string|null} */
  #value = null;
  #seen = new Seen();

  /** @param {Option[]} options */
  set options(options) {
    if (this.#seen.again(options)) return;
    this.#options = options;
    this.#draw();
  }

  /** @param {string|null} value one of the options' values; any other value chooses nothing */
  set value(value) {
    this.#value = value;
    this.#mark();
  }
  get value() {
    return this.#value;
  }

  constructor() {
    super();
    this.addEventListener('click', event => this.#choose(closest(event, '[role=radio]')));
    this.addEventListener('keydown', event => this.#move(event));
  }

  render() {
    this.role = 'radiogroup';
  }

  #draw() {
    this.replaceChildren(
      ...this.#options.map(({ value, label, hint = '' }) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.role = 'radio';
        button.dataset.value = value;
        button.textContent = label;
        button.title = hint;
        return button;
      }),
    );
    this.#mark();
  }

  #mark() {
    const chosen = this.#options.some(option => option.value === this.#value);
    childrenOf(this).forEach((button, at) => {
      const checked = button.dataset.value === this.#value;
      button.ariaChecked = String(checked);
      button.tabIndex = checked || (!chosen && at === 0) ? 0 : -1;
    });
  }

  /** @param {HTMLElement|null} button */
  #choose(button) {
    const value = button?.dataset.value;
    if (value === undefined || value === this.#value) return;
    this.value = value;
    this.emit('valuechange', this.#value);
  }

  /** Arrow keys move and choose. @param {KeyboardEvent} event */
  #move(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = childrenOf(this);
    const next =
      buttons[(buttons.indexOf(/** @type {HTMLElement} */ (event.target)) + step + buttons.length) % buttons.length];
    next.focus();
    this.#choose(next);
  }
}

customElements.define('segmented-control', SegmentedControl);
