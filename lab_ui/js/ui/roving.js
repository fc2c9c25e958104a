/** One stop of Tab for a row of buttons or links: arrow keys, Home and End move between them. ARIA: roving tabindex. */
import { all, closest } from './dom.js';

/**
 * @param {HTMLElement} row @param {string} selector of its buttons
 * @param {{vertical?: boolean}} [options] vertical: the buttons stand below each other, up and down move
 * @returns {(preferred?: HTMLElement|null) => void} to be called when the buttons changed: makes `preferred`, the one
 *   with the focus, the one before, or the first the only stop
 */
export function roving(row, selector, { vertical = false } = {}) {
  const [back, on] = vertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const usable = () => /** @type {HTMLButtonElement[]} */ (all(row, selector)).filter(button => !button.disabled);
  /** @param {HTMLElement|undefined} stop */
  const stopAt = stop => {
    for (const button of all(row, selector)) button.tabIndex = button === stop ? 0 : -1;
  };
  row.addEventListener('focusin', event => {
    const button = closest(event, selector);
    if (button) stopAt(button);
  });
  row.addEventListener('keydown', event => {
    const found = usable().filter(button => button.checkVisibility());
    const at = found.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    /** @type {Object<string, number|undefined>} */
    const places = { [on]: at + 1, [back]: at - 1, Home: 0, End: found.length - 1 };
    const to = places[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    found[(to + found.length) % found.length].focus();
  });
  /** @param {HTMLElement|null} [preferred] */
  const renew = preferred => {
    const found = usable();
    const held = found.find(button => button === document.activeElement);
    stopAt(held ?? preferred ?? found.find(button => button.tabIndex === 0) ?? found[0]);
  };
  // A button that can no longer be used is no stop.
  new MutationObserver(() => renew()).observe(row, { attributeFilter: ['disabled'], subtree: true });
  return renew;
}
