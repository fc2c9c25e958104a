/**
 * What is drawn over or under the rows beside the tokens: a base for drawings that read the geometry in a measuring of
 * their own and cost nothing while they are off. Tokens themselves are the painter's.
 */
import { Geometry } from './geometry.js';
import { sameLayout } from './layout.js';

const SLACK = 100; // pixels of the margin above and below the window that may be used up before it is drawn again

export class Overlay {
  #drawnWindow = null;
  #measuring = { key: this, read: () => (this.on ? this.#read() : null), write: plan => this.#write(plan) };
  #on = false;

  /** Pixels that it wants over every row, and under it. */
  above = 0;
  below = 0;
  /** @type {import('./painter.js').LaneSource[]} what the painter draws */
  sources = [];
  /** @type {import('../../vendor/codemirror.js').ChangeDesc|null} what became of the text since `sources` were of it */
  pending = null;

  /** @param {import('../../vendor/codemirror.js').EditorView} view @param {string} [name] class of its layer */
  attach(view, name = 'overlay') {
    this.view = view;
    this.layer = document.createElement('div');
    this.layer.className = `token-layer ${name}`;
    this.layer.ariaHidden = 'true';
    view.scrollDOM.append(this.layer);
    view.scrollDOM.addEventListener('scroll', () => this.#onScroll(), { passive: true });
  }

  get on() {
    return this.#on;
  }
  /** @param {boolean} on whether anything is drawn */
  set on(on) {
    this.#on = on;
    this.schedule();
  }

  /** @param {Object} layout of the rows; `lane` is where its own lane starts, from the middle of a row */
  set layout(layout) {
    if (sameLayout(this.rows, layout)) return;
    this.rows = layout;
    this.schedule();
  }

  show(sources, pending) {
    this.sources = sources;
    this.pending = pending;
    this.schedule();
  }

  edited(changes) {
    this.pending = this.pending ? this.pending.composeDesc(changes) : changes;
    this.schedule();
  }

  schedule() {
    if (this.view && (this.#on || this.layer.firstChild)) this.view.requestMeasure(this.#measuring);
  }

  /**
   * Middle of the row that a place on the screen is in, in the scrolled content; what stands higher or lower in it does
   * not count.
   * @param {number} y of the window
   */
  middleOf(y) {
    const { scrollDOM, documentTop } = this.view;
    const { rowHeight, glyph } = this.rows;
    return (
      documentTop -
      scrollDOM.getBoundingClientRect().top +
      scrollDOM.scrollTop +
      Math.floor((y - documentTop) / rowHeight) * rowHeight +
      glyph
    );
  }

  /**
   * Reads only.
   * @param {Geometry} _geometry
   * @param {{from: number, to: number, top: number, bottom: number}} _shown
   * @returns {any} what `write` gets
   */
  read(_geometry, _shown) {
    return null;
  }

  /** @param {any} _plan null: nothing is to be drawn */
  write(_plan) {}

  #read() {
    const { view } = this;
    const geometry = new Geometry(view, this.rows.rowHeight);
    const shown = geometry.window();
    if (shown.to < shown.from || !view.scrollDOM.clientHeight) return null;
    return { shown, plan: this.read(geometry, shown) };
  }

  #write(read) {
    this.#drawnWindow = read?.shown ?? null;
    this.write(read?.plan ?? null);
  }

  #onScroll() {
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    const drawn = this.#drawnWindow;
    if (this.#on && (!drawn || scrollTop < drawn.top + SLACK || scrollTop + clientHeight > drawn.bottom - SLACK))
      this.schedule();
  }
}
