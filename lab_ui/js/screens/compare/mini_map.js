/**
 * Where in the text the divergences are, and which part of it is in the window. A picture for the pointer: the list and
 * the keys n and p do the same for everybody, so it is hidden from assistive tools. Reports `jump` (detail: 0 to 1).
 */
import { LabElement, onResize, onTheme } from '../../ui/element.js';
import { h } from '../../ui/dom.js';

const SHORTEST = 2; // px

export class MiniMap extends LabElement {
  #canvas = h('canvas');
  #frame = h('div', { class: 'map-frame' });
  /** @type {{starts: ArrayLike<number>, ends: ArrayLike<number>}|null} */
  #spans = null;
  #length = 1;

  render() {
    this.ariaHidden = 'true';
    this.append(this.#canvas, this.#frame);
    /** @param {PointerEvent} event */
    const jump = event => {
      if (event.buttons & 1) this.emit('jump', Math.min(1, Math.max(0, event.offsetY / this.clientHeight)));
    };
    this.addEventListener('pointerdown', event => {
      this.setPointerCapture(event.pointerId);
      jump(event);
    });
    this.addEventListener('pointermove', jump);
  }

  /** @param {AbortSignal} life */
  connected(life) {
    onResize(this, () => this.#draw(), life);
    onTheme(() => this.#draw(), life);
  }

  /**
   * @param {ArrayLike<number>} starts
   * @param {ArrayLike<number>} ends UTF-16
   * @param {number} length of the text
   */
  show(starts, ends, length) {
    this.#spans = { starts, ends };
    this.#length = Math.max(1, length);
    this.#draw();
  }

  /** @param {{from: number, to: number}} shown stretch in the window */
  set shown({ from, to }) {
    this.#frame.hidden = from <= 0 && to >= this.#length; // a frame around everything says nothing
    const height = this.clientHeight;
    const top = (from / this.#length) * height;
    this.#frame.style.top = `${Math.min(top, height - 6)}px`;
    this.#frame.style.height = `${Math.max(6, Math.min(height - top, ((to - from) / this.#length) * height))}px`;
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this;
    const scale = devicePixelRatio || 1;
    if (!this.#spans || !height) return;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    const pen = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
    pen.scale(scale, scale);
    pen.fillStyle = getComputedStyle(this).getPropertyValue('--ink-3');
    const { starts, ends } = this.#spans;
    for (let n = 0, below = -1; n < starts.length; n++) {
      const top = (starts[n] / this.#length) * height;
      const bottom = Math.max(top + SHORTEST, (ends[n] / this.#length) * height);
      if (bottom <= below + 0.5) continue; // a megabyte has more divergences than the map has pixels
      pen.fillRect(4, top, width - 8, bottom - top - 0.5);
      below = bottom;
    }
  }
}

customElements.define('mini-map', MiniMap);
