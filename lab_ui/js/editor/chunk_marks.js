/**
 * A mark in the text wherever a piece of N tokens ends, with the number of tokens before it. Only those in the window
 * are looked for. A flag that is pressed is reported to `onPick`; what the pieces are is `text/chunks.js`.
 */
import { Clusters } from '../text/clusters.js';
import { count } from '../util/format.js';
import { chunkStarts } from '../text/chunks.js';
import { Overlay } from './overlay.js';
import { reuse } from './sync_elements.js';

const FLAG_CHARACTER = 5.8;
const FLAG_ROOM = 9;
const FLAG_HEIGHT = 12; // px
const MOST = 2000; // more tokens than that are never in a window

/**
 * @typedef {{k: number, at: number, label: string, x: number, y: number, width: number, side: 'left'|'right', hidden?:
 *   boolean}} Mark `k`: tokens before it; `hidden`: it has no flag
 */
export class ChunkMarks extends Overlay {
  #every = 0;
  /** @type {HTMLElement[]} */
  #pool = [];
  /** @type {Mark[]} */
  #drawn = [];

  /** @param {(k: number) => void} onPick gets the number of tokens before the mark */
  constructor(onPick) {
    super('chunk-marks');
    this.onPick = onPick;
  }

  /** @param {import('./layer_host.js').LayerHost} host */
  attach(host) {
    super.attach(host);
    // As a press of a lane: it must not take the focus or move the caret.
    this.layer.addEventListener('mousedown', event => event.preventDefault());
    this.layer.addEventListener('click', event => {
      event.stopPropagation();
      this.onPick(Number(/** @type {HTMLElement} */ (event.target).dataset.k));
    });
  }

  /** @param {number|null} every tokens; null draws none */
  set every(every) {
    this.#every = every ?? 0;
    this.above = every ? FLAG_HEIGHT : 0;
    this.on = every !== null;
  }

  /** @param {import('./geometry.js').Geometry} geometry @param {{from: number, to: number}} shown */
  read(geometry, { from, to }) {
    const { view, host } = this;
    const { pending } = host;
    const tokens = host.isPart ? null : host.sources[0]?.tokens; // they are numbered from the start of the text
    /** @type {Mark[]} */
    const marks = [];
    if (!tokens?.placedCount) return marks;
    const { doc } = view.state;
    const clusters = new Clusters(doc.sliceString(from, to), from);
    const inverse = pending?.invertedDesc;
    const map = pending
      ? (/** @type {number} */ pos) => pending.mapPos(Math.min(pos, pending.length), 1)
      : (/** @type {number} */ pos) => pos;
    const before = tokens.firstEndingAfter(inverse ? inverse.mapPos(Math.min(from, inverse.length), -1) : from);
    const edges = geometry.contentEdges;
    const originX = view.scrollDOM.getBoundingClientRect().left - view.scrollDOM.scrollLeft;
    let last = -1;
    for (const { k, at } of chunkStarts(
      tokens,
      this.#every,
      Math.max(1, Math.ceil(before / this.#every)) * this.#every,
      clusters,
      map,
    )) {
      if (at > to || marks.length >= MOST) break;
      if (at < from || at <= last || at >= doc.length) continue;
      last = at;
      const place = view.coordsAtPos(at, 1);
      if (!place) continue;
      const label = count(k);
      const width = (label.length * FLAG_CHARACTER + FLAG_ROOM) * this.rows.scale;
      const x = place.left - originX;
      marks.push({
        k,
        at,
        label,
        x,
        width,
        y: this.middleOf((place.top + place.bottom) / 2) - this.rows.height / 2 - FLAG_HEIGHT * this.rows.scale,
        side: x + width > edges.right ? 'left' : 'right',
      });
    }
    return spaced(marks);
  }

  /** @param {number} k of a mark that is drawn @returns {number|null} where it is in the text, UTF-16 */
  placeOf(k) {
    return this.#drawn.find(mark => mark.k === k)?.at ?? null;
  }

  /** @param {Mark[]|null} marks */
  write(marks) {
    this.#drawn = marks ?? [];
    reuse(this.#pool, this.layer, this.#drawn, (element, { k, at, label, x, y, side, hidden }) => {
      element.className = `chunk-mark ${side}${hidden ? ' bare' : ''}`;
      element.textContent = label;
      element.title = `${label} tokens before this mark. Press to copy the chunk that ends here`;
      Object.assign(element.dataset, { role: 'chunk-mark', k, at });
      element.style.left = `${Math.round(x)}px`;
      element.style.top = `${y}px`;
    });
  }
}

/**
 * Marks with a flag as long as the flag before it in its row is not in the way; a line is always there.
 * @param {Mark[]} marks
 */
function spaced(marks) {
  /** @type {number|null} */
  let row = null;
  let start = 0;
  let end = 0;
  for (const mark of marks) {
    const from = mark.side === 'left' ? mark.x - mark.width : mark.x;
    const to = from + mark.width;
    mark.hidden = row === mark.y && from < end && to > start;
    if (!mark.hidden) [row, start, end] = [mark.y, from, to];
  }
  return marks;
}
