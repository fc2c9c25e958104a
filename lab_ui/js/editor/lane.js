/**
 * The blocks of one tokenizer. A path per row and colour holds the blocks of that colour, because an element per token
 * costs ten times as much to draw anew (docs/design/text_component.md). Ids stand in a line of text per row, and what
 * is written in the blocks in another. Rows are kept while they say the same. Only marked tokens have an element of
 * their own. The painter knows where pieces come from.
 */
import { LETTERS } from '../text/slots.js';
import { BlockRows } from './block_rows.js';
import { LabelRows } from './label_rows.js';
import { SpelledRows } from './spelled_rows.js';

export class Lane {
  #blocks;
  #labels;
  #spelled;
  /** @type {Map<number, string>} */
  #marked = new Map();
  /** @type {HTMLElement[]} */
  #marks = [];
  #height = 0;

  /** @param {Element} parent @param {import('./svg.js').Hatches} hatches */
  constructor(parent, hatches) {
    this.element = document.createElement('div');
    this.element.className = 'token-lane';
    this.element.dataset.role = 'lane';
    // the editor is read as text; tokens are read in the table, the drawer and the live region
    this.element.ariaHidden = 'true';
    this.#blocks = new BlockRows(this.element, hatches);
    this.#spelled = new SpelledRows(this.element);
    this.#labels = new LabelRows(this.element);
    /** @type {import('./fragment_rows.js').Piece[]} */
    this.pieces = [];
    parent.append(this.element);
  }

  /** @param {string} id of the tokenizer @param {string} letter */
  describe(id, letter) {
    this.element.dataset.tokenizer = id;
    this.element.dataset.letter = letter;
    this.element.dataset.place = String(LETTERS.indexOf(letter));
  }

  /**
   * Draws everything but what is written in the blocks: `write` does that.
   * @param {import('./line_layout.js').LaneLine[]} lines of the text
   * @param {{height: number, scale: number}} layout
   */
  draw(lines, layout) {
    const rows = lines.flatMap(line => line.rows);
    this.pieces = lines.flatMap(line => line.pieces);
    this.#height = layout.height;
    this.#blocks.draw(rows);
    this.#labels.draw(rows, layout);
    this.element.dataset.pieces = String(this.pieces.length);
    this.mark(this.#marked);
  }

  /** Writes in the blocks that are drawn. @param {import('./line_layout.js').LaneLine[]} lines */
  write(lines) {
    this.#spelled.draw(lines.flatMap(({ spelled }) => spelled));
  }

  /**
   * Until then: what is written goes with its line.
   * @param {import('./line_layout.js').LaneLine[]} lines
   * @param {{top: number, bottom: number}|null} window in which nothing else stays; null: what is of no line stays
   *   where no other line is
   */
  moveWritten(lines, window) {
    this.#spelled.move(
      lines.flatMap(({ spelled }) => spelled),
      window,
    );
  }

  /** Outlines some tokens and no others. @param {Map<number, string>} tokens class by token */
  mark(tokens) {
    this.#marked = tokens;
    const pieces = tokens.size ? this.pieces.filter(({ token }) => tokens.has(token)) : [];
    while (this.#marks.length > pieces.length) this.#marks.pop()?.remove();
    while (this.#marks.length < pieces.length)
      this.#marks.push(this.element.appendChild(document.createElement('div')));
    pieces.forEach((piece, n) => this.#outline(this.#marks[n], piece, tokens.get(piece.token)));
  }

  /**
   * @param {number} x @param {number} y @param {number} reach
   * @returns {import('./fragment_rows.js').Piece | undefined} the piece at a point of the scrolled content; `reach` is
   *   how far below its top a piece counts
   */
  hit(x, y, reach) {
    return this.pieces.find(piece => x >= piece.x && x < piece.x + piece.width && y >= piece.y && y < piece.y + reach);
  }

  remove() {
    this.element.remove();
  }

  /** @param {HTMLElement} element @param {import('./fragment_rows.js').Piece} piece @param {string|undefined} mark   */
  #outline(element, { x, y, width, named, name, id, labelRow }, mark) {
    element.className = `token-mark ${mark}`;
    element.dataset.row = String(labelRow); // its label covers the id, and is not written a second time
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    element.style.width = `${width}px`;
    element.style.height = `${this.#height}px`;
    element.dataset.label = named ? name : '';
    element.dataset.id = String(id);
  }
}

/**
 * What a piece is, in words of the style sheet: for tests and for those who look for it.
 * @param {import('./fragment_rows.js').Piece} piece
 */
export function classesOf({ shade, boundary, rtl, newline, stripe, mixed, part, special, unknown }) {
  /** @type {Object<string, boolean>} */
  const is = { rtl, ltr: !rtl, newline, stripe, mixed, part: Boolean(part), special, unknown };
  return ['token', shade, ...(boundary ? [boundary] : []), ...Object.keys(is).filter(name => is[name])].join(' ');
}
