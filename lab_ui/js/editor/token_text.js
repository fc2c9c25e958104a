/**
 * A text with its tokens drawn over it: as marks behind the letters, or in a lane per tokenizer under each line. It is
 * a view of the text session, or shows a text that is only read.
 *
 * Gets tokens by `showTokens`, reports by events: `caretmove` (detail: position), `tokenhover` and `tokenpick` (detail:
 * `{lane, token}` or null), `scrolled`, `writelater` (detail: a promise that settles when lanes are written in). Knows
 * nothing of the API. The editor is CodeMirror's (a multi-line text box to
 * assistive tools); what is drawn is hidden from them and read elsewhere.
 */
import { EditorSelection, EditorView } from '../../vendor/codemirror.js';
import { createEditor } from './editor.js';
import { classesOf } from './lane.js';
import { LayerHost } from './layer_host.js';
import { Painter } from './painter.js';
import { Pointer } from './pointer.js';
import { lanesLayout, marksLayout, placeOverlays, setScale, variablesOf } from './row_layout.js';
import { MUCH, SessionView } from './session_view.js';
import { Seen } from '../util/seen.js';

const NEAR = 5000; // UTF-16 units: of a line longer than the viewport, what is looked at on both sides of the caret

/** Sets the size of all texts of the page, 1 the usual. @param {number} times */
export function setTextScale(times) {
  setScale(times);
  for (const text of document.querySelectorAll('token-text')) /** @type {TokenText} */ (text).resume();
}

/**
 * @typedef {import('./fragment_rows.js').Piece & {start: number, end: number, className: string, box: {x: number, y:
 *   number, width: number, height: number}}} DrawnPiece `start` and `end` in bytes; `box` in the window
 * @typedef {{tokenizer: string, pieces: DrawnPiece[]}} DrawnLane
 */
export class TokenText extends HTMLElement {
  /** @type {ReturnType<typeof createEditor>} */
  #editor;
  /** @type {LayerHost} */
  #host;
  /** @type {Painter} */
  #painter;
  /** @type {Pointer} */
  #pointer;
  /** @type {SessionView|null} */
  #sessionView = null;
  #kind = 'marks';
  /** @type {(lanes: number, labels?: boolean) => import('./layout.js').Layout} */
  #rows = lanesLayout;
  #hasLabels = false;
  #laidOut = new Seen();
  #scrollTop = 0;
  /** @type {import('./overlay.js').Overlay[]} */
  #overlays = [];
  #ended = new AbortController();

  /** For tests: nothing outside of the editor's folder reads or writes it. */
  get view() {
    return this.#editor.view;
  }

