/**
 * The letters of a text in a picture: runs of one direction, placed where the editor placed them. Letters stay letters.
 */
import { clustersOf } from '../text/clusters.js';
import { all } from '../ui/dom.js';
import { escaped, tag } from '../ui/svg_text.js';
import { directionsOf, isRtl } from '../editor/geometry.js';
import { Direction } from '../../vendor/codemirror.js';
/** @import {Pen} from './pen.js' */

const PART = 256; // clusters
const SPACE = /^\p{White_Space}+$/u;
// scripts in which spacing may be adjusted between letters
const EVEN = /^[\x21-\x7e\u00a1-\u024f\u3041-\u30ff\u4e00-\u9fff]+$/u;

/**
 * @typedef {{text: string, left: number, right: number, top: number, bottom: number, rtl: boolean}} Run in pixels of
 *   the
 *   window
 * @typedef {import('./pen.js').Shown} Shown
 *
 * @param {Pen} pen @param {Run} run @param {CSSStyleDeclaration} style
 */
export function drawRun(pen, { text, left, right, top, bottom, rtl }, style) {
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
      escaped(text),
    ),
  );
}

/**
 * The letters in the window: stretches without white space that stand in one row and run in one direction.
 * @param {import('../../vendor/codemirror.js').EditorView} view @param {Shown} shown
 */
export function* runsOf(view, shown) {
  const { doc } = view.state;
  const range = document.createRange();
  for (const line of all(view.contentDOM, '.cm-line')) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('.hidden-character')) continue;
      const pos = view.posAtDOM(node, 0);
      const { from } = doc.lineAt(pos);
      yield* runsOfNode(/** @type {Text} */ (node), range, shown, directions(view, doc.lineAt(pos)), pos - from);
    }
  }
}

/**
 * @param {Text} node @param {Range} range @param {Shown} shown @param {(at: number) => boolean} isRtl
 * @param {number} offset
 */
function* runsOfNode(node, range, shown, isRtl, offset) {
  const clusters = clustersOf(node.data);
  let run = /** @type {Run|null} */ (null);
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

/**
 * Of a line of a megabyte the editor draws far more than fits the window.
 * @param {Text} node @param {Range} range @param {Shown} shown @param {number} at @param {number} length
 */
function partShown(node, range, shown, at, length) {
  range.setStart(node, at);
  range.setEnd(node, at + length);
  return [...range.getClientRects()].some(shown);
}

/**
 * @param {import('../../vendor/codemirror.js').EditorView} view @param {import('../editor/geometry.js').Line} line
 * @returns {(at: number) => boolean} whether the letter at a place of a line runs from right to left
 */
function directions(view, line) {
  const rtl = view.textDirectionAt(line.from) === Direction.RTL;
  const bidi = directionsOf(view, line, rtl);
  return at => isRtl(bidi, line.from + at);
}
