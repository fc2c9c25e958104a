/**
 * What a presentation draws beside the tokens of each line in the window: the letters of the lanes, how many tokens the
 * line has in each, covers over what is hidden, and a band behind the current line. Assistive tools read the same in
 * the summary of the current line (`presenter.js`).
 */
import { LineCache } from '../../editor/line_cache.js';
import { Overlay } from '../../editor/overlay.js';
import { reuse } from '../../editor/sync_elements.js';
import { count } from '../../util/format.js';
import { countInLine } from './line_counts.js';

const ASKS = 'Hidden. How many tokens?';
const STUB = 10; // px at the usual size: a cover hides a line break, too
const SHORTEST = 14; // px at the usual size
const ASKS_CHARACTER = 6; // px at the usual size, of the question

/**
 * @typedef {Object} Shown
 * @property {import('../../text/token_spans.js').TokenSpans[]} tokens per lane, all of them; empty: not known
 * @property {string[]} letters per lane
 * @property {number} hidden lane that is guessed; -1: none
 * @property {number} from UTF-16 position where covering starts; Infinity: nothing is covered
 * @property {{from: number, to: number}|null} current line
 *
 * @typedef {{middle: number, left: number, right: number, rtl: boolean}} Row a visual row of a line, in pixels
 * @typedef {{left: number, right: number, width: number}} Edges of the content
 * @typedef {{kind: string, left: number, top: number, width: number, height: number, label?: string, letter?:
 *   string}} Mark pixels of the scrolled content
 */
export class LineMarks extends Overlay {
  /** @type {Shown} */
  #shown = { tokens: [], letters: [], hidden: -1, from: Infinity, current: null };
  /** @type {HTMLElement[]} */
  #pool = [];

  constructor() {
    super('line-marks');
    this.cache = new LineCache();
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.on = true;
  }

  /** @param {import('../../editor/geometry.js').Geometry} geometry @param {{from: number, to: number}} range */
  read(geometry, { from, to }) {
    const { doc } = this.view.state;
    const edges = { ...geometry.contentEdges, width: this.view.scrollDOM.clientWidth };
    return geometry.parts(from, Math.min(to + 1, doc.length)).flatMap(part => this.#line(part, geometry, edges));
  }

  /** @param {Mark[]|null} marks */
  write(marks) {
    reuse(this.#pool, this.layer, marks ?? [], (element, { kind, left, top, width, height, label = '', letter }) => {
      element.className = kind;
      element.textContent = label;
      if (letter) element.dataset.letter = letter;
      else delete element.dataset.letter;
      Object.assign(element.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`,
      });
    });
  }

  /**
   * The marks of one line, or of the part of it that is in the window.
   * @param {import('../../editor/geometry.js').Part} part @param {import('../../editor/geometry.js').Geometry} geometry
   * @param {Edges} edges
   * @returns {Mark[]}
   */
  #line(part, geometry, edges) {
    const { current, letters, from: covered } = this.#shown;
    const { doc } = this.view.state;
    const line = doc.lineAt(part.from);
    const rows = rowsOf(part, line, geometry, this.cache.middle);
    const isCurrent = current?.from === line.from;
    const isCovered = line.from >= covered;
    return [
      ...(isCurrent ? [this.#band(rows, edges)] : []),
      ...rows.flatMap(row => letters.flatMap((_, lane) => this.#badge(row, lane, edges))),
      ...(part.from === line.from ? letters.flatMap((_, lane) => this.#count(rows[0], lane, line, edges)) : []),
      ...(isCovered ? rows.map((row, n) => this.#cover(row, edges, isCurrent, part.from === line.from && !n)) : []),
    ];
  }

  /** @param {Row} row @param {number} lane */
  #top({ middle }, lane) {
    return middle + this.rows.first + lane * this.rows.step;
  }

  /** @param {Row[]} rows @param {Edges} edges */
  #band(rows, { width }) {
    const { rowHeight, glyph } = this.rows;
    const top = rows[0].middle - glyph;
    return {
      kind: 'current-line',
      left: 0,
      top,
      width,
      height: rows[rows.length - 1].middle - glyph + rowHeight - top,
      letter: this.#hue,
    };
  }

  /** @param {Row} row @param {number} lane @param {Edges} edges */
  #badge(row, lane, { left }) {
    const size = Math.round(this.rows.height * 0.82);
    const top = this.#top(row, lane) + (this.rows.height - size) / 2;
    const gap = 7 * this.rows.scale;
    return {
      kind: 'badge',
      left: left - gap - size,
      top,
      width: size,
      height: size,
      letter: this.#shown.letters[lane],
    };
  }

  /** @param {Row} row @param {number} lane @param {{from: number, to: number}} line @param {Edges} edges */
  #count(row, lane, line, { width }) {
    const { tokens, hidden, from, letters } = this.#shown;
    if (!tokens.length) return [];
    const isHidden = lane === hidden && line.from >= from;
    return [
      {
        kind: 'line-count',
        left: 0,
        top: this.#top(row, lane),
        width: width - 12 * this.rows.scale,
        height: this.rows.height,
        label: isHidden ? '?' : count(countInLine(tokens[lane], line)),
        letter: letters[lane],
      },
    ];
  }

  /** @param {Row} row @param {Edges} edges @param {boolean} isCurrent @param {boolean} isFirst */
  #cover(row, { left, right }, isCurrent, isFirst) {
    const { scale } = this.rows;
    const stub = STUB * scale;
    const asks = isCurrent && isFirst ? ASKS.length * ASKS_CHARACTER : SHORTEST;
    const width = Math.min(right - left, Math.max(row.right - row.left + stub, asks * scale));
    return {
      kind: `cover${isCurrent ? ' asked' : ''}${row.rtl ? ' rtl' : ''}`,
      left: row.rtl ? row.right - width : row.left,
      top: this.#top(row, this.#shown.hidden),
      width,
      height: this.rows.height,
      label: isFirst ? (isCurrent ? ASKS : '?') : '',
      letter: this.#hue,
    };
  }

  /** The letter whose hue the band and the covers have. */
  get #hue() {
    const { letters, hidden } = this.#shown;
    return letters[hidden] ?? letters[0];
  }
}

/**
 * The visual rows of a line.
 * @param {import('../../editor/geometry.js').Part} part
 * @param {{from: number, to: number}} line
 * @param {import('../../editor/geometry.js').Geometry} geometry
 * @param {number} middle of a row, from its top
 * @returns {Row[]} in pixels of the scrolled content
 */
function rowsOf(part, line, geometry, middle) {
  /** @type {Map<number, Row>} */
  const rows = new Map();
  const to = Math.min(part.to, line.to);
  for (const { boxes } of part.from < to ? geometry.atoms([part.from, to]) : [])
    for (const { row, left, right, rtl } of boxes) {
      const known = rows.get(row);
      if (known) {
        known.left = Math.min(known.left, left);
        known.right = Math.max(known.right, right);
      } else {
        rows.set(row, { middle: geometry.centre(row), left, right, rtl });
      }
    }
  const { left } = geometry.contentEdges;
  // A line without characters has a row, too.
  if (!rows.size && Number.isFinite(part.top))
    rows.set(0, { middle: part.top + middle, left, right: left, rtl: false });
  return [...rows.values()].sort((a, b) => a.middle - b.middle);
}
