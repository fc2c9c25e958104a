/**
 * Draws tokens over the visible part of an editor: behind the text (`marks`) or in lanes under each visual line (`lanes`).
 *
 * A drawing has three steps: plan (which segments, from typed arrays), read (one look at the geometry), write (elements).
 * The text wraps once and every lane reads the same cuts, so cuts line up to the pixel in every script. Between a key and
 * its answer the old tokens are moved through the change.
 */
import { Clusters } from '../../lib/clusters.js';
import { segmentsOf } from '../../lib/segments.js';
import { ENDS_INSIDE, SPECIAL, STARTS_INSIDE, UNKNOWN } from '../../lib/token_spans.js';
import { Geometry } from './geometry.js';
import { Lane } from './lane.js';
import { sameLayout } from './layout.js';
import { LineCache } from './line_cache.js';
import { reuse } from './reuse.js';
import { SpaceGlyphs } from './space_glyphs.js';
import { Hatches } from './svg.js';

const LABEL_CHARACTER = 5.8; // width of a digit in the id lane, px
const LABEL_ROOM = 2;
const TOUCHING = 1.5; // px; the edge that two neighbours share may be rounded to different pixels
const NARROWEST = 2; // px; a token without width (a joiner alone) still has to be seen
const EDGE_GAP = 14, EDGE_HEIGHT = 24; // px
const PATIENCE_FRAMES = 120;
const DRAWN = /** @type {any} */ (Symbol('drawn already'));
const STRUCK = /\S+/gu;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\ufe0f/u;

/**
 * @typedef {Object} LaneSource
 * @property {string} id @property {string} letter
 * @property {import('../../lib/token_spans.js').TokenSpans} tokens
 * @property {(token: number) => string} shade class of a token's colour
 * @property {(token: number) => string} [cut] class of the cut at its start: a shape of `cut_shape.js`
 *
 * @typedef {{rowHeight: number, first: number, step: number, height: number, glyph: number, scale: number}} Layout pixels: of a visual line, from its
 *   middle to the first lane, from lane to lane, of a block, from the top of a line to its letters; `scale` is how much larger than usual all is
 */
export class Painter {
  #view; #below; #above; #lanes = []; #sources = []; #layout; #pending = null; #drawnWindow = null; #waiting = []; #ranges = []; #labels = true; #extras = []; #names; #kind; #edges = null; #whiteSpace = true; #glyphs; #spaces; #hatches; #cache = new LineCache(); #plain = false; #drawnAt = ''; #edgesMoved = false; #unseen = true; #patience = PATIENCE_FRAMES;

