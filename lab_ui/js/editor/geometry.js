/**
 * Where stretches of the visible text are on the screen. Everything is read in one go, once per stretch, however many
 * lanes share its edges; nothing here writes to the page. With a cache only what is not known yet is read, and plain
 * ASCII of one width a row at a time; without one every stretch is read on its own, and the same comes out.
 *
 * Coordinates are pixels from the top left corner of the scrolled content, so that drawings scroll with the text.
 */
import { Direction } from '../../vendor/codemirror.js';
import { LONGEST_LINE } from './line_cache.js';
import { PlainText } from './plain_text.js';

const MARGIN = 400; // pixels above and below the window that are drawn too, so that scrolling shows no bare text
const NEWLINE_WIDTH = 10; // px, at least
const NEWLINE_SHARE = 0.9; // of a character, in large text
const LONGEST_BIDI = 4096; // the editor itself takes longer lines to run in one direction
const WIDTH_ERROR = 0.25; // px, of a row of characters of one width
const LONGEST_SEARCH = 1000; // characters in which a letter of the editor's own font is looked for
const ASCII_LETTER = /[!-~]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;

/**
 * @typedef {{left: number, right: number, row: number, rtl: boolean, newline?: boolean}} Box
 * @typedef {{from: number, to: number, text: string, top: number}} Part a line, or what of it is in the window, with
 *   its line break; pixels of the scrolled content
 * @typedef {ReturnType<import('../../vendor/codemirror.js').Text['line']>} Line
 * @typedef {import('./line_cache.js').Place} Place
 * @typedef {{from: number, to: number}} Stretch
 * @typedef {Geometry['contentEdges']} Edges
 * @typedef {{from: number, to: number, boxes: Box[]}} Atom a stretch that no lane splits
 */

/** Reads the editor's geometry at one moment. */
export class Geometry {
  #view;
  #cache;
  #content;
  #originX;
  #originY;
  #rowHeight;
  #middle;
  #firstCentre = NaN;
  #device;
  #range = document.createRange();
  /** @type {Map<number, number|null>} tops of lines */
  #tops = new Map();

