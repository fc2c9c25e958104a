/**
 * A tooltip for the pointer, the keyboard and assistive tools alike. ARIA pattern: tooltip. It is shown while its
 * target or its bubble is pointed at, or its target has the keyboard's focus, and always describes it. Esc hides it and
 * does nothing else then.
 */
import { h, setText } from './dom.js';

const GAP = 6; // px between the target and its tooltip, and from the edge of the window

let made = 0;

export class Tooltip {
  #target;
  #bubble = h('span', { class: 'tooltip', role: 'tooltip', id: `tooltip-${++made}`, popover: 'manual' });

  /** @param {HTMLElement} target */
  constructor(target) {
    this.#target = target;
    target.setAttribute('aria-describedby', this.#bubble.id);
    target.addEventListener('pointerenter', () => this.#show());
    for (const part of [target, this.#bubble])
      part.addEventListener('pointerleave', event => {
        if (!this.#holds(event.relatedTarget)) this.#hide();
      });
    target.addEventListener('focus', () => target.matches(':focus-visible') && this.#show());
    target.addEventListener('blur', () => this.#hide());
  }

  /** The bubble, to be put beside the target in the page. */
  get element() {
    return this.#bubble;
  }

  /** @param {string} text "" has no tooltip */
  set text(text) {
    setText(this.#bubble, text);
    if (!text) this.#hide();
  }

  /** Shows it if it is hidden, hides it if it is shown: for a target that does nothing else when it is pressed. */
  toggle() {
    if (this.#bubble.matches(':popover-open')) this.#hide();
    else this.#show();
  }

  #show() {
    if (!this.#bubble.isConnected || !this.#bubble.textContent) return;
    if (!this.#bubble.matches(':popover-open')) {
      this.#bubble.showPopover();
      // Wherever the focus is, and before anything else that Esc would close.
      addEventListener('keydown', this.#onKey, { capture: true });
    }
    const { left, bottom, top } = this.#target.getBoundingClientRect();
    const { width, height } = this.#bubble.getBoundingClientRect();
    const below = bottom + GAP + height <= window.innerHeight;
    const x = Math.max(GAP, Math.min(left, window.innerWidth - width - GAP));
    this.#bubble.style.left = `${x}px`;
    this.#bubble.style.top = `${below ? bottom + GAP : top - GAP - height}px`;
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    if (this.#bubble.matches(':popover-open')) {
      event.preventDefault();
      event.stopPropagation();
    } // else it went with the page around it
    this.#hide();
  };

  /** @param {EventTarget|null} node */
  #holds(node) {
    return node instanceof Node && (this.#target.contains(node) || this.#bubble.contains(node));
  }

  #hide() {
    removeEventListener('keydown', this.#onKey, { capture: true });
    if (this.#bubble.matches(':popover-open')) this.#bubble.hidePopover();
  }
}
