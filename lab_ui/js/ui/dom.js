/** Builds elements. Text only enters the page as text nodes and attributes: tokens are hostile. */
import { Seen } from '../util/seen.js';

/**
 * @typedef {{onclick?: (event: MouseEvent) => void, onkeydown?: (event: KeyboardEvent) => void, oninput?: (event:
 *   Event)
 *   => void, onchange?: (event: Event) => void, onsubmit?: (event: SubmitEvent) => void}} Listeners
 */

/**
 * @template {HTMLElement | string} T
 * @param {T} tag a tag, or an element to complete
 * @param {Object<string, any> & Listeners} [properties] `class`, `for`, `role`, `data-*` and `aria-*` become
 *   attributes, `on*`
 *   listeners, the rest properties
 * @param {...(Node|string|null|undefined|false|(Node|string|null|undefined|false)[])} children
 * @returns {T extends HTMLElement ? T : T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = typeof tag === 'string' ? document.createElement(tag) : /** @type {HTMLElement} */ (tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name === 'for' || /^(data|aria)-/.test(name))
      element.setAttribute(name, value);
    else Object.assign(element, { [name]: value });
  }
  for (const child of children.flat()) if (child) element.append(child);
  return /** @type {any} */ (element);
}

/**
 * A button that acts when it is pressed.
 * @param {Node|string|(Node|string|null|undefined|false)[]} label what is in it
 * @param {(event: MouseEvent) => void} onclick
 * @param {Object<string, any> & Listeners} [more] as of `h`; its `class` in place of that of a button with a frame
 */
export const actionButton = (label, onclick, more) =>
  h('button', { type: 'button', class: 'button framed', onclick, ...more }, ...[label].flat());

/**
 * Listens to what an element reports. Events of the browser with the same name are ignored.
 * @param {EventTarget} target @param {string} type @param {(detail: any) => void} handler gets the event's `detail`
 */
export const listen = (target, type, handler) =>
  target.addEventListener(type, event => {
    if (event instanceof CustomEvent) handler(event.detail);
  });

/**
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement|null} the innermost element that matches, from the event's target outwards
 */
export const closest = (event, selector) => /** @type {Element} */ (event.target).closest?.(selector) ?? null;

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];

/** @param {ParentNode} parent @returns {HTMLElement[]} */
export const childrenOf = parent => /** @type {HTMLElement[]} */ ([...parent.children]);

/** @returns {HTMLElement|null} the element that has the focus */
export const focused = () => /** @type {HTMLElement|null} */ (document.activeElement);

/** Makes links of the web addresses in a text, which open outside the lab. @param {string} text @returns {Node[]} */
export const linkify = text =>
  text
    .split(/(https?:[^\s,;]+)/)
    .map((part, at) =>
      at % 2 ? h('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : document.createTextNode(part),
    );

/**
 * Makes the children of `parent` those of `items`, in their order. An element whose key stays is written again and
 * keeps its focus, listeners and state.
 * @template T
 * @param {HTMLElement} parent whose children are all made here
 * @param {T[]} items with different keys
 * @param {(item: T) => string|number} key
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [write] called for every item, also when its element is new
 */
export function update(parent, items, key, make, write = () => {}) {
  const held = parent.contains(focused()) ? focused() : null;
  const before = new Map(childrenOf(parent).map(element => [element.dataset.key, element]));
  const wanted = items.map(item => {
    const name = String(key(item));
    const element = before.get(name) ?? make(item);
    before.delete(name);
    element.dataset.key = name;
    write(element, item);
    return element;
  });
  for (const element of before.values()) element.remove();
  wanted.forEach((element, at) => {
    if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
  });
  if (held?.isConnected && held !== focused()) held.focus({ preventScroll: true });
}

/** What `drawnOnce` made last of each element. @type {WeakMap<HTMLElement, Seen>} */
const drawn = new WeakMap();

/**
 * Makes what is in an element anew, unless it was made of the same before. What has the focus has it again afterwards,
 * if what takes its place has the same `data-key`.
 * @param {HTMLElement} element @param {any} key plain data that the content depends on
 * @param {() => (Node|string|null|undefined|false)[]} make
 * @returns {boolean} whether it was made
 */
export function drawnOnce(element, key, make) {
  const seen = drawn.get(element) ?? new Seen();
  drawn.set(element, seen);
  if (seen.again(key)) return false;
  const held = element.contains(focused()) ? focused()?.dataset.key : undefined;
  const content = make().filter(child => child !== null && child !== undefined && child !== false);
  element.replaceChildren(.../** @type {(Node|string)[]} */ (content));
  if (held !== undefined)
    all(element, '[data-key]')
      .find(each => each.dataset.key === held)
      ?.focus();
  return true;
}

/**
 * Sets a text if it changed, so that a live region does not repeat itself.
 * @param {Node|null} node @param {string} text
 */
export function setText(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}
