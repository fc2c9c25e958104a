/**
 * What is drawn of one line of the text, and whether it is still that: the pieces of its tokens, rows of blocks and of
 * ids, white space, what is said of its text. A key changes a line or two; the pictures of the others are kept and
 * moved. A line that is drawn in part, or too long, has a new one at every drawing. Writing them to the page is
 * `lane`'s and the painter's.
 */
import { Clusters } from '../text/clusters.js';
import { segmentsOf } from '../text/segments.js';
import { ENDS_INSIDE, SPECIAL, STARTS_INSIDE, UNKNOWN } from '../text/token_spans.js';
import { rowsOf, spelledRowsOf } from './fragment_rows.js';
import { LONGEST, spell } from './lane_spelling.js';

const TOUCHING = 1.5; // px; the edge that two neighbours share may be rounded to different pixels
const NARROWEST = 2; // px; a token without width (a joiner alone) still has to be seen
const SAME_GRID = 0.5; // px
/** Neither end is inside a character. */
const WHOLE = { left: false, right: false };
const STRUCK = /\S+/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\ufe0f/u;
const SPACES = / +|\t|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/**
 * @typedef {Object} Drawing what all lines of a drawing share
 * @property {import('../../vendor/codemirror.js').Text} doc @property {import('./geometry.js').Geometry} geometry
 * @property {import('./layout.js').LaneSource[]} sources
 * @property {{map: (pos: number, side: number) => number, unmap: (pos: number, side: number) => number, touches: (from:
 *   number, to: number) => boolean}} changes what became of the text since they were of it
 * @property {import('./layout.js').Layout} layout @property {boolean} marks whether tokens are drawn behind the text
 * @property {boolean} labels ids under tokens @property {boolean} whiteSpace
 * @property {{from: number, to: number, className: string}[]} ranges
 *
 * @typedef {string|number} Fact
 * @typedef {{from: number, to: number, kind: Glyph['kind']}} Space
 * @typedef {import('./geometry.js').Atom} Atom @typedef {import('./geometry.js').Box} Box
 * @typedef {import('./geometry.js').Part} Part @typedef {import('./layout.js').LaneSource} LaneSource
 * @typedef {import('./fragment_rows.js').Piece} Piece @typedef {import('./space_glyphs.js').Glyph} Glyph
 * @typedef {import('../text/segments.js').Segment} Segment
 * @typedef {{from: number, to: number, className: string}} TextRange
 * @typedef {{left: number, width: number, y: number, className: string}} Remark
 *
 * @typedef {Object} LaneLine a line in a lane
 * @property {import('./fragment_rows.js').Piece[]} pieces @property {import('./fragment_rows.js').Row[]} rows
 * @property {import('./fragment_rows.js').SpelledRow[]} spelled what is written in the blocks, once it is
 */
export class LinePicture {
  /** @type {Fact[][]} by lane */
  #facts = [];
  /** @type {number[]} by lane */
  #first = [];
  #top;
  /** Whether all that is written in its blocks is known. */
  isSpelled = false;

