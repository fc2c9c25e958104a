/**
 * The tokens of the session's text for what one screen wants (tokenizers and options), kept up to date while the screen
 * is shown. A state machine without DOM.
 *
 * Short texts are sent whole at every edit, and a newer request aborts the one before. Long texts are kept by the
 * backend and edited there (`document_rounds.js`). Between an edit and its answer the tokens of the older text stay, to
 * be drawn moved along by the edits: `tokens` of an event belong to the text before `pending`.
 *
 * Events, in the order of a text that is opened:
 * * `busy` {busy}: requests are under way, or no longer
 * * `stale` {isLate, areOthers, drop}: what is known belongs to another text. `isLate` false: only the counts are wrong
 *   by now, answers follow soon; true: clear all that describes the old text. `areOthers`: the tokenizers or options
 *   changed too. `drop`: clear the tokens too
 * * `partial` {answer, pending}: only the tokens in the viewport are known
 * * `tokens` {answer, pending, isCurrent}: all tokens; `isCurrent` false: the text was edited meanwhile
 * * `settled` {answer}: the typing paused after `tokens`
 * * `error` {error}
 */
import { Latest } from '../util/latest.js';
import { DocumentRounds } from './document_rounds.js';
import { Debounce, Throttle } from './timing.js';
import { UnsentChanges } from './unsent_changes.js';

const LONG = 2_000; // UTF-16 units; below that sending the whole text is as quick
const LATE_MS = 1000; // that the counts of a text stay while an edit of it is encoded
const LATER_MS = 150;
const SOON_MS = 30; // from the answer to `settled`, for long texts and for short ones: after the frame with the tokens

/**
 * @typedef {import('./session_types.js').Wanted} Wanted
 * @typedef {import('./session_types.js').Answer} Answer
 */
export class LiveEncoding extends EventTarget {
  #session;
  #client;
  #track;
  #onDestroy;
  #requests = new Latest();
  #throttle;
  #later;
  #rounds;
  #unsent = new UnsentChanges();
  #ended = new AbortController();
  /** @type {Wanted|null} */
  #wanted = null;
  #key = '';
  /** The key of the tokens that were published last; '': none are. */
  #publishedFor = '';
  #isActive = false;
  #isStale = true;
  #isSettled = true;
  /** Whether the edit that is being told was sent before it was drawn. */
  #isSent = false;
  #seenVersion = -1;
  #running = 0;
  /** @type {import('./session_types.js').Viewer|null} */
  viewer = null;

