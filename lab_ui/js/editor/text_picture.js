/**
 * A picture of texts with their tokens as they are on the screen: the part in the window, as SVG or PNG. It reads where
 * things are drawn and changes nothing; what SVG is made of is `ui/svg_text.js`.
 *
 * Letters stay letters: runs of one direction, placed where the editor placed them, in the editor's own fonts, which
 * are named and not embedded.
 */
import { clustersOf } from '../text/clusters.js';
import { all } from '../ui/dom.js';
import { svgFile, tag, words } from '../ui/svg_text.js';
import { cutShape } from './boundary_shape.js';
import { directionsOf, isRtl } from './geometry.js';
import { Direction } from '../../vendor/codemirror.js';

const MARGIN = 16;
const HEAD_ROW = 30;
const HEAD_GAP = 28;
const BADGE = 16; // px
const LABEL = 9.5;
const NEWLINE = 11;
const GLYPH = 14; // px
const PART = 256; // clusters
const SPACE = /^\p{White_Space}+$/u;
// scripts in which spacing may be adjusted between letters
const EVEN = /^[\x21-\x7e\u00a1-\u024f\u3041-\u30ff\u4e00-\u9fff]+$/u;

/** @typedef {{id: string, letter: string, name: string, words: string}} Head a tokenizer and what is said of it */

/**
 * @param {HTMLElement} element a token-text, or what some of them stand in
 * @param {{heads: Head[], title: string}} around
 * @returns {{svg: string, width: number, height: number, whole: boolean}} in pixels; `whole`: all of the text is in the
 *   window
 */
export function pictureOf(element, { heads, title }) {
  const frame = element.getBoundingClientRect();
  const pen = new Pen(frame);
  const texts = /** @type {import('./token_text.js').TokenText[]} */ (
    element.matches('token-text') ? [element] : all(element, 'token-text')
  );
  for (const text of texts) drawText(pen, text);
  for (const head of all(element, '.side-head')) {
    pen.box(head);
    for (const part of all(head, '.badge, b')) pen.box(part);
  }
  const width = Math.ceil(frame.width);
  const top = headHeight(pen, heads, width);
  const height = Math.ceil(top + Math.min(frame.height, pen.bottom + MARGIN));
  const svg = svgFile({ width, height, title }, [
    hatches(pen),
    tag('rect', { width, height, ...pen.paint(getComputedStyle(texts[0]).backgroundColor) }),
    drawHeads(pen, heads, width),
    tag('g', { transform: `translate(0 ${top})` }, ...pen.parts),
  ]);
  const { shown, view } = texts[0];
  return { svg, width, height, whole: shown.from <= 0 && shown.to >= view.state.doc.length };
}

