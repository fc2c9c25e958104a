/** Finds places for the labels of marks in a chart, so that no two touch. Knows nothing of the page. */

const CHARACTER = 0.68; // width of a bold character, in the size of its text
const ROW = 1.3; // height of a line, in the size of the text
const MARK = 8; // px around the centre of a mark

/**
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box px
 * @typedef {{x: number, y: number, name: string, short: string}} Mark px in the drawing, its label and a short one for
 *   where that has no room
 * @typedef {{text: string, dx: number, dy: number, anchor: 'left'|'right'|'center'}} Place `dx`, `dy`: px from the mark
 *   to the anchor, downwards
 */

/** @param {Box} a @param {Box} b @returns {number} px² that they share */
const shared = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** @param {number} size of the text @returns {Omit<Place, 'text'>[]} the better ones first */
const candidates = size => [
  { dx: MARK + 3, dy: 0, anchor: 'left' },
  { dx: -MARK - 3, dy: 0, anchor: 'right' },
  { dx: 0, dy: -MARK - 0.6 * size, anchor: 'center' },
  { dx: 0, dy: MARK + 0.6 * size, anchor: 'center' },
  { dx: MARK, dy: -MARK - 0.4 * size, anchor: 'left' },
  { dx: MARK, dy: MARK + 0.4 * size, anchor: 'left' },
  { dx: -MARK, dy: -MARK - 0.4 * size, anchor: 'right' },
  { dx: -MARK, dy: MARK + 0.4 * size, anchor: 'right' },
  { dx: MARK, dy: -MARK - 0.7 * size, anchor: 'right' },
  { dx: MARK, dy: MARK + 0.7 * size, anchor: 'right' },
  { dx: 0, dy: -MARK - 1.7 * size, anchor: 'center' },
  { dx: 0, dy: MARK + 1.7 * size, anchor: 'center' },
  { dx: MARK, dy: -MARK - 1.8 * size, anchor: 'right' },
  { dx: MARK, dy: MARK + 1.8 * size, anchor: 'right' },
];

/** @param {Mark} mark @param {Omit<Place, 'text'>} place @param {string} text @param {number} size @returns {Box} */
function boxOf({ x, y }, { dx, dy, anchor }, text, size) {
  const width = [...text].length * CHARACTER * size;
  const from = anchor === 'left' ? 0 : anchor === 'right' ? -width : -width / 2;
  const left = x + dx + from;
  const middle = y + dy;
  return { left, right: left + width, top: middle - (ROW * size) / 2, bottom: middle + (ROW * size) / 2 };
}

/** @param {Mark} mark @returns {Box} */
const boxOfMark = ({ x, y }) => ({ left: x - MARK, right: x + MARK, top: y - MARK, bottom: y + MARK });

/**
 * Places the label of each mark, those near the right edge first, which have the least room: whole where it fits, else
 * the short one, else where it covers least.
 * @param {Mark[]} marks @param {Box} area that labels stay in @param {Box[]} taken by others
 * @param {number} [size] of the text, px
 * @returns {Place[]}
 */
export function placeLabels(marks, area, taken, size = 12) {
  /** @type {{mark: Mark|null, box: Box}[]} */
  const boxes = [...taken.map(box => ({ mark: null, box })), ...marks.map(mark => ({ mark, box: boxOfMark(mark) }))];
  /** @type {Map<Mark, Place>} */
  const places = new Map();
  for (const mark of [...marks].sort((a, b) => b.x - a.x)) {
    const others = boxes.filter(each => each.mark !== mark).map(({ box }) => box);
    /** @param {Box} box */
    const cost = box => {
      const inside = shared(box, area);
      const outside = (box.right - box.left) * (box.bottom - box.top) - inside;
      return others.reduce((sum, other) => sum + shared(box, other), 4 * outside);
    };
    let best = { cost: Infinity, place: candidates(size)[0], text: mark.short };
    for (const text of [mark.name, mark.short])
      for (const place of candidates(size)) {
        const found = cost(boxOf(mark, place, text, size));
        if (found < best.cost - 0.5) best = { cost: found, place, text };
        if (best.cost < 1) break;
      }
    boxes.push({ mark: null, box: boxOf(mark, best.place, best.text, size) });
    places.set(mark, { text: best.text, ...best.place });
  }
  return marks.map(mark => /** @type {Place} */ (places.get(mark)));
}