  /**
   * @param {import('./geometry.js').Part} part
   * @param {Drawing} drawing
   * @param {LinePicture|null} above that of the line before
   */
  constructor(part, drawing, above) {
    const { from, to, text } = part;
    const { doc, geometry, sources, changes, layout } = drawing;
    const clusters = new Clusters(text, from);
    this.text = text;
    this.#top = part.top;
    this.kept =
      !changes.touches(from, to) &&
      sources.every(({ tokens }) => !tokens.known) &&
      !drawing.ranges.some(range => range.from < to && range.to > from);
    const segments = sources.map(({ tokens }) => segmentsOf(tokens, from, to, clusters, changes));
    const ranges = [...drawing.ranges, ...(drawing.marks ? remarks(segments[0] ?? [], doc) : [])];
    const spaces = drawing.whiteSpace ? spacesOf(text, from) : [];
    const atoms = geometry.atoms(edgesOf(doc, from, to, [...segments, spaces], ranges));
    const glyphs = drawing.whiteSpace && drawing.marks; // a line break is shown by a glyph, where there is room for one
    /** @type {LaneLine[]} */
    this.lanes = segments.map((list, lane) => {
      const pieces = chunksOf(list, atoms, lane, drawing, above?.lanes[lane].pieces ?? []);
      return { pieces, rows: rowsOf(pieces, layout.height, glyphs, layout.scale), spelled: [] };
    });
    /** @type {{left: number, width: number, y: number, className: string}[]} */
    this.remarks = ranges.flatMap(range => boxesOf(range, atoms, geometry));
    /** @type {import('./space_glyphs.js').Glyph[]} */
    this.glyphs = [
      ...spaces.flatMap(glyphsIn(atoms, geometry)),
      ...(glyphs ? breaks(this.lanes[0]?.pieces ?? [], layout.height) : []),
    ];
    /** Middles of its rows. @type {number[]} */
    this.middles = Array.from(new Set(atoms.flatMap(({ boxes }) => boxes.map(({ row }) => row))), row =>
      geometry.centre(row),
    );
    if (this.kept) sources.forEach((source, lane) => this.#note(source, part, changes, lane));
  }

  /**
   * Finds what is written in its blocks, as far as that is not known.
   * @param {import('./layout.js').LaneSource[]} sources
   * @param {import('./lane_spelling.js').Face} face
   */
  spell(sources, face) {
    if (this.isSpelled) return;
    this.isSpelled = true;
    this.lanes.forEach((lane, n) => {
      const { spelling } = sources[n];
      if (!spelling) return;
      if (!spell(lane.pieces, spelling, face)) this.isSpelled = false;
      lane.spelled = spelledRowsOf(lane.pieces);
    });
  }

  /**
   * Makes it that of a line, where it would be drawn the same there.
   * @param {import('./geometry.js').Part} part
   * @param {Drawing} drawing
   * @param {LinePicture|null} above
   * @returns {boolean}
   */
  fits(part, { sources, changes, layout: { rowHeight }, ranges }, above) {
    const { from, to, top } = part;
    const rows = Math.round((top - this.#top) / rowHeight);
    const by = rows * rowHeight;
    if (
      Math.abs(top - this.#top - by) > SAME_GRID ||
      sources.some(({ tokens }) => tokens.known) ||
      changes.touches(from, to) ||
      ranges.some(range => range.from < to && range.to > from)
    )
      return false;
    const first = sources.map((source, lane) => this.#same(source, part, changes, lane, above));
    if (first.includes(-1)) return false;
    first.forEach((token, lane) => this.#move(lane, token - this.#first[lane], by));
    if (by) this.#moveRest(by);
    this.#first = first;
    this.#top += by;
    return true;
  }

  /**
   * What the drawing of a lane depends on, of each token that touches the line.
   * @param {LaneSource} source @param {Part} part @param {Drawing['changes']} changes @param {number} lane
   */
  #note(source, part, changes, lane) {
    /** @type {Fact[]} */
    const facts = [];
    this.#facts[lane] = facts;
    let first = 0;
    for (const i of touching(source.tokens, part, changes)) {
      if (!facts.length) first = i;
      facts.push(...factsOf(source, i, i - first, changes.unmap(part.from, -1)));
    }
    this.#first[lane] = first;
  }

  /**
   * @param {LaneSource} source @param {Part} part @param {Drawing['changes']} changes @param {number} lane
   * @param {LinePicture|null} above
   * @returns {number} the first token that touches the line; -1: they are not what they were
   */
  #same(source, part, changes, lane, above) {
    const facts = this.#facts[lane];
    const oldFrom = changes.unmap(part.from, -1);
    const { tokens, shade, boundary } = source;
    let n = 0;
    let first = 0;
    for (const i of touching(tokens, part, changes)) {
      if (!n) {
        first = i;
        if (
          partsBefore(above?.lanes[lane].pieces ?? [], i) !==
          (this.lanes[lane].pieces.find(({ token }) => token === this.#first[lane])?.part ?? 0)
        )
          return -1;
      }
      if (
        facts[n] !== i - first ||
        facts[n + 1] !== tokens.start16.at(i) - oldFrom ||
        facts[n + 2] !== tokens.end16.at(i) - oldFrom ||
        facts[n + 3] !== tokens.ids.at(i) ||
        facts[n + 4] !== tokens.flags.at(i) ||
        facts[n + 5] !== shade(i) ||
        facts[n + 6] !== (boundary?.(i) ?? '')
      )
        return -1;
      n += FACTS;
    }
    return n === facts.length ? first : -1;
  }

  /** @param {number} lane @param {number} tokens @param {number} by */
  #move(lane, tokens, by) {
    const { pieces, rows, spelled } = this.lanes[lane];
    for (const piece of pieces) {
      piece.token += tokens;
      piece.y += by;
    }
    if (by) for (const row of [...rows, ...spelled]) row.y += by;
  }

  /** @param {number} by */
  #moveRest(by) {
    for (const remark of this.remarks) remark.y += by;
    for (const glyph of this.glyphs) glyph.middle += by;
    this.middles = this.middles.map(middle => middle + by);
  }
}

const FACTS = 7;
/** @param {LaneSource} source @param {number} i @param {number} number @param {number} from    */
const factsOf = ({ tokens, shade, boundary }, i, number, from) => [
  number,
  tokens.start16.at(i) - from,
  tokens.end16.at(i) - from,
  tokens.ids.at(i),
  tokens.flags.at(i),
  shade(i),
  boundary?.(i) ?? '',
];

/**
 * Tokens that touch a part of the text that was not edited since they were of it.
 * @param {LaneSource['tokens']} tokens @param {Part} part @param {Drawing['changes']} changes
 */
function* touching(tokens, { from, to }, changes) {
  const oldTo = changes.unmap(to, 1);
  for (let k = tokens.firstEndingAfter(changes.unmap(from, -1)); k < tokens.placedCount; k++) {
    const i = tokens.placed(k);
    if (tokens.start16.at(i) >= oldTo) return;
    yield i;
  }
}

/** How many pieces of a token stand on the line before. @param {Piece[]} pieces @param {number} token */
function partsBefore(pieces, token) {
  for (let n = pieces.length - 1; n >= 0 && pieces[n].token >= token; n--)
    if (pieces[n].token === token) return pieces[n].part + 1;
  return 0;
}

/**
 * @param {Segment[]} segments @param {Atom[]} atoms @param {number} lane @param {Drawing} drawing
 * @param {Piece[]} above
 */
function chunksOf(
  segments,
  atoms,
  lane,
  { doc, geometry, sources, changes, layout: { first, step }, labels, marks },
  above,
) {
  const { tokens, shade, boundary, idWords } = sources[lane];
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {Map<number, number>} */
  const parts = new Map();
  /**
   * @param {number} token @param {number} x @param {number} width @param {Box} box
   * @param {import('./block_shape.js').Slant} [slant] @param {import('./lane_spelling.js').Shared|null} [shared]
   */
  const add = (token, x, width, { row, rtl, newline = false }, slant = WHOLE, shared = null) => {
    const part = parts.get(token) ?? partsBefore(above, token);
    const flags = tokens.flags.at(token);
    parts.set(token, part + 1);
    pieces.push({
      token,
      part,
      x,
      y: geometry.centre(row) + first + lane * step,
      width: Math.max(width, NARROWEST),
      shade: shade(token),
      boundary: boundary?.(token) ?? '',
      name: labels ? (idWords?.(token) ?? String(tokens.ids.at(token))) : '',
      label: '',
      labelRow: 0,
      labelMiddle: 0,
      named: false,
      dotted: false,
      rtl,
      newline,
      stripe: shared !== null,
      slant: marks ? undefined : slant,
      shared,
      mixed:
        (flags & (STARTS_INSIDE | ENDS_INSIDE)) !== 0 &&
        isMixed(doc.sliceString(changes.map(tokens.start16.at(token), 1), changes.map(tokens.end16.at(token), -1))),
      special: (flags & SPECIAL) !== 0,
      unknown: (flags & UNKNOWN) !== 0,
      id: tokens.ids.at(token),
    });
  };
  let at = 0;
  for (const { from, to, owners } of segments) {
    while (at < atoms.length && atoms[at].to <= from) at++;
    if (!owners.length) continue;
    for (const box of joined(atoms, at, to)) {
      const k = owners.length;
      const width = box.right - box.left;
      if (k === 1) add(owners[0], box.left, width, box);
      else {
        const shared = { text: doc.sliceString(from, Math.min(to, from + LONGEST + 1)), x: box.left, width };
        owners.forEach((token, n) => {
          const place = box.rtl ? k - 1 - n : n;
          const slant = { left: place > 0, right: place < k - 1 };
          add(token, box.left + (place * width) / k, width / k, box, slant, shared);
        });
      }
    }
  }
  return pieces;
}

/** @param {TextRange} range @param {Atom[]} atoms @param {Drawing['geometry']} geometry   */
function boxesOf({ from, to, className }, atoms, geometry) {
  const at = atoms.findIndex(atom => atom.to > from);
  if (at < 0) return [];
  return joined(atoms, at, to, from).map(({ left, right, row }) => ({
    left,
    width: Math.max(right - left, NARROWEST),
    y: geometry.centre(row),
    className,
  }));
}

/** @param {Atom[]} atoms @param {Drawing['geometry']} geometry @returns {(space: Space) => Glyph[]} */
function glyphsIn(atoms, geometry) {
  let at = 0;
  return ({ from, to, kind }) => {
    while (at < atoms.length && atoms[at].from < from) at++;
    const boxes = joined(atoms, at, to);
    const width = boxes.reduce((sum, { left, right }) => sum + right - left, 0);
    return boxes.map(({ left, right, row }) => ({
      left,
      right,
      middle: geometry.centre(row),
      kind,
      length: width ? Math.round(((to - from) * (right - left)) / width) : 0,
    }));
  };
}

/** @param {Piece[]} pieces @param {number} height @returns {Glyph[]} */
const breaks = (pieces, height) =>
  pieces
    .filter(({ newline }) => newline)
    .map(({ x, y, width }) => ({ left: x, right: x + width, middle: y + height / 2, kind: 'newline', length: 1 }));

/**
 * Runs of spaces, and every other white space that has a width.
 * @param {string} slice @param {number} offset @returns {Space[]}
 */
const spacesOf = (slice, offset) =>
  Array.from(slice.matchAll(SPACES), ({ 0: run, index }) => ({
    from: offset + index,
    to: offset + index + run.length,
    kind: run[0] === ' ' ? 'space' : run === '\t' ? 'tab' : 'other-space',
  }));

/**
 * What is said of the text beside its tokens: what is in none of them, white space apart, and which emoji is one glyph.
 * @param {Segment[]} segments @param {Drawing['doc']} doc
 */
function remarks(segments, doc) {
  /** @type {TextRange[]} */
  const found = [];
  for (const { from, to, owners } of segments) {
    if (!owners.length)
      for (const { 0: run, index } of doc.sliceString(from, to).matchAll(STRUCK))
        found.push({ from: from + index, to: from + index + run.length, className: 'dropped' });
    if (owners.length > 1 && to - from > 2 && EMOJI.test(doc.sliceString(from, to)))
      found.push({ from, to, className: 'cluster' });
  }
  return found;
}

/**
 * Every position at which any lane or range starts or ends, and both sides of every line break.
 * @param {Drawing['doc']} doc @param {number} from @param {number} to @param {{from: number, to: number}[][]} segments
 * @param {TextRange[]} ranges
 */
function edgesOf(doc, from, to, segments, ranges) {
  const edges = new Set([from, to]);
  for (const list of segments)
    for (const segment of list) {
      edges.add(segment.from);
      edges.add(segment.to);
    }
  for (const range of ranges)
    if (range.from < to && range.to > from) {
      edges.add(range.from);
      edges.add(range.to);
    }
  for (let line = doc.lineAt(from); line.from <= to; line = doc.line(line.number + 1)) {
    edges.add(line.from);
    edges.add(line.to);
    if (line.number === doc.lines) break;
  }
  return Array.from(edges)
    .filter(edge => edge >= from && edge <= to)
    .sort((a, b) => a - b);
}

/**
 * The boxes of the atoms from number `at` up to position `to`, neighbours on one row made one. A line break stays
 * apart.
 * @param {Atom[]} atoms @param {number} at @param {number} to
 * @param {number} from
 */
function joined(atoms, at, to, from = -1) {
  /** @type {Box[]} */
  const boxes = [];
  for (let n = at; n < atoms.length && atoms[n].from < to; n++) {
    if (atoms[n].from < from) continue;
    for (const box of atoms[n].boxes) {
      const last = boxes.at(-1);
      if (
        last &&
        last.row === box.row &&
        !box.newline &&
        !last.newline &&
        (Math.abs(last.right - box.left) < TOUCHING || Math.abs(last.left - box.right) < TOUCHING)
      ) {
        last.left = Math.min(last.left, box.left);
        last.right = Math.max(last.right, box.right);
      } else {
        boxes.push({ ...box });
      }
    }
  }
  return boxes;
}

/**
 * Whether a token that holds part of one character holds something of another, too.
 * @param {string} covered by its span
 */
const isMixed = covered => covered.length > 1 && [...covered].length > 1;