/** @param {{svg: string, width: number, height: number}} picture @param {number} scale @returns {Promise<Blob>} */
export async function pngOf({ svg, width, height }, scale) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  const canvas = document.createElement('canvas');
  try {
    image.src = url;
    await image.decode();
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => {
      canvas.toBlob(blob => (blob ? done(blob) : fail(new Error('the picture could not be drawn'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Collects what is drawn, in pixels from the upper left corner of a frame. */
class Pen {
  parts = [];
  bottom = 0;
  /** How much larger than usual the text is. */
  scale = 1;
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

  /** @returns {{'font-family': string, 'font-size': number, 'font-weight': string|null}} of an element's style */
  font({ fontFamily, fontSize, fontWeight }) {
    return {
      'font-family': fontFamily,
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

  width(text, style) {
    this.#canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
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
    if (seen || border)
      parts.push(
        tag('rect', {
          ...at,
          ...(seen ? fill : { fill: 'none' }),
          rx: Math.min(parseFloat(style.borderTopLeftRadius) || 0, at.height / 2) || null,
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
            },
            words(text),
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
          words(element.dataset.letter),
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

function drawText(pen, text) {
  const { view } = text;
  const box = view.scrollDOM.getBoundingClientRect();
  const shown = ({ top, bottom, left, right }) => {
    const middle = (top + bottom) / 2;
    return (
      middle >= box.top &&
      middle < box.bottom &&
      right > box.left &&
      left < box.right &&
      right > pen.frame.left &&
      left < pen.frame.right
    );
  };
  for (const element of all(view.scrollDOM, '.text-range'))
    if (shown(element.getBoundingClientRect())) drawRange(pen, element);
  pen.scale = Number(getComputedStyle(view.scrollDOM).getPropertyValue('--scale')) || 1;
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

/** One group for each token, with its pieces: a token that wraps has one on each line. */
function drawLane(pen, element, { tokenizer, pieces }, shown) {
  const groups = new Map();
  const styles = new Map();
  const styleOf = name => {
    if (!styles.has(name))
      styles.set(
        name,
        getComputedStyle(element.querySelector(`path[class="${name}"], path[class="${name} newline"]`)).fill,
      );
    return styles.get(name);
  };
  for (const piece of pieces) {
    const { x, y, width, height } = piece.box;
    if (!shown({ left: x, right: x + width, top: y, bottom: y + height })) continue;
    if (!groups.has(piece.token)) groups.set(piece.token, { piece, parts: [] });
    drawPiece(pen, piece, pen.place({ left: x, top: y, width, height }), groups.get(piece.token).parts, styleOf);
  }
  for (const {
    piece: { id, start, end },
    parts,
  } of groups.values())
    pen.parts.push(
      tag(
        'g',
        { class: 'token', 'data-tokenizer': tokenizer, 'data-id': id, 'data-start': start, 'data-end': end },
        tag('title', {}, words(`id ${id}, bytes ${start}–${end}`)),
        ...parts,
      ),
    );
}

function drawPiece(pen, { shade, cut, rtl, newline, stripe, mixed, unknown, part, label }, at, parts, styleOf) {
  parts.push(tag('rect', { ...at, ...pen.paint(styleOf(`shade ${shade}`)) }));
  if (mixed) parts.push(tag('rect', { ...at, fill: 'url(#mixed)' }));
  if (unknown) parts.push(tag('rect', { ...at, fill: 'url(#unknown)' }));
  const shape = cut && !part ? cut : '';
  const line = shape ? `ticks ${shape}` : 'ticks';
  if ((!part || stripe) && !newline)
    parts.push(
      tag('path', {
        d: cutShape(shape, rtl ? at.x + at.width : at.x, at.y, at.height, rtl, at.width),
        ...pen.paint(styleOf(line)),
      }),
    );
  if (label)
    parts.push(
      tag(
        'text',
        {
          class: 'id',
          x: at.x + at.width / 2,
          y: at.y + at.height + 2 + LABEL * pen.scale,
          'text-anchor': 'middle',
          'font-size': LABEL * pen.scale,
          'font-family': pen.variable('--mono'),
          ...pen.paint(pen.variable('--ink-3')),
        },
        words(label),
      ),
    );
}

function drawRange(pen, element) {
  const at = pen.place(element.getBoundingClientRect());
  const { classList } = element;
  if (classList.contains('dropped'))
    pen.parts.push(
      tag('path', {
        d: `M${at.x} ${at.y + at.height * 0.55}h${at.width}`,
        stroke: pen.paint(pen.variable('--bad')).fill,
        'stroke-width': 2,
        'stroke-dasharray': '4 2',
      }),
    );
  else if (classList.contains('cluster'))
    pen.parts.push(
      tag('path', {
        d: `M${at.x} ${at.y}v${at.height}h${at.width}v${-at.height}`,
        fill: 'none',
        stroke: pen.paint(pen.variable('--ink-3')).fill,
      }),
    );
  else if (classList.contains('current'))
    pen.parts.push(tag('rect', { ...at, ...pen.paint(pen.variable('--accent-soft')) }));
}

const GLYPHS = { tab: '→', newline: '↵' };

/** Dots of all spaces are one path of points; every other glyph is an element. */
function drawSpace(pen, element, shown) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (element.tagName === 'path') {
    const { left, top } = element.ownerSVGElement.getBoundingClientRect();
    for (const [, x, y] of element.getAttribute('d').matchAll(/M([-\d.]+) ([-\d.]+)h0/g)) {
      const point = {
        left: left + Number(x),
        right: left + Number(x) + 1,
        top: top + Number(y),
        bottom: top + Number(y),
      };
      if (shown(point))
        pen.parts.push(
          tag('circle', {
            class: 'space',
            cx: point.left - pen.frame.left,
            cy: point.top - pen.frame.top,
            r: 1.3 * pen.scale,
            ...pen.paint(style.stroke),
          }),
        );
    }
  } else if (shown(box)) {
    const at = pen.place(box);
    const kind = ['tab', 'newline'].find(name => element.classList.contains(name));
    const size = pen.scale * (kind === 'newline' ? NEWLINE : GLYPH);
    pen.parts.push(
      tag(
        'text',
        {
          class: 'space',
          x: at.x + (kind === 'tab' ? 0 : at.width / 2),
          y: at.y + at.height / 2 + size * 0.36,
          'text-anchor': kind === 'tab' ? null : 'middle',
          'font-size': size,
          'font-family': style.fontFamily,
          ...pen.paint(style.color),
        },
        words(GLYPHS[kind] ?? '⍽'),
      ),
    );
  }
}

function drawRun(pen, { text, left, right, top, bottom, rtl }, style) {
  const at = pen.place({ left, top, width: right - left, height: bottom - top });
  pen.parts.push(
    tag(
      'text',
      {
        class: 'text',
        x: rtl ? at.x + at.width : at.x,
        y: at.y + pen.ascent(style),
        direction: rtl ? 'rtl' : null,
        'unicode-bidi': rtl ? 'embed' : null,
        textLength: EVEN.test(text) ? at.width : null,
        ...pen.font(style),
        ...pen.paint(style.color),
      },
      words(text),
    ),
  );
}

/** The letters in the window: stretches without white space that stand in one row and run in one direction. */
function* runsOf(view, shown) {
  const { doc } = view.state;
  const range = document.createRange();
  for (const line of all(view.contentDOM, '.cm-line')) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('.hidden-character')) continue;
      const pos = view.posAtDOM(node, 0);
      const { from } = doc.lineAt(pos);
      yield* runsOfNode(/** @type {Text} */ (node), range, shown, directions(view, doc.lineAt(pos)), pos - from);
    }
  }
}

function* runsOfNode(node, range, shown, isRtl, offset) {
  const clusters = clustersOf(node.data);
  let run = null;
  let at = 0;
  for (let n = 0; n < clusters.length; n++) {
    if (n % PART === 0 && !partShown(node, range, shown, at, clusters.slice(n, n + PART).join('').length)) {
      if (run) yield run;
      run = null;
      at += clusters.slice(n, n + PART).join('').length;
      n += PART - 1;
      continue;
    }
    const text = clusters[n];
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    const rect = SPACE.test(text) ? null : ([...range.getClientRects()].find(({ width }) => width) ?? null);
    const rtl = isRtl(offset + at);
    at += text.length;
    if (run && (!rect || !shown(rect) || rtl !== run.rtl || Math.abs(rect.top - run.top) > 2)) {
      yield run;
      run = null;
    }
    if (!rect || !shown(rect)) continue;
    run ??= { text: '', left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom, rtl };
    Object.assign(run, {
      text: run.text + text,
      left: Math.min(run.left, rect.left),
      right: Math.max(run.right, rect.right),
    });
  }
  if (run) yield run;
}

/** Of a line of a megabyte the editor draws far more than fits the window. */
function partShown(node, range, shown, at, length) {
  range.setStart(node, at);
  range.setEnd(node, at + length);
  return [...range.getClientRects()].some(shown);
}

/** @returns {(at: number) => boolean} whether the letter at a place of a line runs from right to left */
function directions(view, line) {
  const rtl = view.textDirectionAt(line.from) === Direction.RTL;
  const bidi = directionsOf(view, line, rtl);
  return at => isRtl(bidi, line.from + at);
}

function hatches(pen) {
  const hatch = (id, angle) =>
    tag(
      'pattern',
      { id, width: 4, height: 4, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${angle})` },
      tag('rect', { width: 1, height: 4, ...pen.paint(pen.variable('--hatch')) }),
    );
  return tag('defs', {}, hatch('mixed', 45), hatch('unknown', -45));
}

/** Where each head goes: in rows as wide as the picture. */
function* headPlaces(pen, heads, width) {
  const style = headStyle();
  let x = MARGIN;
  let row = 0;
  for (const head of heads) {
    const name = pen.width(head.name, { ...style, fontWeight: '600' });
    const all = BADGE + 8 + name + 8 + pen.width(head.words, style);
    if (x > MARGIN && x + all > width - MARGIN) {
      x = MARGIN;
      row++;
    }
    yield { head, x, y: 10 + row * HEAD_ROW, name };
    x += all + HEAD_GAP;
  }
}

const headStyle = () => {
  const { fontFamily } = getComputedStyle(document.body);
  return { fontFamily, fontSize: '13px', fontWeight: '400' };
};

const headHeight = (pen, heads, width) =>
  Math.max(0, ...[...headPlaces(pen, heads, width)].map(({ y }) => y + HEAD_ROW));

function drawHeads(pen, heads, width) {
  const style = headStyle();
  const font = pen.font(style);
  const ink = pen.paint(pen.variable('--ink'));
  const dim = pen.paint(pen.variable('--ink-2'));
  return [...headPlaces(pen, heads, width)]
    .map(({ head, x, y, name }) => {
      const hue = pen.paint(pen.variable(`--${head.letter.toLowerCase()}`));
      const line = y + BADGE / 2 + 4.5;
      return tag(
        'g',
        { class: 'head' },
        tag('circle', { cx: x + BADGE / 2, cy: y + BADGE / 2, r: BADGE / 2, ...hue }),
        tag(
          'text',
          {
            x: x + BADGE / 2,
            y: y + BADGE / 2 + 3.5,
            'text-anchor': 'middle',
            'font-size': 10,
            'font-weight': '700',
            'font-family': pen.variable('--mono'),
            ...pen.paint(pen.variable('--panel')),
          },
          words(head.letter),
        ),
        tag('text', { x: x + BADGE + 8, y: line, ...font, 'font-weight': '600', ...ink }, words(head.name)),
        tag('text', { x: x + BADGE + 16 + name, y: line, ...font, ...dim }, words(head.words)),
      );
    })
    .join('');
}
