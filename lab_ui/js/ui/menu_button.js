/**
 * A button that opens a panel of controls: switches, choices, commands. ARIA pattern: disclosure. Gets `label`, holds
 * its controls in `panel`, reports `openchange` (detail: whether it is open).
 *
 * The panel opens on a press, Enter or the down arrow; it closes on Esc, on a press outside, and when the focus leaves.
 * It is in the top layer, so that nothing around the button clips it, and stays within the window.
 */
import { LabElement } from './element.js';
import { actionButton, all, closest, focused, h, setText } from './dom.js';
import { ICONS, icon } from './icons.js';
import { Seen } from '../util/seen.js';

const GAP = 4; // px between the button and its panel
const MARGIN = 8; // px between the panel and the edge of the window
const CONTROLS = 'button, select, input, a[href], [tabindex="0"]';
/** @type {Object<string, number|undefined>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };
/** These use the arrow keys themselves. */
const STEERED = 'select, input, textarea, [role=radiogroup], [role=tablist]';

let made = 0;

/** @typedef {{value: string, label: string, problem?: string|null}} Offer `problem`: why it cannot be chosen */

export class MenuButton extends LabElement {
  #label = h('span');
  #button = actionButton([this.#label, icon(ICONS.down, 14)], () => this.#press(), { 'aria-expanded': 'false' });
  #groups = 0;
  /** What `offer` made last, by its title. @type {Map<string, {group: HTMLElement, seen: Seen}>} */
  #offered = new Map();
  /** Holds the controls. */
  panel = h('div', { class: 'menu-panel', role: 'group', id: `menu-${++made}` });

  render() {
    this.panel.popover = 'manual';
    this.classList.add('menu');
    this.#button.setAttribute('aria-controls', this.panel.id);
    this.append(this.#button, this.panel);
    this.#button.addEventListener('keydown', event => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.open = true;
      this.#controls[0]?.focus();
    });
    this.addEventListener('keydown', event => this.#onKey(event));
    this.addEventListener('focusout', event => {
      const to = /** @type {Node|null} */ (event.relatedTarget);
      if (to && !this.contains(to)) this.open = false;
    });
  }

  /** @param {AbortSignal} life */
  connected(life) {
    const outside = (/** @type {Event} */ event) => {
      if (this.open && !event.composedPath().includes(this)) this.open = false;
    };
    document.addEventListener('pointerdown', outside, { capture: true, signal: life });
    addEventListener('resize', () => this.open && this.#place(), { signal: life });
    life.addEventListener('abort', () => this.#button.setAttribute('aria-expanded', 'false'), { once: true });
  }

  /** @param {string} label what the button says; it names the panel, too */
  set label(label) {
    setText(this.#label, label);
    this.panel.ariaLabel = label;
  }

  /** @param {string} hint its tooltip */
  set hint(hint) {
    this.#button.title = hint;
  }

  /** @param {string} hook `data-role` of the button */
  set hook(hook) {
    this.#button.dataset.role = hook;
  }

  /** @param {boolean} quiet draws the button without a frame */
  set quiet(quiet) {
    this.#button.classList.toggle('framed', !quiet);
  }

  /** @returns {boolean} whether the panel is shown */
  get open() {
    return this.panel.matches(':popover-open');
  }
  set open(open) {
    if (open === this.open || !this.isConnected) return;
    this.panel.togglePopover(open);
    this.#button.setAttribute('aria-expanded', String(open));
    if (open) this.#place();
    this.emit('openchange', open);
  }

  /**
   * Appends controls under a title.
   * @param {string} title @param {...(Node|string)} elements
   * @returns {HTMLElement} the group
   */
  group(title, ...elements) {
    const name = h('div', { class: 'menu-title', id: `${this.panel.id}-${++this.#groups}` }, title);
    const group = h('div', { class: 'menu-group', role: 'group', 'aria-labelledby': name.id }, name, ...elements);
    this.panel.append(group);
    return group;
  }

  /**
   * Offers what can be chosen under a title. Offered again, it replaces what was there, but not while the panel is
   * open: what is pointed at stays where it is.
   * @param {string} title
   * @param {Offer[]} offers none: the title is hidden
   * @param {{hook: string, choose: (value: string) => void}} options `hook`: what the `data-role` of each begins with
   */
  offer(title, offers, { hook, choose }) {
    const before = this.#offered.get(title);
    if (this.open || before?.seen.again(offers)) return;
    const group = this.group(
      title,
      ...offers.map(({ value, label, problem }) =>
        problem
          ? h('p', { class: 'faint menu-note' }, `Not as ${label}: ${problem}.`)
          : this.item(label, () => choose(value), { hook: `${hook}-${value}` }),
      ),
    );
    group.hidden = offers.length === 0;
    before?.group.replaceWith(group);
    const seen = before?.seen ?? new Seen();
    if (!before) seen.again(offers);
    this.#offered.set(title, { group, seen });
  }

  /**
   * Makes a command for the panel: a press closes the panel, then acts.
   * @param {string} label @param {() => void} handler
   * @param {{hook?: string, keys?: string[]}} [options] `hook`: its `data-role`; `keys`: those that do the same, as
   *   people read them
   * @returns {HTMLButtonElement}
   */
  item(label, handler, { hook, keys = [] } = {}) {
    return actionButton(
      [
        h('span', { class: 'grow' }, label),
        keys.length ? h('span', { class: 'keys', 'aria-hidden': 'true' }, ...keys.map(key => h('kbd', {}, key))) : null,
      ],
      () => {
        this.close();
        handler();
      },
      { class: 'menu-item', 'data-role': hook },
    );
  }

  /** Closes the panel; the focus returns to the button if it was inside. */
  close() {
    const held = this.contains(focused());
    this.open = false;
    if (held) this.#button.focus();
  }

  get #controls() {
    return all(this.panel, CONTROLS).filter(control => control.checkVisibility() && control.tabIndex >= 0);
  }

  #press() {
    this.open = !this.open;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.open) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
      return;
    }
    const step = STEPS[event.key];
    const target = /** @type {HTMLElement} */ (event.target);
    if (!step || !this.panel.contains(target) || closest(event, STEERED)) return;
    event.preventDefault();
    const controls = this.#controls;
    const at = controls.indexOf(target) + step;
    if (at < 0) this.#button.focus();
    else controls[Math.min(at, controls.length - 1)]?.focus();
  }

  /** Below the button, or above it where there is more room; aligned with the side of the window that is nearer. */
  #place() {
    const { style } = this.panel;
    const button = this.#button.getBoundingClientRect();
    const below = innerHeight - button.bottom - GAP - MARGIN;
    const above = button.top - GAP - MARGIN;
    style.maxHeight = style.left = style.top = '';
    const { width, height } = this.panel.getBoundingClientRect();
    const isBelow = height <= below || below >= above;
    const shown = Math.min(height, isBelow ? below : above);
    const isRight = button.left + button.right > innerWidth;
    const left = isRight ? button.right - width : button.left;
    style.maxHeight = `${shown}px`;
    style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - MARGIN - width))}px`;
    style.top = `${isBelow ? button.bottom + GAP : button.top - GAP - shown}px`;
  }
}

customElements.define('menu-button', MenuButton);
