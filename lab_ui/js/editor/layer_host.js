/**
 * What is drawn over an editor, in layers: the tokens (`painter.js`) and what else belongs to the text (`Overlay`). The
 * host knows the tokens that are shown, what became of the text since, and the layout of the rows; layers read it in a
 * measuring of their own.
 */
const SLACK = 100; // pixels of the margin above and below the viewport that may be used up before a layer draws again

/**
 * @typedef {import('./layout.js').LaneSource} LaneSource
 * @typedef {import('./layout.js').Layout} Layout
 * @typedef {import('../../vendor/codemirror.js').ChangeDesc} ChangeDesc
 */
export class LayerHost {
  /** @type {Layer[]} */
  #layers = [];
  /** @type {LaneSource[]} the tokens that are drawn */
  sources = [];
  /** Whether `sources` are those of a part of the text: what counts tokens from its start is not drawn. */
  isPart = false;
  /** @type {ChangeDesc|null} what became of the text since `sources` belonged to it */
  pending = null;

  /** @param {import('../../vendor/codemirror.js').EditorView} view */
  constructor(view) {
    this.view = view;
    view.scrollDOM.addEventListener('scroll', () => this.#onScroll(), { passive: true });
  }

  /** @param {Layer} layer */
  add(layer) {
    this.#layers.push(layer);
    layer.attach(this);
  }

  /** @param {string} name the layer's class @returns {HTMLElement} */
  makeElement(name) {
    const element = document.createElement('div');
    element.className = `token-layer ${name}`;
    this.view.scrollDOM.append(element);
    return element;
  }

  /** @param {LaneSource[]} sources @param {ChangeDesc|null} pending @param {boolean} [isPart] */
  show(sources, pending, isPart = false) {
    Object.assign(this, { sources, pending, isPart });
    for (const layer of this.#layers) layer.onSources();
  }

  /** The text was edited: what is drawn moves along until new tokens come. @param {ChangeDesc} changes */
  edited(changes) {
    this.pending = this.pending ? this.pending.composeDesc(changes) : changes;
    for (const layer of this.#layers) layer.onEdit(changes);
  }

  /** The editor laid out its text, or shows another part of it. */
  moved() {
    for (const layer of this.#layers) layer.look();
  }

  /** Draws all layers again. */
  schedule() {
    for (const layer of this.#layers) layer.schedule();
  }

  /** Nothing is drawn any more. */
  destroy() {
    for (const layer of this.#layers) layer.destroy();
    this.#layers = [];
  }

  #onScroll() {
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    for (const layer of this.#layers) {
      const drawn = layer.drawnWindow;
      if (!drawn || scrollTop < drawn.top + SLACK || scrollTop + clientHeight > drawn.bottom - SLACK) layer.schedule();
    }
  }
}

/** A layer. Subclasses read the geometry and write to the page in `schedule`. */
export class Layer {
  /** @type {{top: number, bottom: number}|null} what was drawn, with its margin, in pixels of the scrolled content */
  drawnWindow = null;
  /** @type {LayerHost} */
  host;
  /** @type {import('../../vendor/codemirror.js').EditorView} */
  view;

  /** @param {LayerHost} host */
  attach(host) {
    this.host = host;
    this.view = host.view;
  }

  /** Draws in the editor's next measuring, at the latest before the next frame. */
  schedule() {}

  /** Draws if the text is not where it was when it was drawn last. */
  look() {
    this.schedule();
  }

  /** The tokens of the host changed. */
  onSources() {
    this.schedule();
  }

  /** @param {ChangeDesc} _changes */
  onEdit(_changes) {
    this.schedule();
  }

  destroy() {}
}
