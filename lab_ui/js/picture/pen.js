/** Collects what a picture is made of, in the colours of the page and in the one font that the picture holds. */
import { escaped, tag } from '../ui/svg_text.js';

/** Collects what is drawn, in pixels from the upper left corner of a frame. */
export class Pen {
  parts = [];
  bottom = 0;
  /** How much larger than usual the text is. */
  scale = 1;
  /** Size of the letters in the blocks of lanes. */
  spelling = 0;
  #canvas = document.createElement('canvas').getContext('2d');
  #variables = getComputedStyle(document.documentElement);
  #ascents = new Map();

  constructor(frame) {
    this.frame = frame;
  }

  /** A rectangle of the window in the frame. */
  place({ left, top, width, height }) {
    const x = left - this.frame.left;
    const y = top - this.frame.top;
    this.bottom = Math.max(this.bottom, y + height);
    return { x, y, width, height };
  }

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
   * @returns {{'font-family': string, 'font-size': number, 'font-weight': string|null}}
   */
  font({ fontSize, fontWeight }) {
    return {
      'font-family': this.family,
      'font-size': parseFloat(fontSize),
      'font-weight': fontWeight === '400' ? null : fontWeight,
    };
  }

  /** From the top of a line of text to where its letters stand. */
  ascent(style) {
    const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    if (!this.#ascents.has(font)) {
      this.#canvas.font = font;
      this.#ascents.set(font, Math.round(this.#canvas.measureText('x').fontBoundingBoxAscent));
    }
    return this.#ascents.get(font);
  }

  /** @returns {string} the family of all texts of a picture */
  get family() {
    return this.variable('--mono').trim();
  }

  width(text, style) {
    this.#canvas.font = `${style.fontWeight} ${style.fontSize} ${this.family}`;
    return this.#canvas.measureText(text).width;
  }

  /** An element with a colour, an outline or words, whatever it is; one that is a token says which. */
  box(element) {
    const style = getComputedStyle(element);
    const rect = element.getBoundingClientRect();
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
          escaped(element.dataset.letter),
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

/** The text that stands in an element itself, and where. */
function ownWords(element) {
  const range = document.createRange();
  return [...element.childNodes]
    .filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
    .map(node => {
      range.selectNodeContents(node);
      return { text: node.data, box: range.getBoundingClientRect() };
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
