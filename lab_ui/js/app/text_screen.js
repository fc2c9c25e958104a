/**
 * The life of a screen with one text and its tokens: when it is shown, what is asked for, which answers count. A screen
 * extends it and says what it wants (`wanted`), how it is asked for (`ask`) and how it is drawn (`lanes`, `draw`,
 * `drawLater`, `forget`).
 *
 * Short texts are sent whole at every key, and a newer request ends the one before. Long ones are kept by the backend:
 * one edit is on its way at a time, what is typed meanwhile goes with the next, and tokens that are behind the text are
 * drawn moved through what became of it. When one is opened, the tokens in the window come first, and figures with the
 * whole.
 */
import { OpenText, tokensWithin } from '../api/documents.js';
import { keyWords } from './command.js';
import { ViewportPrefetch } from '../text/viewport_prefetch.js';
import { Latest } from '../util/latest.js';
import { Debounce, Throttle, delay } from '../text/timing.js';
import { TextSlice } from '../text/text_slice.js';

const LONG = 2_000; // UTF-16 units; below that asking for all is as quick
const MUCH = 100_000; // UTF-16 units that an edit takes away and puts in; above that the text is opened anew
const WINDOW_FIRST = 30_000; // UTF-16 units; below that the whole is there as soon as what is in the window
const FIRST_MS = 150; // that the whole text waits for what is in the window to be drawn
const LATE_MS = 1000; // that figures of a text stay while an edited one is encoded
const LATER_MS = 150;
const SOON_MS = 30; // until the rest is drawn, of long texts and of short ones: after the frame with the tokens
const REOPEN = ['document_gone', 'conflict'];

/**
 * @typedef {{tokenizers: string[], options: {addSpecialTokens: boolean, specials: 'parse'|'text'|'reject',
 *   ignoreSpaces: boolean|null}}} Wanted
 * @typedef {{text: string|TextSlice, tokenizers: string[], tokens: import('../text/token_spans.js').TokenSpans[],
 *   results: Object[], header: Object, agreement?: number[][], divergences?:
 *   import('../text/divergences.js').Divergences, roundTrip?: () => Promise<boolean[]|null>}} Answer
 *   `roundTrip`: whether decoding gives a long text back, for tokenizers whose RESULT does not say
 * @typedef {{wantedFor: string, look: ViewportPrefetch, part: import('../text/token_spans.js').TokenSpans[]|null}}
 *   Opening a
 *   long text whose whole is on its way `part`: the tokens that the first look found last
 */
export class TextScreen {
  #requests = new Latest();
  #pace = new Throttle();
  #open = null;
  #openFor = '';
  #following = null;
  #abort = null;
  #again = false;
  #later = new Debounce();
  #stale = true;
  #settled = true;
  #shownVersion = -1;
  /** What is drawn over the text is of these tokenizers and options; '': of none. */
  #drawnFor = '';
  /** @type {Opening|null} */
  #opening = null;

  /** Whether `start` was called. */
  started = false;
  /** Whether the screen is the one that is looked at. */
  shown = false;

