/** Builds elements. Text only ever enters the page as text nodes and attributes: tokens are hostile. */

/**
 * @template {HTMLElement | string} T
 * @param {T} tag a tag, or an element to complete
 * @param {Object<string, any>} [properties] `class`, `for`, `role`, `data-*` and `aria-*` become attributes, `on*`
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
    else element[name] = value;
  }
  for (const child of children.flat()) if (child) element.append(child);
  return /** @type {any} */ (element);
}

/**
 * Listens to what a component reports. Events of the browser that have the same name, such as the `change` of a field
 * within the component, are none of its reports.
 * @param {EventTarget} target @param {string} type @param {(detail: any) => void} act gets the event's `detail`
 */
export const listen = (target, type, act) =>
  target.addEventListener(type, event => {
    if (event instanceof CustomEvent) act(event.detail);
  });

/**
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement|null} the element the event belongs to, or one around it
 */
export const closest = (event, selector) => /** @type {Element} */ (event.target).closest?.(selector) ?? null;

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];

/** @param {ParentNode} parent @returns {HTMLElement[]} */
export const childrenOf = parent => /** @type {HTMLElement[]} */ ([...parent.children]);

/** @returns {HTMLElement|null} what has the focus */
export const focused = () => /** @type {HTMLElement|null} */ (document.activeElement);

/** Text with the web addresses in it as links, which open outside the lab. @param {string} text @returns {Node[]} */
export const linked = text =>
  text
    .split(/(https?:[^\s,;]+)/)
    .map((part, at) =>
      at % 2 ? h('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : document.createTextNode(part),
    );

const SVG = 'http://www.w3.org/2000/svg';

/** A stroke icon, 20 px. @param {string} path the `d` of its only path */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** Sets text only where it changed: a live region repeats itself otherwise. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
