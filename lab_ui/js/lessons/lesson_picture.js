/**
 * A figure of a lesson as a picture of its own: with the colours and letters that the page gives it, and its caption.
 */
import { svg } from '../ui/svg.js';

/** What a style sheet says of a shape or a text, by its name in SVG and in CSS. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-weight',
  'font-variant-ligatures',
  'text-decoration',
];
const FOOT = 34;
const LETTER = 7;

/**
 * @param {SVGElement} figure in the page
 * @param {{title: string, caption: string, paper: string, ink: string, fonts: string}} around `fonts`: a style sheet
 * @returns {{svg: string, width: number, height: number}}
 */
export function lessonPicture(figure, { title, caption, paper, ink, fonts }) {
  const size = /** @type {SVGSVGElement} */ (figure).viewBox.baseVal;
  const lines = wrapped(caption, Math.max(20, Math.floor(size.width / LETTER)));
  const height = size.height + FOOT + lines.length * 18 + 10;
  const copy = /** @type {SVGElement} */ (figure.cloneNode(true));
  const before = figure.querySelectorAll('rect, circle, path, text');
  copy.querySelectorAll('rect, circle, path, text').forEach((node, n) => {
    const style = getComputedStyle(before[n]);
    for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
  });
  for (const node of copy.querySelectorAll('[data-choice]'))
    for (const name of ['role', 'tabindex', 'aria-label', 'aria-pressed']) node.removeAttribute(name);
  const { x, y, width } = size;
  const whole = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `${x} ${y - FOOT} ${width} ${height}`,
  });
  const sheet = svg('style');
  sheet.textContent = fonts;
  whole.append(sheet, svg('rect', { x, y: y - FOOT, width, height, fill: paper }));
  whole.append(words(title, x + 8, y - 12, ink, 700), ...copy.childNodes);
  lines.forEach((line, n) => whole.append(words(line, x + 8, y + size.height + 16 + n * 18, ink, 400)));
  return { svg: new XMLSerializer().serializeToString(whole), width, height };
}

/** @param {string} text @param {number} x @param {number} y @param {string} fill @param {number} weight */
function words(text, x, y, fill, weight) {
  const node = svg('text', { x, y, fill, 'font-family': 'Inter, sans-serif', 'font-size': 13, 'font-weight': weight });
  node.textContent = text;
  return node;
}

/** @param {string} text @param {number} most characters of a line */
function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