  /** @param {import('./text_screen_host.js').TextHost} lab @param {import('../editor/token_text.js').TokenText} text */
  constructor(lab, text) {
    this.lab = lab;
    this.text = text;
    text.addEventListener('scrolled', () => this.#opening?.look.look());
  }

  /** @returns {Wanted|null} what is to be encoded; null: nothing can be */
  wanted() {
    return null;
  }

  /**
   * Asks for everything.
   * @param {Wanted} _wanted
   * @param {string} _text
   * @param {AbortSignal} _signal
   * @returns {Promise<Object>} an Answer without text and tokenizers
   */
  async ask(_wanted, _text, _signal) {
    return {};
  }

  /** @param {Answer} _answer @returns {import('../editor/painter.js').LaneSource[]} what is drawn over the text */
  lanes(_answer) {
    return [];
  }

  /** Draws what must keep up with the typing. @param {Answer} _answer @returns {void|Promise<void>} */
  draw(_answer) {}

  /** Draws what takes the whole text or all tokens, when the typing pauses. @param {Answer} _answer */
  drawLater(_answer) {}

  /**
   * The text is another one, of which nothing is known but tokens in the window: figures of the old one would be wrong.
   * Must be quick.
   * @param {boolean} _others so are the tokenizers or options
   */
  wait(_others) {}

  /** The same when it takes long: nothing is shown any more that was said of the old text. */
  forget() {}

  /** Takes away what is drawn over the text and beside it: it is of another text, or of other tokenizers. */
  takeTokens() {
    this.text.setTokens([]);
  }

  /**
   * @returns {HTMLElement|null} what a picture is made of: a text with its tokens, or some of them; null: none is shown
   */
  get pictured() {
    return null;
  }

  /** @returns {import('../editor/text_picture.js').Head[]} who made the tokens of a picture */
  get heads() {
    return [];
  }

  /** Draws what the screen has beside the text, when it is shown. */
  drawAround() {}

  show() {
    this.shown = true;
    const { state } = this.lab;
    const isOther = this.#shownVersion !== state.textVersion;
    if (isOther) this.text.takeOver(state.text);
    this.text.resume();
    if (isOther) {
      this.forget();
      this.lab.showSource(this.text, state.text);
    }
    this.drawAround();
    if (this.#stale || isOther) this.encode();
  }

  /**
   * A screen that is not looked at neither asks nor draws: what it has not finished it begins anew when it is shown.
   */
  hide() {
    this.shown = false;
    this.#shownVersion = this.lab.state.textVersion;
    if (this.#settled && !this.running) return;
    this.#end();
    this.#stale = true;
  }

  focusText() {
    this.text.focusText();
  }

  /** Whether an answer is on its way. */
  get running() {
    return this.#requests.running || this.#following !== null;
  }

  /** Stops the running request. @returns {boolean} whether there was one */
  stop() {
    if (!this.running) return false;
    this.#forget();
    this.#end();
    this.#stale = true;
    this.lab.setProgress(`Stopped. Edit the text, or press ${keyWords('Mod+Enter')}, to encode again.`);
    return true;
  }

  /** What is shown is of no use any more: asks again, at once or when the screen is shown. */
  renew() {
    this.#stale = true;
    if (this.shown) this.encode();
  }

  /** The text was edited in the editor. */
  edited() {
    this.lab.state.edited(() => this.text.text);
    this.encode(LATE_MS);
  }

  /**
   * Asks for the tokens of the text as it is now.
   * @param {number} [late] milliseconds after which nothing is shown any more that was said of the old text
   */
  encode(late = LATER_MS) {
    this.#stale = this.#settled = false;
    return this.lab.activity.track(this.#encode(late));
  }

  async #encode(late) {
    const wanted = this.wanted();
    if (!wanted) {
      this.#end();
      this.#clear();
      return;
    }
    if (!this.#opening) this.#forgetAfter(late); // and nothing but the tokens is drawn between a key and its answer
    const done = this.lab.startProgress();
    try {
      const isNew = await (this.#isLong(wanted) ? this.#follow() : this.#askWhole(wanted));
      done(); // before the drawing: what is drawn cannot be stopped
      if (isNew) await this.text.drawn();
    } catch (error) {
      this.#end();
      this.#clear();
      if (this.shown) this.lab.showError(error);
    } finally {
      done();
    }
  }

  #clear() {
    this.#stale = true;
    this.#later.stop();
    this.#drawnFor = '';
    this.takeTokens();
    this.forget();
    this.lab.showSource(this.text, null);
  }

  /** @param {number} ms unless an answer comes before */
  #forgetAfter(ms) {
    this.#later.wait(ms).then(now => {
      if (now) this.#forget();
    });
  }

  /** Tokens of the old text moved along with it; those of other tokenizers or options than are wanted are wrong. */
  #forget() {
    if (this.#drawnFor !== this.#keyOf(this.wanted())) {
      this.#drawnFor = '';
      this.takeTokens();
    }
    this.forget();
    this.lab.showSource(this.text, null);
  }

