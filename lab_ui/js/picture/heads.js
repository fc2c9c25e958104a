/** The tokenizers over a picture and the caption under it. */
import { escaped, tag } from '../ui/svg_text.js';
import { THIN_SPACE } from '../util/format.js';

const MARGIN = 16;
const HEAD_ROW = 30;
const HEAD_GAP = 28;
const BADGE = 16; // px
const CAPTION = { fontSize: '11px', fontWeight: '400' };
const CAPTION_ROW = 16; // px

/**
 * @typedef {import('./pen.js').Pen} Pen
 * @typedef {{id: string, letter: string, name: string, text: string}} Head a tokenizer and its figures
 */

/** The font of a picture has no thin space. @param {string} text */
const plain = text => text.replaceAll(THIN_SPACE, '\u00a0');

/**
 * Where each head goes: in rows as wide as the picture.
 * @param {import('./pen.js').Pen} pen @param {Head[]} heads @param {number} width
 */
function* headPlaces(pen, heads, width) {
  let x = MARGIN;
  let row = 0;
  for (const head of heads) {
    const name = pen.width(plain(head.name), { ...STYLE, fontWeight: '600' });
    const all = BADGE + 8 + name + 8 + pen.width(plain(head.text), STYLE);
    if (x > MARGIN && x + all > width - MARGIN) {
      x = MARGIN;
      row++;
    }
    yield { head, x, y: 10 + row * HEAD_ROW, name };
    x += all + HEAD_GAP;
  }
}

const STYLE = { fontSize: '13px', fontWeight: '400' };

/** @param {Pen} pen @param {Head[]} heads @param {number} width of the picture */
export const headHeight = (pen, heads, width) =>
  Math.max(0, ...[...headPlaces(pen, heads, width)].map(({ y }) => y + HEAD_ROW));

/** @param {Pen} pen @param {Head[]} heads @param {number} width of the picture @returns {string} */
export function drawHeads(pen, heads, width) {
  const font = pen.font(STYLE);
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
            'font-family': pen.family,
            ...pen.paint(pen.variable('--panel')),
          },
          escaped(head.letter),
        ),
        tag('text', { x: x + BADGE + 8, y: line, ...font, 'font-weight': '600', ...ink }, escaped(plain(head.name))),
        tag('text', { x: x + BADGE + 16 + name, y: line, ...font, ...dim }, escaped(plain(head.text))),
      );
    })
    .join('');
}

/**
 * @param {Pen} pen @param {string} caption @param {number} width of the picture
 * @returns {{svg: string, height: number}} lines from the top of the caption on
 */
export function captionOf(pen, caption, width) {
  const lines = wrapped(pen, plain(caption), width - 2 * MARGIN);
  const rows = lines.map((line, n) =>
    tag(
      'text',
      {
        class: 'caption',
        x: MARGIN,
        y: (n + 1) * CAPTION_ROW,
        ...pen.font(CAPTION),
        ...pen.paint(pen.variable('--ink-2')),
      },
      escaped(line),
    ),
  );
  return { svg: rows.join(''), height: lines.length ? (lines.length + 1) * CAPTION_ROW : 0 };
}

/**
 * Lines of whole words; a word that is wider than a line has one of its own.
 * @param {import('./pen.js').Pen} pen @param {string} text @param {number} width
 */
function wrapped(pen, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.width(longer, CAPTION) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
