/**
 * A layer drawn over or under the rows beside the tokens: it reads the geometry in a measuring of its own and costs
 * nothing while it is off. Tokens themselves are the painter's.
 */
import { Geometry } from './geometry.js';
import { Layer } from './layer_host.js';
import { sameLayout } from './layout.js';

/**
 * @typedef {import('./layout.js').Layout & {lane: number}} OverlayLayout of the rows; `lane` is where its own lane
 *   starts, from the middle of a row
 * @typedef {ReturnType<Geometry['window']>} Shown
 */
export class Overlay extends Layer {
  #name;
  #measuring = {
    key: this,
    read: () => (this.on ? this.#read() : null),
    write: (/** @type {{shown: Shown, plan: unknown}|null} */ plan) => this.#write(plan),
  };
  #on = false;

  /** Pixels that it wants over every row, and under it. */
  above = 0;
  below = 0;
  /** @type {import('./line_cache.js').LineCache|null} what earlier readings found */
  cache = null;
  /** @type {HTMLElement} */
  layer;
  /** @type {OverlayLayout} */
  rows;

  /** @param {string} name class of its element */
  constructor(name) {
    super();
    this.#name = name;
  }

  /** @param {import('./layer_host.js').LayerHost} host */
  attach(host) {
    super.attach(host);
    this.layer = host.makeElement(this.#name);
    this.layer.ariaHidden = 'true';
  }

  get on() {
    return this.#on;
  }
  /** @param {boolean} on whether anything is drawn */
  set on(on) {
    this.#on = on;
    this.schedule();
  }

  /** @param {OverlayLayout} layout */
  set layout(layout) {
    if (sameLayout(this.rows, layout)) return;
    this.rows = layout;
    this.schedule();
  }

  schedule() {
    if (this.view && (this.#on || this.layer.firstChild)) this.view.requestMeasure(this.#measuring);
  }

  /**
   * Returns the middle of the row at a place on the screen, in the scrolled content, whatever stands higher or lower in
   * the row.
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
    const geometry = new Geometry(view, this.rows.rowHeight, this.cache);
    const shown = geometry.window();
    if (shown.to < shown.from || !view.scrollDOM.clientHeight) return null;
    return { shown, plan: this.read(geometry, shown) };
  }

  /** @param {{shown: Shown, plan: unknown}|null} read */
  #write(read) {
    this.drawnWindow = read?.shown ?? null;
    this.write(read?.plan ?? null);
  }
}