  /** Only the engine's own tokenizers can follow edits. */
  #isLong({ tokenizers }) {
    return (
      this.text.view.state.doc.length >= LONG && tokenizers.every(id => this.lab.state.entry(id)?.source !== 'plug-in')
    );
  }

  #end() {
    this.#requests.stop();
    this.#later.stop();
    this.#abort?.abort();
    this.#abort = this.#following = null;
    this.#close();
  }

  #close() {
    this.#open?.close();
    this.#open = null;
  }

  /** @returns {Promise<boolean>} whether the answer is of the text as it is */
  async #askWhole(wanted) {
    if (this.#following || this.#open) this.#end();
    const { version } = this.text;
    const answer = await this.#requests.run(async signal => {
      await this.#pace.ready(this.text.view.state.doc.length, signal);
      const { text } = this.text;
      return { text, tokenizers: wanted.tokenizers, ...(await this.ask(wanted, text, signal)) };
    });
    if (!answer || version !== this.text.version) return false;
    this.text.takeChange();
    this.#drawnFor = this.#keyOf(wanted);
    this.#show(answer, SOON_MS);
    return true;
  }

  /**
   * Edits of a long text, one after the other, until nothing is new. Whoever asks meanwhile waits for the same.
   * @returns {Promise<boolean>} whether an answer is there
   */
  #follow() {
    this.#again = true;
    // Of a text that is not wanted any more nothing is waited for.
    if (this.#opening && (this.text.changedUnits > MUCH || this.#opening.wantedFor !== this.#keyOf(this.wanted())))
      this.#end();
    if (this.#following) return this.#following.catch(() => false); // told to who began it
    this.#requests.stop();
    const { signal } = (this.#abort = new AbortController());
    const following = (this.#following = this.#rounds(signal));
    return following.finally(() => {
      if (this.#following === following) this.#following = this.#abort = null;
    });
  }

  async #rounds(signal) {
    let answer = null;
    try {
      while (this.#again && !signal.aborted) {
        this.#again = false;
        answer = await this.#round(signal);
      }
    } catch (error) {
      if (error.name !== 'AbortError' && !signal.aborted) throw error;
    }
    return answer !== null && !signal.aborted;
  }

  /** Opens the text, or sends what changed. @returns {Promise<Answer|null>} null: another round has to follow */
  async #round(signal) {
    const wanted = this.wanted();
    const asWanted = this.#keyOf(wanted);
    if (!wanted) return null;
    if (this.#openFor !== asWanted) this.#close();
    const text = await (this.#open ? this.#sendChange(signal) : this.#sendAll(wanted, signal));
    if (!text || signal.aborted) return null;
    this.#openFor = this.#drawnFor = asWanted;
    const open = this.#open;
    const { tokens, results, header, agreement, divergences } = open;
    const answer = {
      text,
      tokenizers: wanted.tokenizers,
      tokens,
      results,
      header,
      agreement,
      divergences,
      roundTrip: () => open.roundTrip(),
    };
    if (this.text.changed) {
      this.text.showTokens(this.lanes(answer));
      this.#again = true;
      return null;
    }
    this.#show(answer, LATER_MS);
    return answer;
  }

  /**
   * At once: what is typed meanwhile goes with the first edit. What is in the window goes first: of a megabyte only
   * that is seen.
   */
  async #sendAll(wanted, signal) {
    const text = new TextSlice(this.text.view.state.doc);
    let isLaidOut = !this.text.changed;
    this.text.skipChange();
    const shown = () => {
      const now = isLaidOut ? this.text.shown : this.text.soonShown;
      isLaidOut = true;
      return this.text.beforeChange(now);
    };
    const look = new ViewportPrefetch(text.length, shown, range =>
      this.#showPart(opening, wanted, text, range, signal),
    );
    /** @type {Opening} */
    const opening = (this.#opening = { wantedFor: this.#keyOf(wanted), look, part: null });
    try {
      if (text.length >= WINDOW_FIRST) {
        const looked = look.look();
        this.#wait();
        await Promise.race([looked, delay(FIRST_MS, signal)]);
      } else {
        look.end();
      }
      this.#open = await OpenText.open(wanted.tokenizers, text, wanted.options, signal);
      if (opening.part) this.#open.tokens.forEach((tokens, n) => tokens.continueFrom(opening.part[n]));
    } finally {
      look.end();
      if (this.#opening === opening) this.#opening = null;
    }
    return text;
  }

  /** Draws the tokens of a part of the text. @returns {Promise<boolean>} whether they could be told */
  async #showPart(opening, { tokenizers, options }, text, range, signal) {
    const part = await tokensWithin(tokenizers, text, range, options, signal);
    if (!part || opening.look.isOver || signal.aborted) return false;
    if (opening.part) part.tokens.forEach((tokens, n) => tokens.continueFrom(opening.part[n]));
    opening.part = part.tokens;
    this.#drawnFor = opening.wantedFor;
    this.text.showPart(
      this.lanes({ text, tokenizers, tokens: part.tokens, divergences: part.divergences, results: [], header: {} }),
    );
    await this.text.drawn();
    return true;
  }

  #wait() {
    this.wait(this.#drawnFor !== this.#keyOf(this.wanted()));
    this.lab.activity.track(
      this.#later.wait(LATER_MS).then(now => {
        if (now) this.#forget();
      }),
    );
  }

  async #sendChange(signal) {
    const open = this.#open;
    const change = this.text.takeChange();
    const text = new TextSlice(this.text.view.state.doc);
    if (change && change.to - change.from + change.insert.length > MUCH) {
      this.#close();
      this.#again = true;
      return null;
    }
    try {
      if (change) (await open.edit(change, signal))();
      return text;
    } catch (error) {
      if (this.#open === open) this.#close();
      if (!REOPEN.includes(error.code)) throw error;
      this.#again = true;
      return null;
    }
  }

  /** Draws at once what must be, and the rest after a wait. */
  #show(answer, wait) {
    this.lab.clearError();
    this.text.showTokens(this.lanes(answer));
    const drawn = Promise.resolve(this.draw(answer));
    const later = this.#later.wait(wait).then(now => {
      if (!now) return;
      this.#settled = true;
      this.drawLater(answer);
    });
    this.lab.activity.track(Promise.all([drawn, later]).catch(error => this.lab.showError(error)));
  }

  /** @param {Wanted|null} wanted @returns {string} the same for the same tokenizers, as they are now, and options */
  #keyOf(wanted) {
    return JSON.stringify([wanted, wanted?.tokenizers.map(id => this.lab.state.revisionOf(id))]);
  }
}
