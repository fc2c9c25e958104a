/**
 * One text under several tokenizers, a column each: its tokens coloured and their ids under them, as Inspect has them.
 * The columns show the same place of the text. To be read, not written in.
 *
 * Gets `start` and `show`; reports what its columns report, `lane` being the number of the column: `tokenhover`,
 * `tokenpick`, `scrolled`.
 */
import { LabElement } from '../../ui/element.js';
import { h, listen, setText } from '../../ui/dom.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { alignRows } from '../../editor/row_sync.js';
import { TokenText } from '../../editor/token_text.js';

const SETTLE_FRAMES = 8;

/**
 * @typedef {import('../../editor/painter.js').LaneSource & {name: string}} Column
 * @typedef {{badge: HTMLElement, title: HTMLElement, text: TokenText, element: HTMLElement}} Drawn a column in the page
 */

export class SideBySide extends LabElement {
  #nonce = '';
  /** @type {Drawn[]} */
  #columns = [];
  /** @type {Drawn|null} */
  #leader = null;
  #settling = false;
  #labels = true;
  #whiteSpace = true;

  /** @param {string} nonce of the page's style elements */
  start(nonce) {
    this.#nonce = nonce;
    this.role = 'group';
    this.ariaLabel = 'Side by side';
  }

  /**
   * Must be in the page.
   * @param {Column[]} columns @param {import('../../../vendor/codemirror.js').Text} doc the text they are of
   */
  show(columns, doc) {
    for (const column of this.#columns.splice(columns.length)) remove(column);
    while (this.#columns.length < columns.length) this.#add();
    this.style.setProperty('--columns', String(columns.length));
    columns.forEach(({ id, name, letter, ...source }, n) => {
      const { element, badge, title, text } = this.#columns[n];
      element.dataset.letter = badge.dataset.letter = letter;
      element.dataset.tokenizer = id;
      setText(title, name);
      title.title = name;
      text.label = `Text under ${name}`;
      // The text is shared, not copied: a megabyte under four tokenizers is a megabyte.
      text.doc = doc;
      text.labels = this.#labels;
      text.whiteSpace = this.#whiteSpace;
      text.setTokens([{ id, letter, ...source }]);
    });
  }

  /** Without an answer there are no tokens. @param {import('../../../vendor/codemirror.js').Text} doc */
  clear(doc) {
    for (const { text } of this.#columns) {
      text.doc = doc;
      text.setTokens([]);
    }
  }

  /** @param {{labels: boolean, whiteSpace: boolean}} switches ids under the tokens, glyphs for white space */
  set switches({ labels, whiteSpace }) {
    this.#labels = labels;
    this.#whiteSpace = whiteSpace;
    for (const { text } of this.#columns) {
      text.labels = labels;
      text.whiteSpace = whiteSpace;
    }
  }

  /** Outlines tokens. @param {Map<number, string>[]} marks per column, a class by token number */
  mark(marks) {
    this.#columns.forEach(({ text }, n) => text.mark([marks[n] ?? new Map()]));
  }

  /** @param {import('../../editor/line_layout.js').TextRange[]} ranges drawn behind the text of each column */
  set ranges(ranges) {
    for (const { text } of this.#columns) text.ranges = ranges;
  }

  /** Brings a position into the window. @param {number} pos UTF-16 */
  reveal(pos) {
    this.#leader = this.#columns[0] ?? null;
    this.#leader?.text.reveal(pos);
  }

  /** After it came back into the page. */
  resume() {
    for (const { text } of this.#columns) text.resume();
  }

  /** @returns {{from: number, to: number}} the stretch of the text in the window, roughly */
  get shown() {
    return this.#columns[0]?.text.shown ?? { from: 0, to: 0 };
  }

  /** @returns {Promise<void[]>} settles when what was set is on the screen */
  drawn() {
    return Promise.all(this.#columns.map(({ text }) => text.drawn()));
  }

  destroy() {
    for (const column of this.#columns.splice(0)) remove(column);
    super.destroy();
  }

  #add() {
    const column = this.#make();
    this.#columns.push(column);
    this.append(column.element);
    column.text.start({ kind: 'marks', nonce: this.#nonce, label: 'Text' });
  }

  #make() {
    const badge = tokenizerBadge('A', 'small');
    const title = h('b', { class: 'card-name clip' });
    const text = new TokenText();
    const column = {
      badge,
      title,
      text,
      element: h('section', { class: 'side' }, h('div', { class: 'side-head' }, badge, title), text),
    };
    for (const type of ['tokenhover', 'tokenpick'])
      listen(text, type, detail =>
        this.emit(type, detail && { lane: this.#columns.indexOf(column), token: detail.token }),
      );
    text.addEventListener('scrolled', () => this.#follow(column));
    // The one that is steered leads; the others scroll because of it, and lead nobody.
    for (const type of ['pointerenter', 'wheel', 'focusin', 'pointerdown'])
      column.element.addEventListener(
        type,
        () => {
          this.#leader = column;
        },
        { passive: true },
      );
    return column;
  }

  /** Brings the other columns to the place that one of them shows at its top. @param {Drawn} column */
  #follow(column) {
    this.#leader ??= column;
    if (column !== this.#leader) return;
    this.#align();
    if (!this.#settling) this.#settle(SETTLE_FRAMES);
    this.emit('scrolled', null);
  }

  /**
   * What comes into the window is measured then, and is higher or lower than was guessed: until nothing moves any more.
   * @param {number} frames it may take at most
   */
  #settle(frames) {
    this.#settling = true;
    requestAnimationFrame(() => {
      this.#settling = false;
      if (frames && this.isConnected && this.#align()) this.#settle(frames - 1);
    });
  }

  /**
   * Puts the row at the top of the leading column at the same height in the others.
   * @returns {boolean} whether one was elsewhere
   */
  #align() {
    const leader = this.#leader;
    if (!leader || !this.#columns.includes(leader)) return false;
    const others = this.#columns.filter(column => column !== leader).map(({ text }) => text);
    return alignRows(leader.text, others);
  }
}

/** @param {Drawn} column */
function remove({ element, text }) {
  element.remove();
  text.destroy();
}

customElements.define('side-by-side', SideBySide);
