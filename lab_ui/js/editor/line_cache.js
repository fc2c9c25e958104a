/**
 * What is known of where the text of lines is, so that a drawing reads only what is new to it. Where the characters of
 * a line are follows from its text, the width there is and the font; so lines are known by their text, wherever they
 * stand. A line too long for that is known as long as the document is the same. Reading itself is in `geometry`.
 */

const MOST_LINES = 400;
const MOST_HEIGHTS = 100; // of a line
export const LONGEST_LINE = 3900; // characters; of longer ones the editor leaves out parts
const LONGEST = 4096; // characters of a stretch
const ASCII = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('');
const SAME_WIDTH = 0.03; // px; the browser's own numbers are 64ths of a pixel

/**
 * @typedef {{left: number, right: number, middle: number, rtl: boolean, newline?: boolean}} Place pixels from the left
 *   of the content and the top of the line
 */

/** The places of stretches of one line. */
class KnownLine {
  /** @type {Map<number, Place[]>} */
  #places = new Map();
  /** @type {Map<string, number>} */
  #positions = new Map();

  /** @param {number} from @param {number} to counted from the start of the line @returns {Place[]|undefined} */
  get(from, to) {
    return this.#places.get(from * LONGEST + to - from);
  }

  /** @param {number} from @param {number} to @param {Place[]} places */
  set(from, to, places) {
    if (to - from < LONGEST) this.#places.set(from * LONGEST + to - from, places);
  }

  /** @param {string} height in a line that is higher than the window @returns {number|undefined} from its start */
  positionAt(height) {
    return this.#positions.get(height);
  }

  /** @param {string} height @param {number} position */
  setPosition(height, position) {
    if (this.#positions.size > MOST_HEIGHTS) this.#positions.clear();
    this.#positions.set(height, position);
  }
}

export class LineCache {
  /** @type {Map<string, KnownLine>} */
  #lines = new Map();
  /** @type {{doc: import('../../vendor/codemirror.js').Text|null, from: number, shown: string, line: KnownLine}} */
  #long = { doc: null, from: -1, shown: '', line: new KnownLine() };
  #layout = '';
  #advance = 0;
  #middle = 0;
  #epoch = 0;

  /** Forgets everything: a font was loaded. */
  clear() {
    this.#epoch++;
  }

  /**
   * Must be called before a drawing reads.
   * @param {import('../../vendor/codemirror.js').EditorView} view
   * @param {number} width of the content
   * @param {number} rowHeight of one visual line: of a wrapped line, the places hang on it
   */
  begin(view, width, rowHeight) {
    const layout = [this.#epoch, width, rowHeight, window.devicePixelRatio, view.defaultCharacterWidth].join();
    if (layout !== this.#layout) {
      this.#lines.clear();
      this.#long.doc = null;
      ({ advance: this.#advance, middle: this.#middle } = measured(view.scrollDOM));
    }
    this.#layout = layout;
    if (this.#lines.size > MOST_LINES)
      for (const text of Array.from(this.#lines.keys()).slice(0, MOST_LINES / 2)) this.#lines.delete(text);
  }

  /**
   * From the top of a row to the middle of its ASCII letters, in pixels. Those of another font may stand a little
   * higher or lower.
   */
  get middle() {
    return this.#middle;
  }

  /** A key that changes when a character of the line moves. */
  get layout() {
    return this.#layout;
  }

  /** Width of every printable ASCII character in pixels; 0 where they differ. */
  get advance() {
    return this.#advance;
  }

  /**
   * @param {import('../../vendor/codemirror.js').EditorView} view
   * @param {{from: number, to: number, length: number, text: string}} line
   * @returns {KnownLine}
   */
  of(view, line) {
    if (line.length < LONGEST_LINE) {
      const known = this.#lines.get(line.text) ?? new KnownLine();
      this.#lines.delete(line.text); // to the end: the oldest are dropped first
      this.#lines.set(line.text, known);
      return known;
    }
    const shown = [view.contentHeight, ...view.visibleRanges.flatMap(({ from, to }) => [from, to])].join();
    const { doc } = view.state;
    const long = this.#long;
    if (long.doc !== doc || long.from !== line.from || long.shown !== shown)
      this.#long = { doc, from: line.from, shown, line: new KnownLine() };
    return this.#long.line;
  }
}

/**
 * Measured as the editor draws: in its font, character by character.
 * @param {HTMLElement} scroller @returns {{advance: number, middle: number}}
 */
function measured(scroller) {
  const probe = document.createElement('div');
  const range = document.createRange();
  /** @type {number[]} */
  const widths = [];
  probe.className = 'ascii-probe';
  const letters = document.createTextNode(ASCII);
  probe.append(letters);
  scroller.append(probe);
  for (let n = 0; n < ASCII.length; n++) {
    range.setStart(letters, n);
    range.setEnd(letters, n + 1);
    widths.push(range.getBoundingClientRect().width);
  }
  range.selectNodeContents(probe);
  const all = range.getBoundingClientRect();
  const advance = all.width / ASCII.length;
  const middle = (all.top + all.bottom) / 2 - probe.getBoundingClientRect().top;
  probe.remove();
  return { advance: widths.every(width => Math.abs(width - advance) < SAME_WIDTH) ? advance : 0, middle };
}
