/**
 * A picture of a whole text with its tokens as they are on the screen, as SVG. `whole_text.js` lays the text out for
 * it; this module reads where things are drawn and changes nothing. What SVG is made of is `ui/svg_text.js`.
 *
 * Scripts that the fonts of the lab have look the same on every machine, because the picture holds those fonts. Letters
 * of other scripts are drawn by the fonts of who looks at it, and keep their places; PNG holds them as they were here.
 */
import { all } from '../ui/dom.js';
import { escaped, svgFile, tag } from '../ui/svg_text.js';
import { captionOf, drawHeads, headHeight } from './heads.js';
import { drawRun, runsOf } from './letters.js';
import { Pen } from './pen.js';
import { drawSpace } from './spaces.js';
import { drawLane, drawRange, hatches } from './tokens.js';

const MARGIN = 16; // px under the text

/** @typedef {import('../editor/token_text.js').TokenText} TokenText */
/**
 * @typedef {{body: string, width: number, height: number, title: string}} Picture `body`: markup; in pixels
 */

/**
 * @param {HTMLElement} element what the texts are in, laid out
 * @param {TokenText[]} texts
 * @param {{heads: import('./heads.js').Head[], title: string, caption: string}} around
 * @returns {Picture}
 */
export function pictureOf(element, texts, { heads, title, caption }) {
  const frame = element.getBoundingClientRect();
  const pen = new Pen(frame);
  for (const text of texts) drawText(pen, text);
  for (const head of all(element, '.side-head')) {
    pen.box(head);
    for (const part of all(head, '.badge, b')) pen.box(part);
  }
  const width = Math.ceil(frame.width);
  const top = headHeight(pen, heads, width);
  const foot = captionOf(pen, caption, width);
  const drawn = Math.ceil(top + pen.bottom + MARGIN);
  const height = drawn + foot.height;
  const body = [
    hatches(pen),
    tag('rect', { width, height, ...pen.paint(getComputedStyle(texts[0]).backgroundColor) }),
    drawHeads(pen, heads, width),
    tag('g', { transform: `translate(0 ${top})` }, ...pen.parts),
    tag('g', { transform: `translate(0 ${drawn})` }, foot.svg),
  ].join('');
  return { body, width, height, title };
}

/**
 * The picture as a file.
 * @param {Picture} picture
 * @param {{style: string, metadata: Object}} held `style`: the fonts; `metadata`: how the picture was made
 * @returns {string}
 */
export const svgOf = ({ body, ...picture }, { style, metadata }) =>
  svgFile(picture, [tag('metadata', {}, escaped(asciiJson(metadata))), tag('style', {}, escaped(style)), body]);

/** JSON in ASCII: XML cannot hold every character, and editors may change some. @param {Object} value */
const asciiJson = value =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** @param {Pen} pen @param {TokenText} text */
function drawText(pen, text) {
  const { view } = text;
  const { frame } = pen;
  /** @param {{left: number, right: number}} box */
  const shown = ({ left, right }) => right > frame.left && left < frame.right;
  for (const element of all(view.scrollDOM, '.text-range'))
    if (shown(element.getBoundingClientRect())) drawRange(pen, element);
  pen.scale = Number(getComputedStyle(view.scrollDOM).getPropertyValue('--scale')) || 1;
  pen.spelling = parseFloat(getComputedStyle(view.scrollDOM).getPropertyValue('--spelling')) || 0;
  const lanes = all(view.scrollDOM, '[data-role=lane]');
  text.drawnLanes.forEach((lane, n) => drawLane(pen, lanes[n], lane, shown));
  for (const element of view.scrollDOM.querySelectorAll('.white-space')) drawSpace(pen, element, shown);
  for (const run of runsOf(view, shown)) drawRun(pen, run, getComputedStyle(view.contentDOM));
  for (const element of all(
    view.scrollDOM,
    '.hidden-character, .cm-gutterElement, ' +
      '.token-layer :not(.token-lane, .token-lane *, .text-range, .white-space, svg, svg *)',
  ))
    if (shown(element.getBoundingClientRect())) pen.box(element);
}
