/** How wide text is in the blocks of a lane: measured in the page, once per size of the text and font. */

const ASCII = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('');
const SAME_WIDTH = 0.03; // px; the browser's own numbers are 64ths of a pixel
const MOST_KNOWN = 5000;

export class LabelFace {
  #key = '';
  #pen = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  /** @type {Map<string, number>} */
  #known = new Map();
  /** @type {import('./lane_spelling.js').Face|null} */
  #face = null;

  /**
   * @param {HTMLElement} scroller the labels stand in
   * @param {number} size of the letters in pixels; 0: nothing is written
   * @param {string} epoch changes when a font was loaded
   * @returns {import('./lane_spelling.js').Face|null}
   */
  of(scroller, size, epoch) {
    if (!size) return null;
    const key = `${size} ${epoch}`;
    if (key === this.#key) return this.#face;
    this.#key = key;
    this.#known.clear();
    const { advance, font } = measured(scroller);
    this.#pen.font = font;
    this.#face = { size, advance, measure: text => this.#measure(text) };
    return this.#face;
  }

  /** @param {string} text */
  #measure(text) {
    let width = this.#known.get(text);
    if (width === undefined) {
      if (this.#known.size > MOST_KNOWN) this.#known.clear();
      ({ width } = this.#pen.measureText(text));
      this.#known.set(text, width);
    }
    return width;
  }
}

/**
 * @param {HTMLElement} scroller
 * @returns {{advance: number, font: string}} width of every printable ASCII character, 0 if they differ
 */
function measured(scroller) {
  const row = document.createElement('div');
  const probe = document.createElement('span');
  row.className = 'token-spellings';
  const letters = document.createTextNode(ASCII);
  probe.append(letters);
  row.append(probe);
  scroller.append(row);
  const range = document.createRange();
  /** @param {number} from @param {number} to */
  const widthOf = (from, to) => {
    range.setStart(letters, from);
    range.setEnd(letters, to);
    return range.getBoundingClientRect().width;
  };
  const advance = widthOf(0, ASCII.length) / ASCII.length;
  const isEven = [...ASCII].every((_, n) => Math.abs(widthOf(n, n + 1) - advance) < SAME_WIDTH);
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(row);
  row.remove();
  return { advance: isEven ? advance : 0, font: `${fontWeight} ${fontSize} ${fontFamily}` };
}
