/** Collects what a picture is made of, in the colours of the page and in the one font that the picture holds. */
import { escaped, tag } from '../ui/svg_text.js';

/** @typedef {(box: Pick<DOMRect, 'left'|'right'>) => boolean} Shown whether a box of the window is in the frame */

/** Collects what is drawn, in pixels from the upper left corner of a frame. */
export class Pen {
  /** @type {string[]} */
  parts = [];
  bottom = 0;
  /** How much larger than usual the text is. */
  scale = 1;
  /** Size of the letters in the blocks of lanes. */
  spelling = 0;
  #canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  #variables = getComputedStyle(document.documentElement);
  /** @type {Map<string, number>} */
  #ascents = new Map();

  /** @param {DOMRect} frame */
  constructor(frame) {
    this.frame = frame;
  }

  /** A rectangle of the window in the frame. @param {{left: number, top: number, width: number, height: number}} box */
  place({ left, top, width, height }) {
    const x = left - this.frame.left;
    const y = top - this.frame.top;
    this.bottom = Math.max(this.bottom, y + height);
    return { x, y, width, height };
  }

  /** @param {string} name */
  variable(name) {
    return this.#variables.getPropertyValue(name);
  }

  /** @param {string} colour as CSS has it @returns {{fill: string, 'fill-opacity'?: number}} */
  paint(colour) {
    this.#canvas.fillStyle = '#000';
    this.#canvas.fillStyle = colour;
    const fill = String(this.#canvas.fillStyle);
    const found = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(fill);
    return found ? { fill: `rgb(${found[1]},${found[2]},${found[3]})`, 'fill-opacity': Number(found[4]) } : { fill };
  }

  /**
   * The font of a text, which is always the one that the picture holds.
   * @param {{fontSize: string, fontWeight: string}} style
   * @returns {{'font-family': string, 'font-size': number, 'font-weight': string|null}}
   */
  font({ fontSize, fontWeight }) {
    return {
      'font-family': this.family,
      'font-size': parseFloat(fontSize),
      'font-weight': fontWeight === '400' ? null : fontWeight,
    };
  }

  /** From the top of a line of text to where its letters stand. @param {CSSStyleDeclaration} style */
  ascent(style) {
    const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const known = this.#ascents.get(font);
    if (known !== undefined) return known;
    this.#canvas.font = font;
    const ascent = Math.round(this.#canvas.measureText('x').fontBoundingBoxAscent);
    this.#ascents.set(font, ascent);
    return ascent;
  }

  /** @returns {string} the family of all texts of a picture */
  get family() {
    return this.variable('--mono').trim();
  }

  /** @param {string} text @param {{fontSize: string, fontWeight: string}} style */
  width(text, style) {
    this.#canvas.font = `${style.fontWeight} ${style.fontSize} ${this.family}`;
    return this.#canvas.measureText(text).width;
  }

  /**
   * An element with a colour, an outline or words, whatever it is; one that is a token says which.
   * @param {HTMLElement} element
   */
  box(element) {
    const style = getComputedStyle(element);
    const rect = element.getBoundingClientRect();
    /** @type {string[]} */
    const parts = [];
    if (style.visibility === 'hidden' || style.display === 'none' || !rect.width) return;
    const at = this.place(rect);
    const fill = this.paint(style.backgroundColor);
    const border = parseFloat(style.borderTopWidth);
    const ink = this.paint(style.color);
    const seen = fill['fill-opacity'] !== 0;
    const corners = cornersOf(style.clipPath, at);
    if (seen || border)
      parts.push(
        tag(corners ? 'polygon' : 'rect', {
          ...(corners ? { points: corners } : at),
          ...(seen ? fill : { fill: 'none' }),
          rx: corners ? null : radiusOf(style.borderTopLeftRadius, at),
          stroke: border ? this.paint(style.borderTopColor).fill : null,
          'stroke-dasharray': border && style.borderTopStyle === 'dashed' ? '3 2' : null,
        }),
      );
    if (ink['fill-opacity'] !== 0)
      for (const { text, box } of ownWords(element))
        parts.push(
          tag(
            'text',
            {
              x: box.left - this.frame.left,
              y: box.top - this.frame.top + this.ascent(style),
              ...this.font(style),
              ...ink,
              // the room that the letters have on the screen, where they may be of another font
              textLength: box.width,
              lengthAdjust: 'spacingAndGlyphs',
            },
            escaped(text),
          ),
        );
    if (element.classList.contains('badge'))
      parts.push(
        tag(
          'text',
          {
            x: at.x + at.width / 2,
            y: at.y + at.height / 2 + 3.2,
            'text-anchor': 'middle',
            ...this.font(style),
            ...ink,
          },
          escaped(element.dataset.letter ?? ''),
        ),
      );
    const { role, id, start, end } = element.dataset;
    this.parts.push(
      role === 'token'
        ? tag('g', { class: 'token', 'data-id': id, 'data-start': start, 'data-end': end }, ...parts)
        : parts.join(''),
    );
  }
}

/** The text that stands in an element itself, and where. @param {HTMLElement} element */
function ownWords(element) {
  const range = document.createRange();
  return [...element.childNodes].flatMap(node => {
    if (!(node instanceof Text) || !node.data.trim()) return [];
    range.selectNodeContents(node);
    return [{ text: node.data, box: range.getBoundingClientRect() }];
  });
}

/** The radius of a corner, which may be a share of the box. @param {string} radius @param {{height: number}} box px */
const radiusOf = (radius, { height }) =>
  Math.min((parseFloat(radius) || 0) * (radius.endsWith('%') ? height / 100 : 1), height / 2) || null;

/**
 * The corners of an element that is clipped to a polygon, as SVG has them; null for other elements.
 * @param {string} clip as computed: "polygon(50% 0px, 100% 50%)"
 * @param {{x: number, y: number, width: number, height: number}} box px
 */
function cornersOf(clip, { x, y, width, height }) {
  const [, list] = /^polygon\((.*)\)$/.exec(clip) ?? [];
  const corners = list?.split(', ').map(corner => {
    const [across, down] = corner.split(' ').map(share => parseFloat(share) / 100);
    return `${x + across * width},${y + down * height}`;
  });
  return corners?.join(' ') ?? null;
}