  /**
   * @param {import('../../vendor/codemirror.js').EditorView} view @param {number} rowHeight of one visual line
   * @param {import('./line_cache.js').LineCache|null} cache what earlier drawings read
   * @param {number} middle of a row, from its top
   */
  constructor(view, rowHeight, cache = null, middle = rowHeight / 2) {
    this.#view = view;
    this.#cache = cache;
    const { left, top } = view.scrollDOM.getBoundingClientRect();
    this.#content = view.contentDOM.getBoundingClientRect();
    this.#originX = left - view.scrollDOM.scrollLeft;
    this.#originY = top - view.scrollDOM.scrollTop;
    this.#rowHeight = rowHeight;
    this.#device = window.devicePixelRatio || 1;
    cache?.begin(view, this.#content.width, rowHeight);
    this.#middle = cache?.middle ?? middle;
  }

  /**
   * The stretch of the text that is in the window, with a margin. Clipped: the editor keeps far more of a long line.
   */
  window() {
    const { scrollDOM, documentTop, viewport, visibleRanges: ranges } = this.#view;
    const box = scrollDOM.getBoundingClientRect();
    const from = this.#positionAt(box.top - MARGIN, documentTop, false);
    const to = this.#positionAt(box.bottom + MARGIN, documentTop, true);
    // The editor leaves gaps in lines that are very long. Until it has looked where it was scrolled to, the window may
    // be in one: what is there has no place on the screen, and there is much of it.
    const first = ranges.find(range => range.to >= from);
    const last = ranges.findLast(range => range.from <= to);
    return {
      from: Math.max(from, first?.from ?? viewport.from),
      to: Math.min(to, last?.to ?? viewport.to),
      top: scrollDOM.scrollTop - MARGIN,
      bottom: scrollDOM.scrollTop + box.height + MARGIN,
    };
  }

  /** A key that changes when a line of the range moves. @param {{from: number, to: number}} shown @returns {string} */
  stamp({ from, to }) {
    const { doc } = this.#view.state;
    const { left, width } = this.#content;
    const places = [from, to, left - this.#originX, width, this.#device, this.#rowHeight];
    for (const range of this.#view.visibleRanges) places.push(range.from, range.to);
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      places.push((this.#topOf(line) ?? NaN) - this.#originY);
      if (line.to >= to || line.number === doc.lines) return places.join();
    }
  }

  /**
   * The lines of a stretch, each with its line break.
   * @param {number} from @param {number} end
   * @returns {(Part & {whole: boolean})[]} `whole`: where it is follows from its text and its top
   */
  parts(from, end) {
    const { doc } = this.#view.state;
    /** @type {(Part & {whole: boolean})[]} */
    const parts = [];
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      const start = Math.max(line.from, from);
      const last = line.number === doc.lines;
      const stop = last ? line.to : line.to + 1;
      const to = Math.min(stop, end);
      const top = this.#topOf(line);
      const whole = start === line.from && to === stop && line.length < LONGEST_LINE && top !== null;
      if (top !== null && Number.isNaN(this.#firstCentre))
        this.#firstCentre = (this.#middleAt(line, start, top) - this.#originY) % this.#rowHeight;
      if (start < to)
        parts.push({
          from: start,
          to,
          text: whole ? `${line.text}${last ? '' : '\n'}` : doc.sliceString(start, to),
          top: (top ?? NaN) - this.#originY,
          whole,
        });
      if (last || line.to + 1 >= end) return parts;
    }
  }

  /**
   * The middle of a row that is drawn. Rows are counted from the top of their line, except after a gap of the editor:
   * its height is an estimate, not a whole number of rows, so a letter after it is measured.
   * @param {Line} line @param {number} start @param {number} top
   */
  #middleAt(line, start, top) {
    if (start > line.from) {
      const letter = this.#view.state.doc
        .sliceString(start, Math.min(line.to, start + LONGEST_SEARCH))
        .search(ASCII_LETTER);
      const at = this.#view.coordsAtPos(start + Math.max(0, letter), 1);
      if (at) return (at.top + at.bottom) / 2;
    }
    return top + this.#middle;
  }

  /** @param {number} y @param {number} documentTop @param {boolean} atEnd */
  #positionAt(y, documentTop, atEnd) {
    const block = this.#view.lineBlockAtHeight(y - documentTop);
    // Of a line much longer than the window only the part in it is wanted; a short one is taken whole.
    if (block.height > 6 * this.#rowHeight && block.top < y - documentTop && block.bottom > y - documentTop)
      return this.#positionIn(block, y, documentTop, atEnd);
    return atEnd ? block.to : block.from;
  }

  /**
   * The editor asks for the places of many characters: in a line of which more is known, it is asked once.
   * @param {ReturnType<import('../../vendor/codemirror.js').EditorView['lineBlockAtHeight']>} block @param {number} y
   * @param {number} documentTop @param {boolean} atEnd
   */
  #positionIn(block, y, documentTop, atEnd) {
    const view = this.#view;
    const { left, right } = this.#content;
    const name = `${y - documentTop - block.top} ${atEnd}`;
    const line = this.#cache?.of(view, view.state.doc.lineAt(block.from));
    const position =
      line?.positionAt(name) ?? view.posAtCoords({ x: atEnd ? right - 4 : left + 4, y }, false) - block.from;
    line?.setPosition(name, position);
    return block.from + position;
  }

  /**
   * @param {number[]} edges ascending positions
   * @returns {Atom[]} what lies between neighbouring edges; stretches that are not on the screen have no boxes
   */
  atoms(edges) {
    const { doc } = this.#view.state;
    /** @type {Atom[]} */
    const atoms = [];
    for (let n = 0; n + 1 < edges.length; ) {
      const line = doc.lineAt(edges[n]);
      const first = n;
      while (n + 1 < edges.length && edges[n] <= line.to) n++;
      this.#readLine(line, edges, first, n, atoms);
    }
    return atoms;
  }

  /**
   * The stretches from edge number `first` to number `last`, all of one line.
   * @param {Line} line @param {number[]} edges @param {number} first @param {number} last @param {Atom[]} atoms
   */
  #readLine(line, edges, first, last, atoms) {
    const view = this.#view;
    const known = this.#cache?.of(view, line);
    const top = this.#topOf(line);
    /** @type {{from: number, to: number, places: Place[]|undefined}[]} */
    const found = [];
    /** @type {typeof found} */
    const missing = [];
    /** @type {Stretch|null} */
    let shown = null;
    for (let n = first; n < last; n++) {
      const from = edges[n];
      const to = edges[n + 1];
      if (!shown || shown.from > from || shown.to < to)
        shown = view.visibleRanges.find(range => range.from <= from && range.to >= to) ?? null;
      const places = top === null || (!shown && from < line.to) ? [] : known?.get(from - line.from, to - line.from);
      const one = { from, to, places };
      found.push(one);
      if (!places) missing.push(one);
    }
    if (missing.length) {
      this.#readMissing(line, missing, top).forEach((places, n) => {
        const { from, to } = missing[n];
        known?.set(from - line.from, to - line.from, places);
        missing[n].places = places;
      });
    }
    for (const { from, to, places } of found) atoms.push({ from, to, boxes: this.#boxes(places ?? [], top ?? NaN) });
  }

  /**
   * @param {Line} line @param {Stretch[]} missing @param {number|null} top
   * @returns {import('./line_cache.js').Place[][]} of each stretch
   */
  #readMissing(line, missing, top) {
    const view = this.#view;
    const rtl = view.textDirectionAt(line.from) === Direction.RTL;
    const bidi = directionsOf(view, line, rtl);
    /** @type {Place[][]} */
    const out = [];
    const plain =
      this.#cache?.advance && !rtl
        ? new PlainText(view.state.doc, line, missing, Boolean(bidi) || line.length > LONGEST_BIDI)
        : null;
    while (out.length < missing.length) {
      const n = out.length;
      const { from, to } = missing[n];
      const end = plain ? plain.runFrom(n) : n;
      const run = end > n + 1 ? this.#readPlain(missing.slice(n, end), top) : null;
      if (run) out.push(...run);
      else out.push(from === line.to ? this.#newline(line, top) : this.#read(from, to, isRtl(bidi, from), top));
    }
    return out;
  }

  /** Top of a line in the window; null where it is not drawn. @param {Line} line */
  #topOf(line) {
    const known = this.#tops.get(line.from);
    if (known !== undefined) return known;
    const top = this.#readTop(line);
    this.#tops.set(line.from, top);
    return top;
  }

  /** @param {Line} line */
  #readTop(line) {
    const { node } = this.#view.domAtPos(line.from, 1);
    const element = node instanceof Element ? node : node.parentElement;
    const drawn = element?.closest('.cm-line');
    return drawn ? drawn.getBoundingClientRect().top : null;
  }

