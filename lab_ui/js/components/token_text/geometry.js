/**
 * Where stretches of the visible text are on the screen. Everything is read in one go, once per stretch, however many
 * lanes share its cuts; nothing here writes to the page.
 *
 * Coordinates are pixels from the top left corner of the scrolled content, so that drawings scroll with the text.
 */
import { Direction } from '../../../vendor/codemirror.js';

const MARGIN = 400; // pixels above and below the window that are drawn too, so that scrolling shows no bare text
const NEWLINE_WIDTH = 10;
const LONGEST_BIDI = 4096; // the editor itself takes longer lines to run in one direction
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;

/**
 * @typedef {{left: number, right: number, row: number, rtl: boolean, newline?: boolean}} Box
 * @typedef {{from: number, to: number, boxes: Box[]}} Atom a stretch that no lane cuts
 */

/** Reads the editor's geometry at one moment. */
export class Geometry {
  #view; #originX; #originY; #rowHeight; #firstCentre; #device;

  /** @param {import('../../../vendor/codemirror.js').EditorView} view @param {number} rowHeight of one visual line */
  constructor(view, rowHeight) {
    this.#view = view;
    const { left, top } = view.scrollDOM.getBoundingClientRect();
    this.#originX = left - view.scrollDOM.scrollLeft;
    this.#originY = top - view.scrollDOM.scrollTop;
    this.#rowHeight = rowHeight;
    this.#device = window.devicePixelRatio || 1;
    this.#firstCentre = 0;
  }

  /** The stretch of the text that is in the window, with a margin. Clipped: the editor keeps far more of a long line. */
  window() {
    const { scrollDOM, documentTop, viewport } = this.#view, box = scrollDOM.getBoundingClientRect();
    const from = this.#positionAt(box.top - MARGIN, documentTop, false), to = this.#positionAt(box.bottom + MARGIN, documentTop, true);
    return { from: Math.max(from, viewport.from), to: Math.min(to, viewport.to), top: scrollDOM.scrollTop - MARGIN, bottom: scrollDOM.scrollTop + box.height + MARGIN };
  }

  #positionAt(y, documentTop, atEnd) {
    const block = this.#view.lineBlockAtHeight(y - documentTop);
    // Of a line much longer than the window only the part in it is wanted; a short one is taken whole.
    if (block.height > 6 * this.#rowHeight && block.top < y - documentTop && block.bottom > y - documentTop) {
      const content = this.#view.contentDOM.getBoundingClientRect();
      const pos = this.#view.posAtCoords({ x: atEnd ? content.right - 4 : content.left + 4, y }, false);
      // The editor leaves a gap in lines that are very long; a position inside it has no place on the screen.
      const shown = this.#view.visibleRanges.find(range => (atEnd ? range.to >= pos : range.from <= pos && range.to >= pos));
      return shown ? pos : atEnd ? this.#view.visibleRanges.at(-1).to : pos;
    }
    return atEnd ? block.to : block.from;
  }

  /**
   * @param {number[]} cuts ascending positions
   * @returns {Atom[]} what lies between neighbouring cuts; stretches that are not on the screen have no boxes
   */
  atoms(cuts) {
    const view = this.#view, { doc } = view.state, range = document.createRange(), atoms = [];
    let line = null, bidi = null, dom = null;
    for (let n = 0; n + 1 < cuts.length; n++) {
      const from = cuts[n], to = cuts[n + 1];
      if (!line || from > line.to) {
        line = doc.lineAt(from);
        bidi = this.#bidiOf(line);
        dom = null;
      }
      if (from === line.to) { // the line break itself
        atoms.push({ from, to, boxes: this.#newline(line) });
        continue;
      }
      if (!view.visibleRanges.some(shown => shown.from <= from && shown.to >= to)) {
        dom = null;
        atoms.push({ from, to, boxes: [] });
        continue;
      }
      const start = dom ?? view.domAtPos(from, 1), end = view.domAtPos(to, -1);
      range.setStart(start.node, start.offset);
      range.setEnd(end.node, end.offset);
      atoms.push({ from, to, boxes: this.#boxes(range.getClientRects(), isRtl(bidi, from)) });
      dom = end;
    }
    return atoms;
  }

  /** Vertical middle of a row. */
  centre(row) { return this.#firstCentre + row * this.#rowHeight; }

  /** Where a drawing may begin and end, left and right. */
  get contentEdges() {
    const box = this.#view.contentDOM.getBoundingClientRect(), style = getComputedStyle(this.#view.contentDOM);
    return { left: box.left - this.#originX + parseFloat(style.paddingLeft), right: box.right - this.#originX - parseFloat(style.paddingRight), gutter: box.left - this.#originX };
  }

  /** @returns {{x: number, middle: number, rtl: boolean}|null} behind the last character */
  endOfText() {
    const view = this.#view, { length } = view.state.doc, at = view.coordsAtPos(length, -1) ?? view.coordsAtPos(length, 1);
    if (!at) return null;
    return { x: at.left - this.#originX, middle: (at.top + at.bottom) / 2 - this.#originY, rtl: view.textDirectionAt(length) === Direction.RTL };
  }

  #boxes(rects, rtl) {
    const boxes = [];
    for (const rect of rects) {
      const box = this.#box(rect, rtl), last = boxes.at(-1);
      if (last && last.row === box.row && box.left <= last.right + 1 && box.right >= last.left - 1) {
        last.left = Math.min(last.left, box.left);
        last.right = Math.max(last.right, box.right);
      } else {
        boxes.push(box);
      }
    }
    return boxes.length > 1 ? boxes.filter(box => box.right > box.left) : boxes;
  }

  #box(rect, rtl) {
    const middle = (rect.top + rect.bottom) / 2 - this.#originY;
    this.#firstCentre ||= middle % this.#rowHeight;
    // Whole device pixels: neighbours share an edge exactly, and no seam of the background shows between them.
    return { left: this.#snap(rect.left - this.#originX), right: this.#snap(rect.right - this.#originX), row: Math.round((middle - this.#firstCentre) / this.#rowHeight), rtl };
  }

  #newline(line) {
    const at = this.#view.coordsAtPos(line.to, -1) ?? this.#view.coordsAtPos(line.to, 1);
    if (!at) return [];
    const rtl = this.#view.textDirectionAt(line.to) === Direction.RTL, x = at.left;
    return [{ ...this.#box({ left: rtl ? x - NEWLINE_WIDTH : x, right: rtl ? x : x + NEWLINE_WIDTH, top: at.top, bottom: at.bottom }, rtl), newline: true }];
  }

  #bidiOf(line) {
    const view = this.#view, rtl = view.textDirectionAt(line.from) === Direction.RTL;
    if (line.length > LONGEST_BIDI) return rtl ? [{ from: line.from, to: line.to, rtl }] : null;
    if (!rtl && !RIGHT_TO_LEFT.test(line.text)) return null;
    return view.bidiSpans(line).map(span => ({ from: line.from + span.from, to: line.from + span.to, rtl: span.dir === Direction.RTL }));
  }

  #snap(x) { return Math.round(x * this.#device) / this.#device; }
}

const isRtl = (bidi, pos) => bidi?.find(span => span.from <= pos && span.to > pos)?.rtl ?? false;
