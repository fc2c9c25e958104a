/**
 * What the stages before the model made of the text, in two lanes under each row: what was put in or changed, and what
 * was dropped, struck through. Gets `changes`; where they come from is not known here.
 */
import { visibleParts } from '../text/visible_text.js';
import { MapMode } from '../../vendor/codemirror.js';
import { Overlay } from './overlay.js';
import { reuse } from './sync_elements.js';

const LANE = 11;
const GAP = 6; // px: each of the two, and under them
const CHARACTER = 6.6; // px, at the size of a lane
const MARK = /^\p{M}/u;

/**
 * @typedef {{from: number, to: number, text: string}} Change UTF-16 positions in the text now; `from === to`: put in,
 *   no `text`: dropped
 */

export class ChangeLanes extends Overlay {
  #pool = [];
  #changes = [];

  constructor() {
    super('change-lanes');
  }

  /** @param {boolean} room whether rows have room for the lanes: only where a stage can change text */
  set room(room) {
    this.below = room ? 2 * LANE + GAP : 0;
    this.on = room;
  }

  /** @param {Change[]} changes in the order of the text */
  set changes(changes) {
    this.#changes = changes;
    this.schedule();
  }
  get changes() {
    return this.#changes;
  }

  onEdit(changes) {
    this.#changes = this.#changes
      .map(({ from, to, text }) =>
        from === to
          ? moved(changes.mapPos(from, 1, MapMode.TrackDel), text)
          : { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1), text, put: false },
      )
      .filter(change => change && (change.put || change.to > change.from));
    super.onEdit(changes);
  }

  read(_geometry, { from, to }) {
    const { view, rows } = this;
    const { doc } = view.state;
    const range = document.createRange();
    const drawn = [];
    const originX = view.scrollDOM.getBoundingClientRect().left - view.scrollDOM.scrollLeft;
    for (const change of oneAt(this.#changes)) {
      if (change.to < from) continue;
      if (change.from > to || change.from > doc.length) break;
      if (!view.visibleRanges.some(shown => shown.from <= change.from && shown.to >= change.to)) continue;
      const box = boxOf(view, range, change);
      if (!box) continue;
      const { scale } = rows;
      const lost = !change.text;
      const label = labelOf(lost ? doc.sliceString(change.from, change.to) : change.text);
      const width = [...label].length * CHARACTER * scale;
      drawn.push({
        lost,
        label,
        width,
        x: box.middle - originX - width / 2,
        y: this.middleOf(box.y) + rows.lane + (lost ? LANE * scale : 0),
        at: change.from,
      });
    }
    return fitted(drawn, CHARACTER * rows.scale);
  }

  write(drawn) {
    reuse(this.#pool, this.layer, drawn ?? [], (element, { lost, label, x, y, at }) => {
      const className = lost ? 'text-change lost' : 'text-change added';
      if (element.className !== className) element.className = className;
      if (element.textContent !== label) element.textContent = label;
      Object.assign(element.dataset, { role: 'text-change', at });
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
    });
  }
}

/** What was put in at a place that is still there. */
const moved = (at, text) => (at === null ? null : { from: at, to: at, text, put: true });

/** What two neighbours put in at the same place stands there as one. */
function* oneAt(changes) {
  let last = null;
  for (const change of changes) {
    if (last && last.from === last.to && change.from === last.from && change.to === last.from) {
      last = { ...last, text: last.text + change.text };
      continue;
    }
    if (last) yield last;
    last = change;
  }
  if (last) yield last;
}

/** Middle of the first row of a change, and of that row. */
function boxOf(view, range, { from, to }) {
  if (from < to) {
    const start = view.domAtPos(from, 1);
    const end = view.domAtPos(to, -1);
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    const [rect] = range.getClientRects();
    if (rect) return { middle: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 };
  }
  const at = view.coordsAtPos(from, 1);
  return at && { middle: at.left, y: (at.top + at.bottom) / 2 };
}

/** Nothing stays unseen: white space has a glyph, a mark alone a circle under it. */
const labelOf = text =>
  visibleParts(text)
    .map(part => (MARK.test(part.text) ? `◌${part.text}` : part.text))
    .join('');

/** Labels that do not run into each other: where there is no room, a short one says that something is there. */
function fitted(drawn, character) {
  const ends = new Map();
  for (const one of [...drawn].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const end = ends.get(one.y) ?? -Infinity;
    if (one.x < end && one.width > character) {
      one.x += (one.width - character) / 2;
      one.label = '…';
      one.width = character;
    }
    ends.set(one.y, Math.max(end, one.x + one.width - 1));
  }
  return drawn;
}