  /**
   * @param {Stretch[]} run @param {number|null} top
   * @returns {import('./line_cache.js').Place[][] | null} of each stretch of a run; null where the rows do not add up
   *   to the characters
   */
  #readPlain(run, top) {
    const advance = this.#cache?.advance ?? 0;
    const { from } = run[0];
    const { to } = run[run.length - 1];
    const rows = this.#read(from, to, false, top);
    /** @type {number[]} */
    const starts = [];
    let at = from;
    for (const { left, right } of rows) {
      const length = Math.round((right - left) / advance);
      if (Math.abs(length * advance - (right - left)) > WIDTH_ERROR) return null;
      starts.push(at);
      at += length;
    }
    if (at !== to) return null;
    starts.push(to);
    let row = 0;
    return run.map(atom => {
      const places = [];
      while (starts[row + 1] <= atom.from) row++;
      for (let r = row; starts[r] < atom.to; r++) {
        const { left, right, middle } = rows[r];
        const first = starts[r];
        const last = starts[r + 1];
        const width = (right - left) / (last - first);
        places.push({
          left: left + (Math.max(atom.from, first) - first) * width,
          right: left + (Math.min(atom.to, last) - first) * width,
          middle,
          rtl: false,
        });
      }
      return places;
    });
  }

  /**
   * One stretch, as the browser has it: a place per row and run.
   * @param {number} from @param {number} to @param {boolean} rtl @param {number|null} top
   */
  #read(from, to, rtl, top) {
    const view = this.#view;
    const start = view.domAtPos(from, 1);
    const end = view.domAtPos(to, -1);
    /** @type {Place[]} */
    const places = [];
    this.#range.setStart(start.node, start.offset);
    this.#range.setEnd(end.node, end.offset);
    for (const rect of this.#range.getClientRects()) {
      const place = this.#place(rect, rtl, top);
      const last = places.at(-1);
      if (last && this.#sameRow(last, place) && place.left <= last.right + 1 && place.right >= last.left - 1) {
        last.left = Math.min(last.left, place.left);
        last.right = Math.max(last.right, place.right);
      } else {
        places.push(place);
      }
    }
    return places.length > 1 ? places.filter(place => place.right > place.left) : places;
  }

  /** @param {Place} a @param {Place} b */
  #sameRow(a, b) {
    return Math.abs(a.middle - b.middle) < this.#rowHeight / 2;
  }

  /**
   * @param {{left: number, right: number, top: number, bottom: number}} rect @param {boolean} rtl
   * @param {number|null} lineTop
   */
  #place({ left, right, top, bottom }, rtl, lineTop) {
    return {
      left: left - this.#content.left,
      right: right - this.#content.left,
      middle: (top + bottom) / 2 - (lineTop ?? NaN),
      rtl,
    };
  }

  /** Vertical middle of a row. Known once `parts` were asked for. @param {number} row */
  centre(row) {
    return this.#firstCentre + row * this.#rowHeight;
  }

  /** Where a drawing may begin and end, left and right. */
  get contentEdges() {
    const box = this.#content;
    const style = getComputedStyle(this.#view.contentDOM);
    return {
      left: box.left - this.#originX + parseFloat(style.paddingLeft),
      right: box.right - this.#originX - parseFloat(style.paddingRight),
      gutter: box.left - this.#originX,
    };
  }

  /** @returns {{x: number, middle: number, rtl: boolean}|null} behind the last character */
  endOfText() {
    const { doc } = this.#view.state;
    const at = this.#lineEnd(doc.lineAt(doc.length));
    return at && { x: at.x - this.#originX, middle: (at.top + at.bottom) / 2 - this.#originY, rtl: at.rtl };
  }

  /**
   * Where a line ends for a reader: behind all of its last row, which is not behind its last character where that runs
   * against the line.
   * @param {Line} line @returns {{x: number, top: number, bottom: number, rtl: boolean} | null}
   */
  #lineEnd(line) {
    const view = this.#view;
    const at = view.coordsAtPos(line.to, -1) ?? view.coordsAtPos(line.to, 1);
    const rtl = view.textDirectionAt(line.to) === Direction.RTL;
    if (!at) return null;
    const end = { x: at.left, top: at.top, bottom: at.bottom, rtl };
    const last = directionsOf(view, line, rtl)?.find(span => span.to === line.to);
    if (!last || last.rtl === rtl) return end;
    const shown = view.visibleRanges.find(range => range.from <= line.to && range.to >= line.to);
    const from = view.domAtPos(Math.max(line.from, shown?.from ?? line.to), 1);
    const to = view.domAtPos(line.to, -1);
    this.#range.setStart(from.node, from.offset);
    this.#range.setEnd(to.node, to.offset);
    for (const rect of this.#range.getClientRects())
      if (rect.top < at.bottom && rect.bottom > at.top)
        end.x = rtl ? Math.min(end.x, rect.left) : Math.max(end.x, rect.right);
    return end;
  }

  /**
   * Whole device pixels: neighbours share an edge exactly, and no seam of the background shows between them.
   * @param {Place[]} places @param {number} lineTop
   */
  #boxes(places, lineTop) {
    const offset = this.#content.left - this.#originX;
    return places.map(({ left, right, middle, rtl, newline }) => {
      const y = middle + lineTop - this.#originY;
      const box = { left: this.#snap(left + offset), right: this.#snap(right + offset), row: this.#rowAt(y), rtl };
      return newline ? { ...box, newline } : box;
    });
  }

  /** All rows are of one height, from the first line on. @param {number} y */
  #rowAt(y) {
    return Math.round((y - this.#firstCentre) / this.#rowHeight);
  }

  /** @param {Line} line @param {number|null} top */
  #newline(line, top) {
    const at = this.#lineEnd(line);
    if (!at) return [];
    const { rtl, x } = at;
    const width = Math.max(NEWLINE_WIDTH, Math.round(NEWLINE_SHARE * this.#view.defaultCharacterWidth));
    return [
      {
        ...this.#place(
          { left: rtl ? x - width : x, right: rtl ? x : x + width, top: at.top, bottom: at.bottom },
          rtl,
          top,
        ),
        newline: true,
      },
    ];
  }

  /** @param {number} x */
  #snap(x) {
    return Math.round(x * this.#device) / this.#device;
  }
}

/**
 * Which parts of a line run from right to left.
 * @param {import('../../vendor/codemirror.js').EditorView} view
 * @param {Line} line of the document
 * @param {boolean} rtl the direction of the whole
 * @returns {{from: number, to: number, rtl: boolean}[]|null} null: all of it runs from left to right
 */
export function directionsOf(view, line, rtl) {
  if (line.length > LONGEST_BIDI) return rtl ? [{ from: line.from, to: line.to, rtl }] : null;
  if (!rtl && !RIGHT_TO_LEFT.test(line.text)) return null;
  return view.bidiSpans(line).map(span => ({
    from: line.from + span.from,
    to: line.from + span.to,
    rtl: span.dir === Direction.RTL,
  }));
}

/** @param {ReturnType<typeof directionsOf>} bidi @param {number} pos in the text */
export const isRtl = (bidi, pos) => bidi?.find(span => span.from <= pos && span.to > pos)?.rtl ?? false;
