/** Builds elements. Text only ever enters the page as text nodes and attributes: tokens are hostile. */

/**
 * @param {string} tag
 * @param {Object} [properties] `class`, `data-*`, `aria-*` and `role` become attributes, `on*` listeners, the rest properties
 * @param {...(Node|string|null|false|undefined)} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name === 'for' || /^(data|aria)-/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A stroke icon, 20 px. @param {string} path the `d` of its only path */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg'), line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** Sets text only where it changed: a live region repeats itself otherwise. */
export function setText(node, text) { if (node.textContent !== text) node.textContent = text; }
