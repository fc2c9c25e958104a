/**
 * The blocks of one tokenizer: an element per piece of a token, kept from one drawing to the next where it stays the same.
 * It does not know where pieces come from; the painter does.
 */
import { LETTERS } from '../../lib/slots.js';

const PIECES_PER_TOKEN = 256;

/**
 * @typedef {Object} Piece
 * @property {number} token its number @property {number} part 0 for the first piece of the token
 * @property {number} x @property {number} y @property {number} width in pixels of the scrolled content
 * @property {string} className @property {string} label what stands under it, or ""
 * @property {number} id @property {number} start @property {number} end UTF-8 span
 */
export class Lane {
  #drawn = new Map(); /** @type {Map<number, string>} */
  #marked = new Map();

  /** @param {Element} parent */
  constructor(parent) {
    this.element = document.createElement('div');
    this.element.className = 'token-lane';
    this.element.dataset.role = 'lane';
    this.element.ariaHidden = 'true'; // the editor is read as text; tokens are read in the table, the drawer and the live region
    /** @type {Piece[]} */
    this.pieces = [];
    parent.append(this.element);
  }

  /** @param {string} id of the tokenizer @param {string} letter */
  describe(id, letter) {
    this.element.dataset.tokenizer = id;
    this.element.dataset.letter = letter;
    this.element.dataset.place = String(LETTERS.indexOf(letter));
  }

  /** @param {Piece[]} pieces */
  draw(pieces) {
    const old = this.#drawn, now = new Map(), spare = [];
    const wanted = new Set(pieces.map(key));
    for (const [name, drawn] of old) if (!wanted.has(name)) spare.push(drawn);
    const added = [];
    for (const piece of pieces) {
      const name = key(piece), drawn = old.get(name) ?? spare.pop() ?? this.#create(added);
      put(drawn, piece);
      now.set(name, drawn);
    }
    for (const { element } of spare) element.remove();
    this.element.append(...added);
    this.#drawn = now;
    this.pieces = pieces;
    this.mark(this.#marked);
  }

  /** Outlines some tokens and no others. @param {Map<number, string>} tokens class by token */
  mark(tokens) {
    this.#marked = tokens;
    for (const drawn of this.#drawn.values()) {
      const mark = tokens.get(drawn.token) ?? '';
      if (mark === drawn.mark) continue;
      drawn.mark = mark;
      drawn.element.className = `${drawn.className} ${mark}`;
    }
  }

  /** @returns {Piece|undefined} the piece at a point of the scrolled content; `reach` is how far below its top a piece counts */
  hit(x, y, reach) { return this.pieces.find(piece => x >= piece.x && x < piece.x + piece.width && y >= piece.y && y < piece.y + reach); }

  remove() { this.element.remove(); }

  #create(added) {
    const element = document.createElement('div');
    added.push(element);
    return { element, mark: '', token: -1 };
  }
}

const key = piece => piece.token * PIECES_PER_TOKEN + piece.part;

/** Writes what changed and nothing else: most pieces are where they were. */
function put(drawn, piece) {
  const { element } = drawn, { style, dataset } = element;
  if (drawn.x !== piece.x) style.left = `${drawn.x = piece.x}px`;
  if (drawn.y !== piece.y) style.top = `${drawn.y = piece.y}px`;
  if (drawn.width !== piece.width) style.width = `${drawn.width = piece.width}px`;
  if (drawn.label !== piece.label) dataset.label = drawn.label = piece.label;
  if (drawn.className !== piece.className) {
    drawn.className = piece.className;
    drawn.mark = '';
    element.className = piece.className;
  }
  drawn.token = piece.token;
  const role = piece.part ? 'token-part' : 'token';
  if (drawn.role !== role) dataset.role = drawn.role = role;
  if (drawn.id !== piece.id) dataset.id = drawn.id = piece.id;
  if (drawn.start !== piece.start) dataset.start = drawn.start = piece.start;
  if (drawn.end !== piece.end) dataset.end = drawn.end = piece.end;
}