  /** @param {import('../../../vendor/codemirror.js').EditorView} view @param {'marks'|'lanes'} kind @param {Layout} layout */
  constructor(view, kind, layout) {
    this.#view = view;
    this.#kind = kind;
    this.#layout = layout;
    this.#below = this.#layer('below');
    this.#hatches = new Hatches(this.#below);
    this.#glyphs = this.#layer('glyphs');
    this.#spaces = new SpaceGlyphs(this.#glyphs);
    this.#above = this.#layer('above');
    this.#names = this.#layer('names');
    view.scrollDOM.addEventListener('scroll', () => this.#onScroll(), { passive: true });
  }

  set layout(layout) {
    if (sameLayout(this.#layout, layout)) return;
    this.#layout = layout;
    this.schedule();
  }
  get layout() { return this.#layout; }

  /** @param {boolean} shown ids under the tokens */
  set labels(shown) { this.#labels = shown; this.schedule(); }

  /** @param {boolean} shown glyphs for white space */
  set whiteSpace(shown) { this.#whiteSpace = shown; this.schedule(); }

  /** @param {{from: number, to: number, className: string}[]} ranges drawn behind the text, positions in the text now */
  set ranges(ranges) {
    const none = !ranges.length && !this.#ranges.length;
    this.#ranges = ranges;
    if (!none) this.schedule();
  }

  /** @param {{before: HTMLElement, after: HTMLElement}} edges placed at the edges of the text */
  set edges(edges) {
    this.#edges = edges;
    for (const element of Object.values(edges)) if (element.parentNode !== this.#above) this.#above.append(element);
    this.#edgesMoved = true;
    this.look();
  }

  /** @param {LaneSource[]} sources for the text as it is now */
  set sources(sources) { this.show(sources, null); }

  /**
   * @param {LaneSource[]} sources
   * @param {import('../../../vendor/codemirror.js').ChangeDesc|null} pending what became of the text since they were of it
   */
  show(sources, pending) {
    this.#sources = sources;
    this.#pending = pending;
    while (this.#lanes.length > sources.length) this.#lanes.pop().remove();
    while (this.#lanes.length < sources.length) this.#lanes.push(new Lane(this.#kind === 'marks' ? this.#below : this.#above, this.#hatches));
    sources.forEach((source, n) => this.#lanes[n].describe(source.id, source.letter));
    this.schedule();
  }
  get sources() { return this.#sources; }
  get lanes() { return this.#lanes; }

  /** The text was edited: what is drawn moves along until new tokens come. @param {import('../../../vendor/codemirror.js').ChangeDesc} changes */
  edited(changes) {
    this.#pending = this.#pending ? this.#pending.composeDesc(changes) : changes;
    this.#ranges = this.#ranges.map(range => ({ ...range, from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) })).filter(range => range.to > range.from);
    this.schedule();
  }

  /** Draws in the editor's next measuring, at the latest before the next frame. */
  schedule() {
    this.#drawnAt = '';
    this.look();
  }

  /** Draws where the text is not where it was when it was drawn last. */
  look() {
    this.#unseen = true;
    this.#measure();
  }

  #measure() { this.#view.requestMeasure({ key: this, read: () => (this.#unseen ? this.#plan() : DRAWN), write: plan => this.#write(plan) }); }

  /** Draws before the next frame where the text is laid out: the frame then has only to paint. */
  drawNow() {
    const plan = this.#plan();
    if (plan) this.#draw(plan);
  }

  /** @returns {Promise<void>} settles when everything is drawn, in the frame that paints it */
  drawn() {
    const { promise, resolve } = deferred();
    this.#waiting.push(resolve);
    this.#measure();
    return promise;
  }

  /** A font came: nothing is where it was. */
  renew() {
    this.#cache.clear();
    this.schedule();
  }

  /** Draws as if nothing were known: every stretch is read on its own. What comes out is the same; tests compare it. */
  async drawPlainly() {
    this.#plain = true;
    this.schedule();
    await this.drawn();
    this.#plain = false;
  }

  /** Position in the text now of a token of a lane. @returns {{from: number, to: number}} */
  placeOf(lane, token) {
    const { tokens } = this.#sources[lane], map = this.#changes().map;
    return { from: map(tokens.start16.at(token), 1), to: map(tokens.end16.at(token), -1) };
  }

  /** @returns {{lane: number, token: number}|null} at a point of the window */
  hit(clientX, clientY) {
    const box = this.#view.scrollDOM.getBoundingClientRect(), x = clientX - box.left + this.#view.scrollDOM.scrollLeft, y = clientY - box.top + this.#view.scrollDOM.scrollTop;
    const reach = this.#kind === 'marks' ? this.#layout.rowHeight : this.#layout.step;
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const piece = this.#lanes[lane].hit(x, y, reach);
      if (piece) return { lane, token: piece.token };
    }
    return null;
  }

  #layer(name) {
    const layer = document.createElement('div');
    layer.className = `token-layer ${name}`;
    this.#view.scrollDOM.append(layer);
    return layer;
  }

  #onScroll() {
    const { scrollTop, clientHeight } = this.#view.scrollDOM, drawn = this.#drawnWindow;
    if (!drawn || scrollTop < drawn.top + 100 || scrollTop + clientHeight > drawn.bottom - 100) this.schedule();
  }

  #changes() {
    const pending = this.#pending;
    if (!pending) return { map: pos => pos, unmap: pos => pos };
    const inverse = pending.invertedDesc;
    return { map: (pos, side) => pending.mapPos(Math.min(pos, pending.length), side), unmap: (pos, side) => inverse.mapPos(Math.min(pos, inverse.length), side) };
  }

  /** Reads only. */
  #plan() {
    const view = this.#view, { doc } = view.state, geometry = new Geometry(view, this.#layout.rowHeight, this.#plain ? null : this.#cache);
    const shown = geometry.window(), { from, to } = shown;
    if (to < from || !view.scrollDOM.clientHeight) return null;
    const at = geometry.stamp(shown);
    const end = Math.min(to + 1, doc.length); // with the line break after the last visible line
    const places = () => this.#edges && this.#edgePlaces(geometry, geometry.contentEdges, end === doc.length);
    if (at === this.#drawnAt) return this.#edgesMoved ? { places: places() } : DRAWN;
    const slice = doc.sliceString(from, end), clusters = new Clusters(slice, from), changes = this.#changes();
    const segments = this.#sources.map(({ tokens }) => segmentsOf(tokens, from, end, clusters, changes));
    const ranges = [...this.#ranges, ...(this.#kind === 'marks' ? remarks(segments[0] ?? [], doc) : [])];
    const spaces = this.#whiteSpace ? spacesOf(slice, from) : [];
    const atoms = geometry.atoms(cutsOf(doc, from, end, [...segments, spaces], ranges));
    return { at, shown, geometry, atoms, segments, spaces, ranges, changes, edges: geometry.contentEdges, text: doc, places: places() };
  }

  #write(plan) {
    // Not laid out yet: nothing is drawn, so nobody is told that it is. Gives up where the screen stays without height.
    if (!plan && this.#view.dom.isConnected && this.#patience-- > 0) {
      requestAnimationFrame(() => this.schedule());
      return;
    }
    this.#patience = PATIENCE_FRAMES;
    if (plan) this.#draw(plan);
    this.#waiting.splice(0).forEach(resolve => resolve());
  }

  /** Writes only. */
  #draw(plan) {
    this.#unseen = this.#edgesMoved = false;
    if (plan === DRAWN) return;
    if (plan.places) this.#drawEdges(plan.places);
    if (!plan.segments) return;
    this.#drawnAt = plan.at;
    this.#drawnWindow = plan.shown;
    const glyphs = this.#whiteSpace && this.#kind === 'marks'; // a line break is shown by a glyph, where there is room for one
    plan.segments.forEach((segments, lane) => this.#lanes[lane].draw(this.#pieces(segments, lane, plan), this.#layout.height, glyphs));
    this.#drawExtras(plan);
    this.#drawSpaces(plan);
    if (this.#kind === 'lanes') this.#drawNames(plan);
  }

  /** Where the edge elements go: above the first row, and behind the last character or, where there is no room, under it. */
  #edgePlaces(geometry, edges, endShown) {
    const { after } = this.#edges, end = endShown ? geometry.endOfText() : null, width = after.offsetWidth;
    if (!end) return { before: edges.left, after: null };
    const { x, middle, rtl } = end, room = rtl ? x - edges.left : edges.right - x;
    if (room > width + EDGE_GAP) return { before: edges.left, after: { x: rtl ? x - EDGE_GAP - width : x + EDGE_GAP, y: middle - EDGE_HEIGHT / 2 } };
    return { before: edges.left, after: { x: rtl ? edges.right - width : edges.left, y: middle + this.#layout.rowHeight / 2 } };
  }

  #drawEdges({ before, after }) {
    this.#edges.before.style.left = `${before}px`;
    this.#edges.before.style.top = '9px';
    this.#edges.after.style.visibility = after ? '' : 'hidden';
    if (!after) return;
    this.#edges.after.style.left = `${after.x}px`;
    this.#edges.after.style.top = `${after.y}px`;
  }

  #pieces(segments, lane, { atoms, geometry, text, changes }) {
    const { tokens, shade, cut } = this.#sources[lane], { first, step } = this.#layout, pieces = [], parts = new Map();
    const add = (token, x, width, { row, rtl, newline = false }, stripe, label) => {
      const part = parts.get(token) ?? 0, flags = tokens.flags.at(token);
      parts.set(token, part + 1);
      pieces.push({ token, part, x, y: geometry.centre(row) + first + lane * step, width: Math.max(width, NARROWEST), shade: shade(token), cut: cut?.(token) ?? '', label, rtl, newline, stripe,
        mixed: (flags & (STARTS_INSIDE | ENDS_INSIDE)) !== 0 && isMixed(text.sliceString(changes.map(tokens.start16.at(token), 1), changes.map(tokens.end16.at(token), -1))), special: (flags & SPECIAL) !== 0, unknown: (flags & UNKNOWN) !== 0, id: tokens.ids.at(token) });
    };
    let at = 0;
    for (const { from, to, owners } of segments) {
      while (at < atoms.length && atoms[at].to <= from) at++;
      if (!owners.length) continue;
      for (const box of joined(atoms, at, to)) {
        const k = owners.length, width = box.right - box.left;
        if (k === 1) add(owners[0], box.left, width, box, false, this.#labels ? fitting(String(tokens.ids.at(owners[0])), width, this.#layout.scale) : '');
        else owners.forEach((token, n) => add(token, box.left + (box.rtl ? k - 1 - n : n) * width / k, width / k, box, true, ''));
      }
    }
    return pieces;
  }

  /** What is drawn beside tokens: ranges to point at, and text that is in no token. */
  #drawExtras({ atoms, geometry, ranges }) {
    const boxes = [];
    for (const { from, to, className } of ranges) {
      const at = atoms.findIndex(atom => atom.to > from);
      if (at < 0) continue;
      for (const box of joined(atoms, at, to, from)) boxes.push({ ...box, className });
    }
    reuse(this.#extras, this.#below, boxes, (element, { left, right, row, className }) => {
      element.className = `text-range ${className}`;
      place(element, left, geometry.centre(row), Math.max(right - left, NARROWEST));
    });
  }

  #drawSpaces({ atoms, geometry, spaces }) {
    const glyphs = [];
    let at = 0;
    for (const { from, to, kind } of spaces) {
      while (at < atoms.length && atoms[at].from < from) at++;
      const boxes = joined(atoms, at, to), width = boxes.reduce((sum, { left, right }) => sum + right - left, 0);
      for (const { left, right, row } of boxes) glyphs.push({ left, right, middle: geometry.centre(row), kind, length: width ? Math.round((to - from) * (right - left) / width) : 0 });
    }
    if (this.#kind === 'marks' && this.#whiteSpace) for (const { newline, x, y, width } of this.#lanes[0]?.pieces ?? []) if (newline) glyphs.push({ left: x, right: x + width, middle: y + this.#layout.height / 2, kind: 'newline', length: 1 });
    this.#spaces.draw(glyphs);
  }

  /** The letters of the tokenizers beside every row, always at the left: lanes are found by looking down one column. */
  #drawNames({ atoms, geometry, edges }) {
    const rows = new Map();
    for (const { boxes } of atoms) for (const { row } of boxes) if (!rows.has(row)) rows.set(row, row);
    const letters = [...rows.keys()].flatMap(row => this.#sources.map(({ letter, id }, lane) => ({ row, lane, letter, id })));
    this.#names.pool ??= [];
    reuse(this.#names.pool, this.#names, letters, (element, { row, lane, letter }) => {
      if (element.dataset.letter !== letter) {
        element.className = 'lane-name';
        element.textContent = letter;
        element.dataset.letter = letter;
      }
      place(element, edges.gutter - 26, geometry.centre(row) + this.#layout.first + lane * this.#layout.step, 18);
    });
  }
}

const SPACES = / +|\t|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Runs of spaces, and every other white space that has a width. */
const spacesOf = (slice, offset) => Array.from(slice.matchAll(SPACES), ({ 0: run, index }) => ({ from: offset + index, to: offset + index + run.length, kind: run[0] === ' ' ? 'space' : run === '\t' ? 'tab' : 'other-space' }));

/** What is said of the text beside its tokens: what is in none of them, white space apart, and which emoji is one glyph. */
function remarks(segments, doc) {
  const found = [];
  for (const { from, to, owners } of segments) {
    if (!owners.length) for (const { 0: run, index } of doc.sliceString(from, to).matchAll(STRUCK)) found.push({ from: from + index, to: from + index + run.length, className: 'dropped' });
    if (owners.length > 1 && to - from > 2 && EMOJI.test(doc.sliceString(from, to))) found.push({ from, to, className: 'cluster' });
  }
  return found;
}

/** Every position at which any lane or range is cut, and both sides of every line break. */
function cutsOf(doc, from, to, segments, ranges) {
  const cuts = new Set([from, to]);
  for (const list of segments) for (const segment of list) { cuts.add(segment.from); cuts.add(segment.to); }
  for (const range of ranges) if (range.from < to && range.to > from) { cuts.add(range.from); cuts.add(range.to); }
  for (let line = doc.lineAt(from); line.from <= to; line = doc.line(line.number + 1)) {
    cuts.add(line.from);
    cuts.add(line.to);
    if (line.number === doc.lines) break;
  }
  return Array.from(cuts).filter(cut => cut >= from && cut <= to).sort((a, b) => a - b);
}

/** The boxes of the atoms from number `at` up to position `to`, neighbours on one row made one. A line break stays apart. */
function joined(atoms, at, to, from = -1) {
  const boxes = [];
  for (let n = at; n < atoms.length && atoms[n].from < to; n++) {
    if (atoms[n].from < from) continue;
    for (const box of atoms[n].boxes) {
      const last = boxes.at(-1);
      if (last && last.row === box.row && !box.newline && !last.newline && (Math.abs(last.right - box.left) < TOUCHING || Math.abs(last.left - box.right) < TOUCHING)) {
        last.left = Math.min(last.left, box.left);
        last.right = Math.max(last.right, box.right);
      } else {
        boxes.push({ ...box });
      }
    }
  }
  return boxes;
}

/** Whether a token that holds part of one character holds something of another, too. @param {string} covered by its span */
const isMixed = covered => covered.length > 1 && [...covered].length > 1;

function fitting(label, width, scale) { return label.length * LABEL_CHARACTER * scale + LABEL_ROOM <= width ? label : ''; }

function place(element, left, top, width) {
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  element.style.width = `${width}px`;
}

function deferred() {
  let resolve;
  const promise = new Promise(done => { resolve = done; });
  return { promise, resolve };
}
