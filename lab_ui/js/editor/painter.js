/**
 * Draws tokens over the visible part of an editor: behind the text (`marks`) or in lanes under each visual line
 * (`lanes`).
 *
 * A drawing has three steps: plan (which segments, from typed arrays), read (one look at the geometry), write
 * (elements). The text wraps once and every lane reads the same edges, so boundaries line up to the pixel in every
 * script. Between a key and its answer the old tokens are moved through the change.
 */
import { Geometry } from './geometry.js';
import { LabelFace } from './label_face.js';
import { Lane } from './lane.js';
import { LaneWriter } from './lane_writer.js';
import { Layer } from './layer_host.js';
import { sameLayout } from './layout.js';
import { LineCache } from './line_cache.js';
import { LinePicture } from './line_layout.js';
import { reuse } from './sync_elements.js';
import { SpaceGlyphs } from './space_glyphs.js';
import { Hatches } from './svg.js';

const EDGE_GAP = 14;
const EDGE_HEIGHT = 24; // px
const BADGE = 15;
const BADGE_ROOM = 9; // px
const PATIENCE_FRAMES = 120;
const DRAWN = 'drawn already';

/**
 * @typedef {import('./layout.js').LaneSource} LaneSource @typedef {import('./layout.js').Layout} Layout
 * @typedef {import('./geometry.js').Edges} Edges
 * @typedef {{before: number, after: {x: number, y: number, isBelow?: boolean}|null}} EdgePlaces
 *
 * @typedef {Object} Plan of a drawing
 * @property {number} top where the text is scrolled to
 * @property {{from: number, to: number}} viewport
 * @property {EdgePlaces|false|null} places
 * @property {Drawn} [drawn] null: only the edges have moved
 * @typedef {{at: string, shown: ReturnType<Geometry['window']>, edges: Edges, pictures: LinePicture[], face:
 *   import('./lane_spelling.js').Face|null}} Drawn
 */

export class Painter extends Layer {
  /** @type {HTMLElement} */
  #below;
  /** @type {HTMLElement} */
  #above;
  /** @type {Lane[]} */
  #lanes = [];
  #layout;
  /** @type {(() => void)[]} */
  #waiting = [];
  /** @type {import('./line_layout.js').TextRange[]} */
  #ranges = [];
  #labels = true;
  /** @type {HTMLElement[]} */
  #extras = [];
  /** Letters of the lanes. @type {HTMLElement[]} */
  #badges = [];
  /** What is drawn beside the tokens. @type {import('./line_layout.js').Remark[]} */
  remarks = [];
  /** @type {HTMLElement} */
  #names;
  #kind;
  /** @type {{before: HTMLElement, after: HTMLElement}|null} */
  #edges = null;
  #whiteSpace = true;
  /** @type {HTMLElement} */
  #glyphs;
  /** @type {SpaceGlyphs} */
  #spaces;
  /** @type {Hatches} */
  #hatches;
  #cache = new LineCache();
  #face = new LabelFace();
  /** @type {LaneWriter} */
  #writer;
  #reportLate;
  /** @type {{set: string, lines: Map<string, LinePicture[]>}} */
  #known = { set: '', lines: new Map() };
  #plain = false;
  #drawnAt = '';
  #edgesMoved = false;
  /** Whether new tokens are to be drawn at once. */
  #isAnswer = false;
  #unseen = true;
  #seenTop = 0;
  #seenViewport = { from: -1, to: -1 };
  #patience = PATIENCE_FRAMES;
  #destroyed = false;

  /**
   * @param {'marks'|'lanes'} kind
   * @param {Layout} layout
   * @param {(written: Promise<void>) => void} reportLate told when blocks are to be written in later
   */
  constructor(kind, layout, reportLate) {
    super();
    this.#reportLate = reportLate;
    this.#kind = kind;
    this.#layout = layout;
    this.#labels = kind === 'marks';
  }

  /** @param {import('./layer_host.js').LayerHost} host */
  attach(host) {
    super.attach(host);
    this.#below = host.makeElement('below');
    this.#hatches = new Hatches(this.#below);
    this.#glyphs = host.makeElement('glyphs');
    this.#spaces = new SpaceGlyphs(this.#glyphs);
    this.#above = host.makeElement('above');
    this.#names = host.makeElement('names');
    this.#writer = new LaneWriter(this.view.scrollDOM, () => !this.#unseen, this.#reportLate);
  }