  /**
   * @param {import('./session_types.js').SessionText} session
   * @param {import('./session_types.js').Services} services
   * @param {() => void} onDestroy
   */
  constructor(session, { client, clock, track }, onDestroy) {
    super();
    this.#session = session;
    this.#client = client;
    this.#track = track;
    this.#onDestroy = onDestroy;
    this.#throttle = new Throttle(clock);
    this.#later = new Debounce(clock);
    this.#rounds = new DocumentRounds(
      { client, clock },
      {
        wanted: () => this.#wanted && { ...this.#wanted, key: this.#key },
        doc: () => session.doc,
        unsent: this.#unsent,
        viewer: () => this.viewer,
        onOpening: () => this.#opening(),
        onPartial: (answer, key) => this.#publish('partial', answer, key),
        onTokens: (answer, key) => this.#publishRound(answer, key),
      },
    );
    const { signal } = this.#ended;
    const detailOf = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    session.addEventListener('typed', event => this.#onTyped(detailOf(event)), { signal });
    session.addEventListener('edit', event => this.#onEdit(detailOf(event)), { signal });
  }

  /** Whether an answer is under way. */
  get running() {
    return this.#requests.running || this.#rounds.running;
  }

  /** Whether the tokens that were published are those of the text as it is, for what is wanted. */
  get isCurrent() {
    return this.#publishedFor !== '' && this.#publishedFor === this.#key && !this.#unsent.any && !this.running;
  }

  /** Whether tokens for the viewport are drawn before the whole text is encoded. */
  get isOpening() {
    return this.#rounds.opening !== null;
  }

  /** @param {Wanted|null} wanted null: nothing can be encoded */
  want(wanted) {
    const key = wanted ? JSON.stringify(wanted) : '';
    if (key === this.#key) return;
    this.#wanted = wanted;
    this.#key = key;
    this.#isStale = true;
    if (this.#isActive) this.encode();
  }

  /** The screen is shown: takes up what was left, if the text or the wish changed meanwhile. */
  activate() {
    this.#isActive = true;
    const wasEdited = this.#seenVersion !== this.#session.version;
    if (wasEdited) this.#publishStale({ isLate: true });
    if (wasEdited || this.#isStale) this.encode();
  }

  /** The screen is hidden: nothing is asked for or published until `activate`. */
  deactivate() {
    this.#isActive = false;
    this.#seenVersion = this.#session.version;
    if (this.#isSettled && !this.running) return;
    this.#end();
    this.#isStale = true;
  }

  /** The hidden screen needs its tokens no more: the backend forgets the text too, and `activate` begins anew. */
  forget() {
    this.#end();
    this.#isStale = true;
    this.#publishedFor = '';
  }

  /** Called when the viewport moved. */
  scrolled() {
    this.#rounds.opening?.prefetch.look();
  }

  /** Stops what is under way. @returns {boolean} whether there was something */
  stop() {
    if (!this.running) return false;
    this.#clearOld();
    this.#end();
    this.#isStale = true;
    return true;
  }

  /**
   * Encodes the text as it is now.
   * @param {number} [lateMs] after which everything that describes the old text is cleared
   * @returns {Promise<void>}
   */
  encode(lateMs = LATER_MS) {
    this.#isStale = this.#isSettled = false;
    return this.#track(this.#encode(lateMs));
  }

  /** Ends all requests; nothing is published any more. */
  destroy() {
    this.#isActive = false;
    this.#ended.abort();
    this.#end();
    this.#onDestroy();
  }

  /** @param {import('./session_types.js').Edit} edit */
  #onTyped({ changes, isNewText }) {
    this.#unsent.add(changes.desc);
    this.#isSent = this.#isActive && !isNewText && this.#isLong && this.#rounds.sendsEdits;
    if (this.#isSent) this.encode(LATE_MS); // nothing else is told of it before `edit`
  }

  /** @param {import('./session_types.js').Edit} edit */
  #onEdit({ isNewText }) {
    if (this.#isActive && !this.#isSent) this.encode(isNewText ? LATER_MS : LATE_MS);
    this.#isSent = false;
  }

  /** @param {number} lateMs */
  async #encode(lateMs) {
    const wanted = this.#wanted;
    if (!wanted) {
      this.#end();
      this.#clear();
      return;
    }
    if (!this.isOpening) this.#clearOldAfter(lateMs); // and nothing but tokens is drawn between a key and its answer
    const done = this.#begin();
    try {
      const isAnswered = await (this.#isLong ? this.#follow() : this.#encodeWhole(wanted));
      done(); // before the drawing, which cannot be stopped
      if (isAnswered) await this.viewer?.drawn();
    } catch (error) {
      this.#end();
      this.#clear();
      if (this.#isActive) this.#emit('error', { error });
    } finally {
      done();
    }
  }

  #begin() {
    if (this.#running++ === 0) this.#emit('busy', { busy: true });
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      if (--this.#running === 0) this.#emit('busy', { busy: false });
    };
  }

  get #isLong() {
    return this.#session.length >= LONG && this.#wanted?.isEditable !== false;
  }

  #follow() {
    this.#requests.stop();
    return this.#rounds.follow();
  }

  /** @param {Wanted} wanted @returns {Promise<boolean>} whether the answer belongs to the text as it is */
  async #encodeWhole({ tokenizers, options }) {
    this.#rounds.end();
    const { version } = this.#session;
    const key = this.#key;
    const answer = await this.#requests.run(async signal => {
      await this.#throttle.ready(this.#session.length, signal);
      const { text } = this.#session;
      return { text, tokenizers, ...(await this.#client.encodeWhole(tokenizers, text, options, signal)) };
    });
    if (!answer || version !== this.#session.version) return false;
    this.#unsent.clear();
    this.#publishCurrent(answer, key, SOON_MS);
    return true;
  }

  /** @param {Answer} answer @param {string} key */
  #publishRound(answer, key) {
    if (key === this.#key && !this.#unsent.any) this.#publishCurrent(answer, key, LATER_MS);
    else this.#publish('tokens', answer, key, { isCurrent: false });
  }

  /** @param {Answer} answer @param {string} key @param {number} waitMs until `settled` */
  #publishCurrent(answer, key, waitMs) {
    this.#publish('tokens', answer, key, { isCurrent: true });
    this.#track(
      this.#later.wait(waitMs).then(elapsed => {
        if (!elapsed) return;
        this.#isSettled = true;
        this.#emit('settled', { answer });
      }),
    );
  }

  /** @param {string} type @param {Answer} answer @param {string} key @param {Object} [detail] */
  #publish(type, answer, key, detail = {}) {
    this.#publishedFor = key;
    this.#emit(type, { answer, pending: this.#unsent.desc, ...detail });
  }

  /** A long text is sent: its counts are unknown until the whole is encoded. */
  #opening() {
    this.#publishStale({ isLate: false });
    this.#track(this.#clearOldAfter(LATER_MS));
  }

  /** @param {number} ms */
  #clearOldAfter(ms) {
    return this.#later.wait(ms).then(elapsed => {
      if (elapsed) this.#clearOld();
    });
  }

  /** Tokens of the old text move along with the edits; those of other tokenizers or options are wrong. */
  #clearOld() {
    const drop = this.#publishedFor !== this.#key;
    if (drop) this.#publishedFor = '';
    this.#publishStale({ isLate: true, drop });
  }

  #clear() {
    this.#isStale = true;
    this.#later.stop();
    this.#publishedFor = '';
    this.#publishStale({ isLate: true, drop: true });
  }

  /** @param {{isLate: boolean, drop?: boolean}} detail */
  #publishStale({ isLate, drop = false }) {
    this.#emit('stale', { isLate, drop, areOthers: this.#publishedFor !== this.#key });
  }

  #end() {
    this.#requests.stop();
    this.#later.stop();
    this.#rounds.end();
  }

  /** @param {string} type @param {Object} detail */
  #emit(type, detail) {
    if (!this.#ended.signal.aborted) this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
