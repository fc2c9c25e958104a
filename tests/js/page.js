/**
 * A page for tests of elements: happy-dom's, without styles, layout or a network. Import it before
 * what is tested: elements and events are those of the page from then on.
 */
import { Window } from 'happy-dom';

const window = new Window({ url: 'http://lab.test/' });
const NAMES = [
  'document',
  'location',
  'navigator',
  'customElements',
  'CustomEvent',
  'Element',
  'Event',
  'EventTarget',
  'HTMLElement',
  'HTMLDialogElement',
  'HTMLInputElement',
  'KeyboardEvent',
  'MutationObserver',
  'Node',
  'ResizeObserver',
  'cancelAnimationFrame',
  'getComputedStyle',
  'requestAnimationFrame',
];
for (const name of NAMES)
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
Object.defineProperty(globalThis, 'addEventListener', {
  value: window.addEventListener.bind(window),
  configurable: true,
});
Object.defineProperty(globalThis, 'window', { value: window, configurable: true, writable: true });

// The page is not in a secure context, as when another machine opens it over plain HTTP.
Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true });

/**
 * Sends a key to an element, as the keyboard does.
 * @param {Element} target @param {string} key @param {Object} [more]
 */
export function press(target, key, more = {}) {
  const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

/**
 * Call it between many drawings: what happy-dom's weak references were asked for stays in memory until the script
 * yields.
 * @returns {Promise<void>}
 */
export const forgotten = () => new Promise(resolve => setImmediate(resolve));
