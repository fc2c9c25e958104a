/**
 * An editable text with its tokens drawn over it: as marks behind the letters, or in a lane per tokenizer under each
 * line.
 *
 * Gets tokens by `setTokens`, reports by events: `textchange` (the text was edited), `caretmove` (detail: position),
 * `tokenhover` and `tokenpick` (detail: `{lane, token}` or null), `scrolled`. Knows nothing of the API. The editor is
 * CodeMirror's (a multi-line text box to assistive tools); what is drawn is hidden from them and read elsewhere.
 */
import { EditorView } from '../../vendor/codemirror.js';
import { createEditor } from './editor.js';
import { classesOf } from './lane.js';
import { Painter } from './painter.js';
import { replaced, shared, takenOver } from './replacing.js';

const MARK_HEIGHT = 28;
const BARE_ROW = 36;
const LABELLED_ROW = 48;
const BARE_GLYPH = 18;
const LABELLED_GLYPH = 22;
const NEAR = 5000; // UTF-16 units: of a line longer than the window, what is looked at on both sides of the caret
const LANE_HEIGHT = 10;
const LANE_STEP = 13;
const LANE_FIRST = 14;
const TEXT_ROW = 28;
const AFTER_LANES = 14;

/**
 * @param {boolean} labels
 * @param {number} above
 * @param {number} below pixels that overlays want over and under each row
 */
const marksLayout = (labels, above = 0, below = 0) => ({
  rowHeight: (labels ? LABELLED_ROW : BARE_ROW) + above + below,
  first: -MARK_HEIGHT / 2,
  step: 0,
  height: MARK_HEIGHT,
  glyph: (labels ? LABELLED_GLYPH : BARE_GLYPH) + above,
});
const lanesLayout = n => ({
  rowHeight: TEXT_ROW + n * LANE_STEP + AFTER_LANES,
  first: LANE_FIRST,
  step: LANE_STEP,
  height: LANE_HEIGHT,
  glyph: 15,
});

/** How much larger than usual all texts are drawn. */
let scale = 1;
/** @param {Object<string, number>} layout @returns {import('./painter.js').Layout} */
const enlarged = layout =>
  /** @type {any} */ ({
    ...Object.fromEntries(Object.entries(layout).map(([name, length]) => [name, Math.round(length * scale)])),
    scale,
  });

/** Sets the size of all texts of the page, 1 the usual. @param {number} times */
export function setTextScale(times) {
  scale = times;
  for (const text of document.querySelectorAll('token-text')) /** @type {TokenText} */ (text).resume();
}

export class TokenText extends HTMLElement {
  #editor;
  #painter;
  #version = 0;
  #kind = 'marks';
  #hovered = null;
  #pointer = null;
  #labels = true;
  #settingText = false;
  #laidOut = '';
  #scrollTop = 0;
  #untaken = null;
  #overlays = [];
  #ended = new AbortController();

  /** 1-based count of the text's versions; tokens of an older one are refused. */
  get version() {
    return this.#version;
  }

  /** @returns {import('../../vendor/codemirror.js').EditorView} */
  get view() {
    return this.#editor.view;
  }