  /**
   * Must be called once, after the element is in the page.
   * @param {Object} options
   * @param {'marks'|'lanes'} options.kind
   * @param {string} options.nonce
   * @param {string} options.label
   * @param {string} [options.placeholder] what an empty text says
   * @param {import('../text/session.js').TextSession|null} [options.session] whose text is shown and edited; null: a
   *   text that is read only, see `doc`
   * @param {string} [options.name] of the place that the session keeps for this editor
   * @param {(lanes: number, labels?: boolean) => import('./layout.js').Layout} [options.rows] how rows
   *   with lanes are laid out; called again by `relayOut`
   */
  start({ kind, nonce, label, placeholder = '', session = null, name = '', rows = lanesLayout }) {
    this.#kind = kind;
    this.#rows = rows;
    this.#hasLabels = kind === 'marks';
    this.dataset.kind = kind;
    const place = session?.placeOf(name);
    const layout = this.#layout;
    const variables = variablesOf(layout);
    this.#laidOut.again(variables);
    this.#editor = createEditor({
      parent: this,
      nonce,
      label,
      doc: session?.doc ?? '',
      selection: place?.selection,
      variables,
      runHistory: session && (command => session.run(command)),
      onState: update => this.#sessionView?.take(update),
      onUpdate: update => this.#onUpdate(update),
    });
    const { view, replace } = this.#editor;
    this.#host = new LayerHost(view);
    this.#painter = new Painter(kind, layout, written => this.#report('writelater', written));
    this.#host.add(this.#painter);
    if (session) this.#sessionView = new SessionView(session, name, { view, replace, toTop: () => this.#toTop() });
    this.#listen();
    this.style.setProperty('--placeholder', JSON.stringify(placeholder));
    view.contentDOM.ariaPlaceholder = placeholder || null;
    this.#markEmpty();
    if (place?.top) view.dispatch({ effects: EditorView.scrollIntoView(place.top, { y: 'start' }) });
  }

  /** The text is shown: it is in the page, and edited from now on. */
  show() {
    this.#sessionView?.show();
    this.resume();
  }

  /**
   * The text is hidden: edits of others are taken over when it is shown again. Called while it is still in the page.
   */
  hide() {
    this.#sessionView?.hide(Math.floor(this.shown.from));
  }

  /** Ends everything: the editor, its layers, what they observe. Called when the element left the page for good. */
  destroy() {
    this.#ended.abort();
    this.#sessionView?.destroy();
    this.#host?.destroy();
    this.#editor?.view.destroy();
    this.remove();
  }

  get text() {
    return this.view.state.sliceDoc();
  }

  /** Shows a text to be read, shared with another editor. @param {import('../../vendor/codemirror.js').Text} doc */
  set doc(doc) {
    const { state } = this.view;
    if (state.doc.eq(doc)) return;
    const transaction = state.update({ changes: { from: 0, to: state.doc.length, insert: doc }, filter: false });
    this.#editor.replace(transaction, doc.length > MUCH);
  }

  /** @param {string} label of the text, for assistive tools */
  set label(label) {
    this.view.contentDOM.ariaLabel = label;
  }

  get caret() {
    return this.view.state.selection.main.head;
  }

  /**
   * Draws tokens at once, before the next frame.
   * @param {import('./painter.js').LaneSource[]} sources
   * @param {import('../../vendor/codemirror.js').ChangeDesc|null} pending what became of the text since they belonged
   *   to it
   */
  showTokens(sources, pending = null) {
    this.setTokens(sources, pending);
    this.#painter.drawNow();
  }

  /**
   * Draws tokens of the viewport before the others are known: what counts tokens from the start is not drawn.
   * @param {import('./painter.js').LaneSource[]} sources
   * @param {import('../../vendor/codemirror.js').ChangeDesc|null} pending
   */
  showPart(sources, pending) {
    this.setTokens(sources, pending, true);
  }

  /** Draws the tokens that are shown in other colours. @param {import('./painter.js').LaneSource[]} sources */
  recolour(sources) {
    this.setTokens(sources, this.#host.pending, this.#host.isPart);
    this.#painter.drawNow();
  }

  /**
   * Draws tokens with the next frame. @param {import('./layout.js').LaneSource[]} sources
   * @param {import('../../vendor/codemirror.js').ChangeDesc|null} pending
   */
  setTokens(sources, pending = null, isPart = false) {
    this.#pointer.hover(null);
    this.#host.show(sources, pending, isPart);
    this.#markEmpty();
    this.#layOut();
  }

  /** @param {import('./overlay.js').Overlay} overlay drawn beside the tokens */
  addOverlay(overlay) {
    this.#host.add(overlay);
    this.#overlays.push(overlay);
    this.#layOut();
  }

  /** Rows are to be laid out again: an overlay wants more or less room, or `rows` says otherwise. */
  relayOut() {
    this.#layOut();
  }

  /**
   * Writes in the blocks what sources say of their tokens: they know more than before.
   * @returns {Promise<void>} settles when it is written
   */
  respell() {
    return this.#painter.respell();
  }

  /** @returns {Promise<void>} settles when what was set is on the screen */
  drawn() {
    return this.#painter.drawn();
  }

  /** @param {boolean} shown */
  set labels(shown) {
    this.#hasLabels = shown;
    this.#painter.labels = shown;
    this.#layOut();
  }
  /** @param {boolean} shown */
  set whiteSpace(shown) {
    this.#painter.whiteSpace = shown;
    this.dataset.whiteSpace = String(shown);
  }
  /** @param {{before: HTMLElement, after: HTMLElement}} edges shown before and after the text without being text */
  set edges({ before, after }) {
    this.style.setProperty('--before', before.childElementCount ? '42px' : '12px');
    this.#painter.edges = { before, after };
  }
  /** @param {import('./line_layout.js').TextRange[]} ranges */
  set ranges(ranges) {
    this.#painter.ranges = ranges;
  }

  /** Outlines tokens. @param {Map<number, string>[]} marks per lane, a class by token number */
  mark(marks) {
    this.#painter.lanes.forEach((lane, n) => lane.mark(marks[n] ?? new Map()));
  }

  /** Whether the tokens that are drawn are all tokens of the text as it is. */
  get isWhole() {
    const { sources, pending, isPart } = this.#host;
    return sources.length > 0 && !isPart && !pending && sources.every(({ tokens }) => !tokens.known);
  }

  /** Asks for the spellings of all tokens. @returns {boolean} whether all are known */
  get isSpelled() {
    let isSpelled = true;
    for (const { tokens, spelling } of this.#host.sources)
      for (let token = 0; spelling && token < tokens.ids.length; token++)
        if (spelling(token) === null) isSpelled = false;
    return isSpelled;
  }

  /**
   * Lays out and draws all of the text at once, as for a printer; the style sheet must give it the room
   * (`picture/whole_text.js`).
   * @param {number} top where the text was scrolled to before it had that room
   * @returns {() => void} call it in the same task, after the room is as it was
   */
  layOutWhole(top) {
    this.#printing(true);
    return () => {
      this.#printing(false);
      // Twice: the first measuring still keeps in place what was in view when all of the text was.
      for (let n = 0; n < 2; n++) {
        this.view.scrollDOM.scrollTop = top;
        this.#measureNow();
      }
    };
  }

  /**
   * What the editor does for the browser's printing, which has no public name. While it lasts the viewport is the text.
   * @param {boolean} isPrinting
   */
  #printing(isPrinting) {
    /** @type {any} */ (this.view).viewState.printing = isPrinting;
    this.#measureNow();
  }

  /** Lays out and draws in this task. Twice: what is drawn first may come from estimates of heights. */
  #measureNow() {
    for (let n = 0; n < 2; n++) {
      this.#host.schedule();
      /** @type {any} */ (this.view).measure();
    }
    this.#painter.writeNow();
  }

  /** The slow way, for tests: what is drawn afterwards is what was drawn before. @returns {Promise<void>} */
  drawPlainly() {
    return this.#painter.drawPlainly();
  }

  /**
   * What is drawn, by lane: blocks are shapes of a few paths, so this is the way to find the one of a token.
   * @returns {DrawnLane[]}
   */
  get drawnLanes() {
    const { left, top } = this.view.scrollDOM.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.view.scrollDOM;
    const { height } = this.#painter.layout;
    return this.#painter.lanes.map(({ element, pieces }, n) => ({
      tokenizer: element.dataset.tokenizer ?? '',
      pieces: pieces.map(piece => ({
        ...piece,
        ...this.#bytesOf(n, piece.token),
        className: classesOf(piece),
        box: { x: piece.x + left - scrollLeft, y: piece.y + top - scrollTop, width: piece.width, height },
      })),
    }));
  }

  /**
   * How many marks of some kinds are in the window now: tokens whose id has no room, tokens with parts of two
   * characters, stretches in no token.
   * @returns {{dotted: number, mixed: number, dropped: number}}
   */
  get drawnMarks() {
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    /** @param {{y: number}} drawn */
    const isShown = ({ y }) => y < scrollTop + clientHeight && y + this.#painter.layout.height > scrollTop;
    const pieces = this.#painter.lanes.flatMap(lane => lane.pieces.filter(isShown));
    return {
      dotted: pieces.filter(piece => piece.dotted).length,
      mixed: pieces.filter(piece => piece.mixed).length,
      dropped: this.#painter.remarks.filter(one => one.className === 'dropped' && isShown(one)).length,
    };
  }

  /**
   * Which marks the lanes in the window have, by lane.
   * @returns {{labels: import('./lane_spelling.js').Label[], boundaries: Set<string>}[]}
   */
  get writtenMarks() {
    return this.#painter.lanes.map(({ pieces }) => ({
      labels: pieces.flatMap(({ spelled }) => spelled ?? []),
      boundaries: new Set(pieces.map(({ boundary }) => boundary)),
    }));
  }

  /** @param {number} lane @param {number} token */
  #bytesOf(lane, token) {
    const { tokens } = this.#host.sources[lane];
    return { start: tokens.start8.at(token), end: tokens.end8.at(token) };
  }

  /**
   * @param {number} lane @param {number} token
   * @returns {{from: number, to: number}} where a token is in the text now, UTF-16
   */
  placeOf(lane, token) {
    return this.#painter.placeOf(lane, token);
  }

  /** Brings a position into the viewport without moving the caret. @param {number} pos */
  reveal(pos) {
    this.view.dispatch({
      effects: EditorView.scrollIntoView(Math.min(pos, this.view.state.doc.length), { y: 'center' }),
    });
  }

  /**
   * Scrolls as little as shows a stretch of the text with the row above and the row below it.
   * @param {number} from @param {number} to UTF-16
   */
  bringIntoView(from, to) {
    const { length } = this.view.state.doc;
    const range = EditorSelection.range(Math.min(to, length), Math.min(from, length));
    const yMargin = this.#painter.layout.rowHeight;
    this.view.dispatch({ effects: EditorView.scrollIntoView(range, { y: 'nearest', yMargin }) });
  }

  /** @param {number} pos */
  moveCaret(pos) {
    this.view.dispatch({ selection: { anchor: Math.min(pos, this.view.state.doc.length) }, scrollIntoView: true });
  }

  focusText() {
    this.view.focus();
  }

  /** @returns {{from: number, to: number}} the stretch of the text in the viewport, roughly */
  get shown() {
    const { scrollDOM, documentTop } = this.view;
    const box = scrollDOM.getBoundingClientRect();
    const first = this.view.lineBlockAtHeight(box.top - documentTop);
    const last = this.view.lineBlockAtHeight(box.bottom - documentTop);
    /** @param {ReturnType<EditorView['lineBlockAtHeight']>} block @param {number} y */
    const part = (block, y) =>
      block.from +
      (block.to - block.from) * Math.min(1, Math.max(0, (y - documentTop - block.top) / (block.height || 1)));
    return { from: part(first, box.top), to: part(last, box.bottom) };
  }

  /**
   * Where the viewport will be once the text is laid out, as far as that is known before.
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
    if (this.#scrollTop) this.view.scrollDOM.scrollTop = this.#scrollTop; // lays out the page
    this.#host.schedule();
  }

  #listen() {
    const { scrollDOM } = this.view;
    this.#pointer = new Pointer(scrollDOM, (x, y) => this.#painter.hit(x, y), {
      takesPress: () => this.#kind === 'lanes', // a lane is no text
      canPick: () => this.#kind === 'lanes' || this.view.state.selection.main.empty,
      report: (type, detail) => this.#report(type, detail),
    });
    const onScroll = () => {
      if (this.isConnected) this.#scrollTop = scrollDOM.scrollTop;
      this.#report('scrolled', null);
    };
    scrollDOM.addEventListener('scroll', onScroll, { passive: true });
    document.fonts.addEventListener('loadingdone', () => this.#painter.renew(), { signal: this.#ended.signal });
  }

  #toTop() {
    this.view.scrollDOM.scrollTop = this.#scrollTop = 0;
  }

  /** How the rows are to be laid out now. */
  get #layout() {
    /** @param {'above'|'below'} side */
    const room = side => this.#overlays.reduce((sum, overlay) => sum + overlay[side], 0);
    return this.#kind === 'marks'
      ? marksLayout(this.#hasLabels, room('above'), room('below'))
      : this.#rows(Math.max(1, this.#host?.sources.length ?? 0), this.#hasLabels);
  }

  #layOut() {
    const layout = this.#layout;
    const variables = variablesOf(layout);
    if (!this.#laidOut.again(variables)) this.#editor.layOut(variables);
    this.#painter.layout = layout;
    placeOverlays(this.#overlays, layout, this.#hasLabels);
  }

  /** @param {import('../../vendor/codemirror.js').ViewUpdate} update */
  #onUpdate(update) {
    if (update.docChanged) {
      this.#pointer.hover(null); // what was said of a token is not true of the new text
      this.#host.edited(update.changes.desc);
    } else if (update.viewportChanged || update.geometryChanged) {
      this.#host?.moved();
    }
    if (update.docChanged) this.#markEmpty();
    this.#sessionView?.drawn();
    if (update.selectionSet && !update.docChanged) this.#report('caretmove', update.state.selection.main.head);
  }

  #markEmpty() {
    this.toggleAttribute('data-empty', this.view.state.doc.length === 0);
  }

  /** @param {string} name @param {unknown} detail */
  #report(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define('token-text', TokenText);
