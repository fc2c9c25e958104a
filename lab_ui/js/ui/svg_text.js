/**
 * Writes SVG as text. Texts and names go through `escaped`, which escapes them and replaces characters that XML cannot
 * hold, or that change the direction of writing, by their names. `svg.js` builds nodes in the page.
 */
import { codePointOf } from '../util/unicode.js';
import { HIDDEN, nameOf } from '../text/visible_text.js';

const NO_CHARACTERS = /[\ufffe\uffff]/g; // XML 1.0 cannot write them
const MARKUP = /[&<>"']/g;

/** @param {string} text @returns {string} as character data or the value of an attribute */
export const escaped = text =>
  text
    .replace(HIDDEN, character => nameOf(codePointOf(character)))
    .replace(NO_CHARACTERS, character => nameOf(character.charCodeAt(0)))
    .replace(MARKUP, character => `&#${character.charCodeAt(0)};`);

/**
 * @param {string} name
 * @param {Object<string, string|number|null|undefined|false>} attributes left out if null, undefined, false or ""
 * @param {...string} children markup: text must be given as `escaped(text)`
 * @returns {string} an element
 */
export function tag(name, attributes, ...children) {
  const written = Object.entries(attributes)
    .map(([key, value]) =>
      value === null || value === undefined || value === false || value === ''
        ? ''
        : ` ${key}="${typeof value === 'number' ? number(value) : escaped(value)}"`,
    )
    .join('');
  return children.length ? `<${name}${written}>${children.join('')}</${name}>` : `<${name}${written}/>`;
}

/**
 * @param {{width: number, height: number, title: string}} picture in pixels
 * @param {string[]} children markup
 * @returns {string} a file
 */
export const svgFile = ({ width, height, title }, children) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${number(width)} ${number(height)}`,
      role: 'img',
    },
    tag('title', {}, escaped(title)),
    ...children,
  )}\n`;

/** @param {number} n */
const number = n => String(Math.round(n * 100) / 100);