  /**
   * Must be called once, after the element is in the page.
   * @param {{kind: 'marks'|'lanes', nonce: string, label: string, text?: string, readOnly?: boolean}} options
   */
  start({ kind, nonce, label, text = '', readOnly = false }) {
    this.#kind = kind;
    this.dataset.kind = kind;
    this.#editor = createEditor({
      parent: this,
      nonce,
      label,
      text,
      readOnly,
      onUpdate: update => this.#onUpdate(update),
    });
    this.#painter = new Painter(this.view, kind, enlarged(kind === 'marks' ? marksLayout(true) : lanesLayout(2)));
    if (kind === 'lanes') this.#painter.labels = false;
    this.#layOut();
    const { scrollDOM } = this.view;
    scrollDOM.addEventListener('mousemove', event => this.#onPointer(event));
    scrollDOM.addEventListener('mouseleave', () => {
      this.#pointer = null;
      this.#hover(null);
    });
    scrollDOM.addEventListener('mousedown', event => this.#onPress(event));
    scrollDOM.addEventListener('click', event => this.#onClick(event));
    scrollDOM.addEventListener(
      'scroll',
      () => {
        if (this.isConnected) this.#scrollTop = scrollDOM.scrollTop;
        this.#report('scrolled', null);
      },
      { passive: true },
    );
    document.fonts.addEventListener('loadingdone', () => this.#painter.renew(), { signal: this.#ended.signal });
  }

  /** Lets go of everything outside of it. Called when it was taken out of the page for good. */
  destroy() {
    this.#ended.abort();
    this.#painter?.destroy();
    this.#editor?.view.destroy();
  }

  get text() {
    return this.view.state.sliceDoc();
  }

  /** Replaces the whole text, as one step of the history. No event: who sets the text knows. */
  set text(text) {
    if (text !== this.text) this.#replace(replaced(this.view.state, text));
  }

  /**
   * Takes over the text of another editor, which is no step of the history. Caret and place stay, if it is the same
   * text edited. No event.
   * @param {string} text
   */
  takeOver(text) {
    this.#replace(takenOver(this.view.state, text));
  }

  /**
   * Shows a text that is shared with another editor. No event.
   * @param {import('../../vendor/codemirror.js').Text} doc
   */
  set doc(doc) {
    this.#replace(shared(this.view.state, doc));
  }

  get lineCount() {
    return this.view.state.doc.lines;
  }
  get caret() {
    return this.view.state.selection.main.head;
  }
  get selectionEmpty() {
    return this.view.state.selection.main.empty;
  }

  /**
   * @param {import('./painter.js').LaneSource[]} sources
   * @param {number} version of the text they belong to
   * @returns {boolean} false: the text changed meanwhile
   */
  setTokens(sources, version = this.#version) {
    if (version !== this.#version) return false;
    this.#hover(null);
    this.#painter.sources = sources;
    for (const overlay of this.#overlays) overlay.show(sources, null);
    this.#layOut();
    return true;
  }

  /** Whether the text was edited since `takeChange`. */
  get changed() {
    return this.#untaken !== null;
  }

  /** How much was taken away and put in since then, UTF-16 units. */
  get changedUnits() {
    let units = 0;
    this.#untaken?.iterChangedRanges((fromA, toA, fromB, toB) => {
      units += toA - fromA + toB - fromB;
    });
    return units;
  }

  /**
   * Where a stretch of the text as it is now was when `takeChange` was last called.
   * @param {{from: number, to: number}} range UTF-16
   * @returns {{from: number, to: number}}
   */
  beforeChange({ from, to }) {
    const back = this.#untaken?.invertedDesc;
    return back ? { from: back.mapPos(Math.floor(from), -1), to: back.mapPos(Math.ceil(to), 1) } : { from, to };
  }

  /** As `takeChange`, for who takes the whole text. */
  skipChange() {
    this.#untaken = null;
  }

  /**
   * What became of the text since the last call, as one range of the text of then and what stands in its place now. A
   * pair of surrogates is never cut. @returns {{from: number, to: number, insert: string}|null} null: nothing
   */
  takeChange() {
    const changes = this.#untaken;
    const { doc } = this.view.state;
    this.#untaken = null;
    let from = Infinity;
    let to = 0;
    let start = Infinity;
    let end = 0;
    changes?.iterChangedRanges((fromA, toA, fromB, toB) => {
      from = Math.min(from, fromA);
      to = toA;
      start = Math.min(start, fromB);
      end = toB;
    });
    if (from > to) return null;
    if (isHigh(doc.sliceString(start - 1, start))) {
      from--;
      start--;
    }
    if (isLow(doc.sliceString(end, end + 1))) {
      to++;
      end++;
    }
    return { from, to, insert: doc.sliceString(start, end) };
  }

  /**
   * Draws tokens of the text as it was when `takeChange` was called, moved through what became of it since.
   * @param {import('./painter.js').LaneSource[]} sources
   */
  showTokens(sources) {
    this.#hover(null);
    this.#painter.show(sources, this.#untaken);
    for (const overlay of this.#overlays) overlay.show(sources, this.#untaken);
    this.#layOut();
    this.#painter.drawNow();
  }

  /**
   * As `showTokens`, where only those of a part of the text are known: what counts tokens from its start is not drawn.
   * @param {import('./painter.js').LaneSource[]} sources
   */
  showPart(sources) {
    this.#hover(null);
    this.#painter.show(sources, this.#untaken);
    for (const overlay of this.#overlays) overlay.show([], null);
    this.#layOut();
  }

  /** @param {import('./overlay.js').Overlay} overlay drawn beside the tokens */
  addOverlay(overlay) {
    overlay.attach(this.view);
    this.#overlays.push(overlay);
    this.#layOut();
  }

  /** An overlay wants more or less room. */
  relayOut() {
    this.#layOut();
  }

  /** @returns {Promise<void>} settles when what was set is on the screen */
  drawn() {
    return this.#painter.drawn();
  }

  set labels(shown) {
    this.#labels = shown;
    this.#painter.labels = shown && this.#kind === 'marks';
    this.#layOut();
  }
  set whiteSpace(shown) {
    this.#painter.whiteSpace = shown;
    this.dataset.whiteSpace = String(shown);
  }
  /**
   * @param {{before: HTMLElement, after: HTMLElement}} edges what stands before and after the text without being text
   */
  set edges({ before, after }) {
    this.style.setProperty('--before', before.childElementCount ? '42px' : '12px');
    this.#painter.edges = { before, after };
  }
  set ranges(ranges) {
    this.#painter.ranges = ranges;
  }

  /** Outlines tokens. @param {Map<number, string>[]} marks per lane, a class by token number */
  mark(marks) {
    this.#painter.lanes.forEach((lane, n) => lane.mark(marks[n] ?? new Map()));
  }

  /** The slow way, for tests: what is drawn afterwards is what was drawn before. @returns {Promise<void>} */
  drawPlainly() {
    return this.#painter.drawPlainly();
  }

  /**
   * What is drawn, by lane: blocks are shapes of a few paths, so this is the way to find the one of a token.
   * @returns {{tokenizer: string, pieces: Object[]}[]} pieces with their class and their box in the window
   */
  get drawnLanes() {
    const { left, top } = this.view.scrollDOM.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.view.scrollDOM;
    const { height } = this.#painter.layout;
    return this.#painter.lanes.map(({ element, pieces }, n) => ({
      tokenizer: element.dataset.tokenizer,
      pieces: pieces.map(piece => ({
        ...piece,
        ...this.#bytesOf(n, piece.token),
        className: classesOf(piece),
        box: { x: piece.x + left - scrollLeft, y: piece.y + top - scrollTop, width: piece.width, height },
      })),
    }));
  }

  #bytesOf(lane, token) {
    const { tokens } = this.#painter.sources[lane];
    return { start: tokens.start8.at(token), end: tokens.end8.at(token) };
  }

  /** @returns {{from: number, to: number}} where a token is in the text now, UTF-16 */
  placeOf(lane, token) {
    return this.#painter.placeOf(lane, token);
  }

  slice(from, to) {
    return this.view.state.sliceDoc(from, to);
  }

  /** Brings a position into the window without moving the caret. */
  reveal(pos) {
    this.view.dispatch({
      effects: EditorView.scrollIntoView(Math.min(pos, this.view.state.doc.length), { y: 'center' }),
    });
  }

  moveCaret(pos) {
    this.view.dispatch({ selection: { anchor: Math.min(pos, this.view.state.doc.length) }, scrollIntoView: true });
  }

  focusText() {
    this.view.focus();
  }

  /** @returns {{from: number, to: number}} the stretch of the text in the window, roughly */
  get shown() {
    const { scrollDOM, documentTop } = this.view;
    const box = scrollDOM.getBoundingClientRect();
    const first = this.view.lineBlockAtHeight(box.top - documentTop);
    const last = this.view.lineBlockAtHeight(box.bottom - documentTop);
    const part = (block, y) =>
      block.from +
      (block.to - block.from) * Math.min(1, Math.max(0, (y - documentTop - block.top) / (block.height || 1)));
    return { from: part(first, box.top), to: part(last, box.bottom) };
  }

  /**
   * Where the window will be once the text is laid out, as far as that can be told before.
   * @returns {{from: number, to: number}} UTF-16
   */
  get soonShown() {
    const {
      viewport: { from, to },
    } = this.view;
    const middle = Math.min(to, Math.max(from, this.caret));
    return { from: Math.max(from, middle - NEAR), to: Math.min(to, middle + NEAR) };
  }

  /** After it came back into the page, which forgets where things were scrolled to. */
  resume() {
    if (!this.#editor) return;
    this.#layOut();
    this.view.requestMeasure();
    this.view.scrollDOM.scrollTop = this.#scrollTop;
    this.#painter.schedule();
    for (const overlay of this.#overlays) overlay.schedule();
  }

  /** @param {import('./replacing.js').Replacing|null} replacing */
  #replace(replacing) {
    if (!replacing) return;
    this.#settingText = true;
    if (replacing.fromTop) this.view.scrollDOM.scrollTop = this.#scrollTop = 0;
    this.#editor.replace(replacing);
    this.#settingText = false;
  }

  #layOut() {
    const layout = enlarged(
      this.#kind === 'marks'
        ? marksLayout(this.#labels, this.#room('above'), this.#room('below'))
        : lanesLayout(Math.max(1, this.#painter.sources.length)),
    );
    const variables = {
      '--scale': String(scale),
      '--row': `${layout.rowHeight}px`,
      '--row-shift': `${layout.glyph - layout.rowHeight / 2}px`,
      '--glyph-row': `${2 * layout.glyph}px`,
      '--block': `${layout.height}px`,
    };
    const laidOut = JSON.stringify(variables);
    if (laidOut !== this.#laidOut) this.#editor.layOut(variables);
    this.#laidOut = laidOut;
    this.#painter.layout = layout;
    let lane = scale * (MARK_HEIGHT / 2 + (this.#labels ? LABELLED_ROW - BARE_ROW : 0) + 1);
    for (const overlay of this.#overlays) {
      overlay.layout = { ...layout, lane };
      lane += scale * overlay.below;
    }
  }

  #room(side) {
    return this.#overlays.reduce((sum, overlay) => sum + overlay[side], 0);
  }

  #onUpdate(update) {
    if (update.docChanged) {
      this.#version++;
      const { desc } = update.changes;
      this.#hover(null); // what was said of a token is not true of the new text
      this.#untaken = this.#untaken ? this.#untaken.composeDesc(desc) : desc;
      this.#painter.edited(desc);
      for (const overlay of this.#overlays) overlay.edited(desc);
      if (!this.#settingText) this.#report('textchange', null);
    } else if (update.viewportChanged || update.geometryChanged) {
      this.#painter.look();
      for (const overlay of this.#overlays) overlay.schedule();
    }
    if (update.selectionSet && !update.docChanged) this.#report('caretmove', update.state.selection.main.head);
  }

  /** One look per frame is enough for a pointer. */
  #onPointer({ clientX, clientY }) {
    const waiting = this.#pointer !== null;
    this.#pointer = { clientX, clientY };
    if (waiting) return;
    requestAnimationFrame(() => {
      if (!this.#pointer) return;
      const { clientX: x, clientY: y } = this.#pointer;
      this.#pointer = null;
      this.#hover(this.#painter.hit(x, y));
    });
  }

  #hover(found) {
    if (found?.lane === this.#hovered?.lane && found?.token === this.#hovered?.token) return;
    this.#hovered = found;
    this.#report('tokenhover', found);
  }

  /** A lane is no text: pressing it must not take the focus or move the caret. */
  #onPress(event) {
    if (this.#kind === 'lanes' && this.#painter.hit(event.clientX, event.clientY)) event.preventDefault();
  }

  #onClick(event) {
    const found = this.#painter.hit(event.clientX, event.clientY);
    if (found && (this.#kind === 'lanes' || this.selectionEmpty)) this.#report('tokenpick', found);
  }

  #report(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const isHigh = unit => unit >= '\ud800' && unit <= '\udbff';
const isLow = unit => unit >= '\udc00' && unit <= '\udfff';

customElements.define('token-text', TokenText);