  /** @param {Layout} layout */
  set layout(layout) {
    if (sameLayout(this.#layout, layout)) return;
    this.#layout = layout;
    this.schedule();
  }
  get layout() {
    return this.#layout;
  }

  /** @param {boolean} shown ids under the tokens */
  set labels(shown) {
    this.#labels = shown;
    this.schedule();
  }

  /** @param {boolean} shown glyphs for white space */
  set whiteSpace(shown) {
    this.#whiteSpace = shown;
    this.schedule();
  }

  /**
   * @param {{from: number, to: number, className: string}[]} ranges drawn behind the text, positions in the text now
   */
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

  onSources() {
    const { sources } = this.host;
    while (this.#lanes.length > sources.length) this.#lanes.pop()?.remove();
    while (this.#lanes.length < sources.length)
      this.#lanes.push(new Lane(this.#kind === 'marks' ? this.#below : this.#above, this.#hatches));
    sources.forEach((source, n) => this.#lanes[n].describe(source.id, source.letter));
    this.schedule();
  }

  get lanes() {
    return this.#lanes;
  }

  /** @param {import('../../vendor/codemirror.js').ChangeDesc} changes */
  onEdit(changes) {
    this.#ranges = this.#ranges
      .map(range => ({ ...range, from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) }))
      .filter(range => range.to > range.from);
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

  #measure() {
    this.view.requestMeasure({
      key: this,
      read: () => (this.#isSeen ? DRAWN : this.#plan()),
      write: plan => this.#write(plan),
    });
  }

  /**
   * Whether nothing was invalidated since the last drawing. Scroll events arrive a frame late, and the editor moves its
   * viewport after them: both are compared.
   */
  get #isSeen() {
    const { scrollDOM, viewport } = this.view;
    const isSameViewport = viewport.from === this.#seenViewport.from && viewport.to === this.#seenViewport.to;
    return !this.#unseen && isSameViewport && scrollDOM.scrollTop === this.#seenTop;
  }

  /** Draws before the next frame where the text is laid out: the frame then has only to paint. */
  drawNow() {
    this.#isAnswer = true;
    this.view.lineBlockAtHeight(0); // the editor does first what it has scheduled, which draws this
    if (this.#isAnswer) {
      const plan = this.#plan();
      if (plan) this.#draw(plan);
      this.#isAnswer = false;
    }
    this.look(); // the editor may not have laid out what is scrolled to: where the text is is compared once more
  }

  /** @returns {Promise<void>} settles when everything is drawn, in the frame that paints it */
  drawn() {
    if (this.#destroyed) return Promise.resolve();
    /** @type {Promise<void>} */
    const drawn = new Promise(resolve => this.#waiting.push(resolve));
    this.#measure();
    return drawn;
  }

  /** More is known of what is written in blocks. @returns {Promise<void>} settles when it is written */
  respell() {
    return this.#writer.later();
  }

  /** Writes in the blocks what would be written once the text rests. */
  writeNow() {
    this.#writer.now();
  }

  /** Nothing is drawn any more, and nobody waits for it. */
  destroy() {
    this.#destroyed = true;
    this.#writer.destroy();
    this.#tellDrawn();
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

  /**
   * Position in the text now of a token of a lane.
   * @param {number} lane @param {number} token @returns {{from: number, to: number}}
   */
  placeOf(lane, token) {
    const { tokens } = this.host.sources[lane];
    const map = this.#changes().map;
    return { from: map(tokens.start16.at(token), 1), to: map(tokens.end16.at(token), -1) };
  }

  /**
   * @param {number} clientX @param {number} clientY
   * @returns {{lane: number, token: number} | null} at a point of the window
   */
  hit(clientX, clientY) {
    const box = this.view.scrollDOM.getBoundingClientRect();
    const x = clientX - box.left + this.view.scrollDOM.scrollLeft;
    const y = clientY - box.top + this.view.scrollDOM.scrollTop;
    const reach = this.#kind === 'marks' ? this.#layout.rowHeight : this.#layout.step;
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const piece = this.#lanes[lane].hit(x, y, reach);
      if (piece) return { lane, token: piece.token };
    }
    return null;
  }

  /** @returns {import('./line_layout.js').Drawing['changes']} */
  #changes() {
    const { pending } = this.host;
    if (!pending)
      return {
        map: pos => pos,
        unmap: pos => pos,
        touches: () => false,
      };
    const inverse = pending.invertedDesc;
    return {
      touches: (from, to) => inverse.touchesRange(from, to) !== false,
      map: (pos, side) => pending.mapPos(Math.min(pos, pending.length), side),
      unmap: (pos, side) => inverse.mapPos(Math.min(pos, inverse.length), side),
    };
  }

  /** Reads only. @returns {Plan|null} */
  #plan() {
    const view = this.view;
    const { doc } = view.state;
    const geometry = new Geometry(view, this.#layout.rowHeight, this.#plain ? null : this.#cache, this.#cache.middle);
    const shown = geometry.window();
    const { from, to } = shown;
    if (to < from || !view.scrollDOM.clientHeight) return null;
    const at = geometry.stamp(shown);
    const end = Math.min(to + 1, doc.length); // with the line break after the last visible line
    const places = () =>
      this.#edges && this.#edgePlaces(geometry, this.#edges, geometry.contentEdges, end === doc.length);
    const seen = { top: view.scrollDOM.scrollTop, viewport: view.viewport };
    if (at === this.#drawnAt) return { ...seen, places: this.#edgesMoved && places() };
    const edges = geometry.contentEdges;
    const pictures = this.#pictures(geometry, from, end, edges);
    const face = this.#face.of(view.scrollDOM, this.#layout.spelling, this.#cache.layout);
    return { ...seen, places: places(), drawn: { at, shown, edges, pictures, face } };
  }

  /**
   * One for each line in the window, those of the drawing before where they are the same.
   * @param {Geometry} geometry @param {number} from @param {number} end @param {Edges} edges
   */
  #pictures(geometry, from, end, edges) {
    const { doc } = this.view.state;
    const marks = this.#kind === 'marks';
    const layout = this.#layout;
    const parts = geometry.parts(from, end);
    const drawing = {
      doc,
      geometry,
      sources: this.host.sources,
      changes: this.#changes(),
      layout,
      marks,
      labels: this.#labels,
      whiteSpace: this.#whiteSpace,
      ranges: this.#ranges,
    };
    const set = this.#plain
      ? 'plain'
      : [
          JSON.stringify([layout, marks, this.#labels, this.#whiteSpace, edges]),
          ...this.host.sources.map(({ id, spelling }) => `${id}${spelling ? '' : '-'}`),
          this.#cache.layout,
          gridOf(parts, layout.rowHeight),
        ].join(' ');
    const known = this.#known;
    /** @type {LinePicture[]} */
    const pictures = [];
    const usable = set === known.set;
    /** @type {{set: string, lines: Map<string, LinePicture[]>}} */
    const now = { set: this.#plain ? '' : set, lines: new Map() };
    for (const part of parts) {
      const same = (usable && part.whole && known.lines.get(part.text)) || [];
      /** @type {LinePicture|null} */
      const above = pictures.at(-1) ?? null;
      const at = same.findIndex(picture => picture.fits(part, drawing, above));
      const picture = at < 0 ? new LinePicture(part, drawing, above) : same.splice(at, 1)[0];
      pictures.push(picture);
      if (!part.whole || !picture.kept) continue;
      const others = now.lines.get(part.text);
      if (others) others.push(picture);
      else now.lines.set(part.text, [picture]);
    }
    this.#known = now;
    return pictures;
  }

  /** @param {Plan|typeof DRAWN|null} plan */
  #write(plan) {
    // Not laid out yet: nothing is drawn, so nobody is told that it is. Gives up if the screen stays without height. A
    // text that is hidden is drawn when it is shown.
    if (!plan && this.view.dom.checkVisibility() && this.#patience-- > 0) {
      requestAnimationFrame(() => this.schedule());
      return;
    }
    this.#patience = PATIENCE_FRAMES;
    if (plan) this.#draw(plan);
    this.#tellDrawn();
  }

  #tellDrawn() {
    this.#waiting.splice(0).forEach(resolve => resolve());
  }

  /** Writes only. @param {Plan|typeof DRAWN} plan */
  #draw(plan) {
    if (plan === DRAWN) return;
    this.#unseen = this.#edgesMoved = false;
    this.#seenTop = plan.top;
    this.#seenViewport = plan.viewport;
    if (plan.places && this.#edges) this.#drawEdges(this.#edges, plan.places);
    if (!plan.drawn) return;
    const { at, shown: window, edges, pictures, face } = plan.drawn;
    this.#drawnAt = at;
    this.drawnWindow = window;
    const { sources, pending } = this.host;
    this.#lanes.forEach((lane, n) =>
      lane.draw(
        pictures.map(({ lanes }) => lanes[n]),
        this.#layout,
      ),
    );
    const isEdited = pending !== null;
    this.#writer.take({ pictures, lanes: [...this.#lanes], sources, face, window, isEdited }, plan.top, this.#isAnswer);
    this.#isAnswer = false;
    this.remarks = pictures.flatMap(({ remarks }) => remarks);
    this.#drawExtras(this.remarks);
    this.#spaces.draw(pictures.flatMap(({ glyphs }) => glyphs));
    if (this.#kind === 'lanes')
      this.#drawNames(
        pictures.flatMap(({ middles }) => middles),
        edges,
      );
  }

  /**
   * Where the edge elements go: above the first row, and behind the last character or, where there is no room, under
   * it.
   * @param {Geometry} geometry @param {{after: HTMLElement}} elements @param {Edges} edges @param {boolean} endShown
   *
   */
  #edgePlaces(geometry, { after }, edges, endShown) {
    const end = endShown ? geometry.endOfText() : null;
    const width = after.offsetWidth;
    if (!end) return { before: edges.left, after: null };
    const { x, middle, rtl } = end;
    const room = rtl ? x - edges.left : edges.right - x;
    if (room > width + EDGE_GAP)
      return {
        before: edges.left,
        after: { x: rtl ? x - EDGE_GAP - width : x + EDGE_GAP, y: middle - EDGE_HEIGHT / 2 },
      };
    return {
      before: edges.left,
      after: {
        x: rtl ? edges.right - width : edges.left,
        y: middle + this.#layout.rowHeight - this.#layout.glyph + 2,
        isBelow: true,
      },
    };
  }

  /** @param {{before: HTMLElement, after: HTMLElement}} elements @param {EdgePlaces} places */
  #drawEdges(elements, { before, after }) {
    elements.before.style.left = `${before}px`;
    elements.before.style.top = '9px';
    elements.after.style.visibility = after ? '' : 'hidden';
    if (!after) return;
    const { style } = this.view.scrollDOM;
    const room = after.isBelow ? `${EDGE_HEIGHT + EDGE_GAP}px` : '';
    if (style.getPropertyValue('--after') !== room) style.setProperty('--after', room);
    elements.after.style.left = `${after.x}px`;
    elements.after.style.top = `${after.y}px`;
  }

  /**
   * What is drawn beside tokens: ranges to point at, and text that is in no token.
   * @param {import('./line_layout.js').Remark[]} remarks
   */
  #drawExtras(remarks) {
    reuse(this.#extras, this.#below, remarks, (element, { left, width, y, className }) => {
      element.className = `text-range ${className}`;
      place(element, left, y, width);
    });
  }

  /**
   * The letters of the tokenizers beside every row, always at the left: lanes are found by looking down one column.
   * @param {number[]} middles @param {Edges} edges
   */
  #drawNames(middles, edges) {
    const letters = middles.flatMap(middle => this.host.sources.map(({ letter }, lane) => ({ middle, lane, letter })));
    reuse(this.#badges, this.#names, letters, (element, { middle, lane, letter }) => {
      if (element.dataset.letter !== letter) {
        element.className = 'lane-name badge small';
        element.dataset.letter = letter;
      }
      const { first, step, height, scale } = this.#layout;
      const size = Math.round(BADGE * scale);
      element.style.left = `${edges.gutter - BADGE_ROOM - size}px`;
      element.style.top = `${middle + first + lane * step + (height - size) / 2}px`;
    });
  }
}

/**
 * Where rows begin, counted from the top of the content: lines are a whole number of rows high.
 * @param {import('./geometry.js').Part[]} parts @param {number} rowHeight
 */
function gridOf(parts, rowHeight) {
  const top = parts.find(part => Number.isFinite(part.top))?.top ?? 0;
  return Math.round(4 * (top - rowHeight * Math.floor(top / rowHeight))) / 4;
}

/** @param {HTMLElement} element @param {number} left @param {number} top @param {number} width */
function place(element, left, top, width) {
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  element.style.width = `${width}px`;
}
