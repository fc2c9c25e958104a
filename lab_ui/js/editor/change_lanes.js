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
 * @typedef {{lost: boolean, label: string, width: number, x: number, y: number, at: number}} Drawn
 */

export class ChangeLanes extends Overlay {
  /** @type {HTMLElement[]} */
  #pool = [];
  /** @type {Change[]} */
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

  /** @param {import('../../vendor/codemirror.js').ChangeDesc} changes */
  onEdit(changes) {
    this.#changes = this.#changes.flatMap(change => moved(change, changes));
    super.onEdit(changes);
  }

  /** @param {import('./geometry.js').Geometry} _geometry @param {{from: number, to: number}} shown */
  read(_geometry, { from, to }) {
    const { view, rows } = this;
    const { doc } = view.state;
    const range = document.createRange();
    /** @type {Drawn[]} */
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

  /** @param {Drawn[]|null} drawn */
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

/**
 * Where a change is after an edit: what was put in, if its place is still there; otherwise what is left of it.
 * @param {Change} change @param {import('../../vendor/codemirror.js').ChangeDesc} changes
 * @returns {Change[]}
 */
function moved({ from, to, text }, changes) {
  if (from === to) {
    const at = changes.mapPos(from, 1, MapMode.TrackDel);
    return at === null ? [] : [{ from: at, to: at, text }];
  }
  const now = { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1), text };
  return now.to > now.from ? [now] : [];
}

/** What two neighbours put in at the same place stands there as one. @param {Change[]} changes */
function* oneAt(changes) {
  let last = /** @type {Change|null} */ (null);
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

/**
 * Middle of the first row of a change, and of that row. @param {import('../../vendor/codemirror.js').EditorView} view
 * @param {Range} range @param {Change} change
 */
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

/** Nothing stays unseen: white space has a glyph, a mark alone a circle under it. @param {string} text */
const labelOf = text =>
  visibleParts(text)
    .map(part => (MARK.test(part.text) ? `◌${part.text}` : part.text))
    .join('');

/**
 * Labels that do not run into each other: where there is no room, a short one says that something is there.
 * @param {Drawn[]} drawn @param {number} character
 */
function fitted(drawn, character) {
  /** @type {Map<number, number>} */
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
