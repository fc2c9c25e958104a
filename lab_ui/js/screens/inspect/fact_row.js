/**
 * The figures of a text in a row. Each is a button with a tooltip: one that leads somewhere reports `gotofact` (detail:
 * its name), the others show what they mean. ARIA pattern: toolbar with roving tabindex, so the row is one Tab stop.
 */
import { LabElement } from '../../ui/element.js';
import { Tooltip } from '../../ui/tooltip.js';
import { actionButton, childrenOf, closest, h, setText } from '../../ui/dom.js';

/** @typedef {{number: string, label: string, tip: string}|null} Fact null: it does not occur in this text */

/** @type {Object<string, number|undefined>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export class FactRow extends LabElement {
  /** @type {Map<string, {button: HTMLButtonElement, number: HTMLElement, label: HTMLElement, tip: Tooltip}>} */
  #facts = new Map();

  constructor() {
    super();
    this.addEventListener('keydown', event => this.#move(event));
    this.addEventListener('focusin', event => this.#stopAt(closest(event, 'button')));
  }

  /**
   * @param {{name: string, leads?: boolean, class?: string, 'data-role'?: string}[]} facts in their order; `leads`:
   *   pressing it goes somewhere
   */
  start(facts) {
    this.role = 'toolbar';
    this.ariaLabel = 'Figures of this text';
    for (const { name, leads = false, class: looks = '', ...properties } of facts) {
      const number = h('b', { class: `number ${looks}`, ...properties }, '–');
      const label = h('span');
      const button = actionButton([number, ' ', label], () => (leads ? this.emit('gotofact', name) : tip.toggle()), {
        class: `fact ${name}${leads ? ' leads' : ''}`,
        tabIndex: -1,
        'data-fact': name,
      });
      const tip = new Tooltip(button);
      this.#facts.set(name, { button, number, label, tip });
      this.append(button, tip.element);
    }
    this.#stopAt(null);
  }

  /** Returns the element of a figure. @param {string} name */
  numberOf(name) {
    return /** @type {HTMLElement} */ (this.#facts.get(name)?.number);
  }

  /** @param {Object<string, Fact>} facts by name; those that are left out stay as they are */
  show(facts) {
    for (const [name, fact] of Object.entries(facts)) {
      const shown = this.#facts.get(name);
      if (!shown) continue;
      const { button, number, label, tip } = shown;
      button.hidden = !fact;
      if (!fact) continue;
      setText(number, fact.number);
      setText(label, fact.label);
      tip.text = fact.tip;
    }
    this.#stopAt(this.#shown.find(button => button.tabIndex === 0) ?? null);
  }

  get #shown() {
    return childrenOf(this).filter(child => child.localName === 'button' && !child.hidden);
  }

  /**
   * Makes one figure the Tab stop of the row: the last of them before anything is pressed, which is the warning.
   * @param {HTMLElement|null} button
   */
  #stopAt(button) {
    const shown = this.#shown;
    const stop = shown.find(each => each === button) ?? shown.at(-1);
    for (const { button: each } of this.#facts.values()) each.tabIndex = each === stop ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = STEPS[event.key];
    const shown = this.#shown;
    const at = shown.indexOf(/** @type {HTMLElement} */ (event.target));
    if (!step || at < 0) return;
    event.preventDefault();
    shown[(at + step + shown.length) % shown.length].focus();
  }
}

customElements.define('fact-row', FactRow);
