/** Builds nodes of SVG. `svg_text.js` writes SVG as text. */

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** @param {string} name @param {Object<string, string|number>} [attributes] @returns {SVGElement} */
export function svg(name, attributes = {}) {
  const element = /** @type {SVGElement} */ (document.createElementNS(NAMESPACE, name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
