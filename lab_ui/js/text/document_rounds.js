/**
 * The way of a long text to the backend: it is opened once, its viewport first, and then edited. One edit is under way
 * at a time; what is typed meanwhile goes with the next one.
 */
import { isAbort } from '../util/abort.js';
import { TextSlice } from './text_slice.js';
import { delay } from './timing.js';
import { ViewportPrefetch } from './viewport_prefetch.js';

const MUCH = 100_000; // UTF-16 units of an edit; above that the text is opened anew
const WINDOW_FIRST = 30_000; // UTF-16 units; below that the whole text is encoded as soon as its viewport
const FIRST_MS = 150; // that the whole text waits for the viewport to be drawn
const REOPEN = ['document_gone', 'conflict'];

/**
 * @typedef {import('./session_types.js').Answer} Answer
 * @typedef {import('./session_types.js').TokenSpans} TokenSpans
 * @typedef {import('./session_types.js').Wanted & {key: string}} KeyedWish
 * @typedef {{key: string, prefetch: ViewportPrefetch, part: TokenSpans[]|null}} Opening a text that is sent and not
 *   encoded yet; `part`: the tokens that were prefetched last
 *
 * @typedef {{text: TextSlice, applyEdit?: (() => void)|null}} Sent
 *
 * @typedef {Object} Host
 * @property {() => KeyedWish|null} wanted
 * @property {() => import('../../vendor/codemirror.js').Text} doc the text as it is now
 * @property {import('./unsent_changes.js').UnsentChanges} unsent
 * @property {() => import('./session_types.js').Viewer|null} viewer
 * @property {() => void} onOpening a text was sent, and its viewport was asked for
 * @property {(answer: Answer, key: string) => void} onPartial
 * @property {(answer: Answer, key: string) => void} onTokens
 */
export class DocumentRounds {
  #client;
  #clock;
  #host;
  /** @type {import('./session_types.js').OpenDocument|null} */
  #open = null;
  #openFor = '';
  /** @type {Promise<boolean>|null} */
  #following = null;
  /** @type {AbortController|null} */
  #abort = null;
  #again = false;
  /** @type {Opening|null} */
  #opening = null;

  /**
   * @param {Pick<import('./session_types.js').Services, 'client'|'clock'>} services
   * @param {Host} host
   */
  constructor({ client, clock }, host) {
    this.#client = client;
    this.#clock = clock;
    this.#host = host;
  }

  get running() {
    return this.#following !== null;
  }
  get opening() {
    return this.#opening;
  }

  /** Whether `follow` would send the edits at once, and ask nothing of the viewer. */
  get sendsEdits() {
    return this.#open !== null && !this.#following && this.#openFor === this.#host.wanted()?.key;
  }

  /**
   * Brings the backend up to date, round by round, until nothing is new. Callers meanwhile wait for the same rounds.
   * @returns {Promise<boolean>} whether the tokens of the text as it is were published
   */
  follow() {
    this.#again = true;
    if (this.#opening && (this.#host.unsent.units > MUCH || this.#opening.key !== this.#host.wanted()?.key)) this.end();
    if (this.#following) return this.#following.catch(() => false); // the first caller handles the error
    const abort = new AbortController();
    this.#abort = abort;
    const following = this.#rounds(abort.signal);
    this.#following = following;
    return following.finally(() => {
      if (this.#following === following) this.#following = this.#abort = null;
    });
  }

  /** Ends what is under way and lets the backend forget the text. */
  end() {
    this.#abort?.abort();
    this.#abort = this.#following = null;
    this.#close();
  }

  #close() {
    this.#open?.close();
    this.#open = null;
  }

  /** @param {AbortSignal} signal */
  async #rounds(signal) {
    let isAnswered = false;
    try {
      while (this.#again && !signal.aborted) {
        this.#again = false;
        isAnswered = await this.#round(signal);
      }
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) throw error;
    }
    return isAnswered && !signal.aborted;
  }

  /**
   * Opens the text, or sends the edits.
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} false: another round has to follow
   */
  async #round(signal) {
    const wanted = this.#host.wanted();
    if (!wanted) return false;
    if (this.#openFor !== wanted.key) this.#close();
    const sent = await (this.#open ? this.#sendEdits(this.#open, signal) : this.#openText(wanted, signal));
    const open = this.#open;
    if (!sent || !open || signal.aborted) return false;
    const { text, applyEdit } = sent;
    this.#openFor = wanted.key;
    applyEdit?.(); // in one go with the event: between the two, tokens would be drawn in wrong places
    if (this.#host.unsent.any) this.#again = true;
    // Also when other tokenizers are wanted by now: the tokens that are drawn were changed in place.
    this.#host.onTokens(answerOf(open, text, wanted.tokenizers), wanted.key);
    return !this.#again;
  }

  /**
   * The viewport is asked for first: it is all that is seen of a megabyte.
   * @param {KeyedWish} wanted @param {AbortSignal} signal @returns {Promise<Sent>}
   */
  async #openText(wanted, signal) {
    const { unsent } = this.#host;
    const text = new TextSlice(this.#host.doc());
    const isLaidOut = !unsent.any;
    unsent.clear();
    const viewer = this.#host.viewer();
    const prefetch = new ViewportPrefetch(text.length, this.#viewport(viewer, isLaidOut), range =>
      this.#fetchPart(opening, wanted, text, range, signal),
    );
    /** @type {Opening} */
    const opening = { key: wanted.key, prefetch, part: null };
    this.#opening = opening;
    try {
      if (viewer && text.length >= WINDOW_FIRST) {
        const looked = prefetch.look();
        this.#host.onOpening();
        await Promise.race([looked, delay(FIRST_MS, signal, this.#clock)]);
      } else {
        prefetch.end();
      }
      await this.#openWhole(wanted, text, opening, signal);
      return { text };
    } finally {
      prefetch.end();
      if (this.#opening === opening) this.#opening = null;
    }
  }

  /**
   * @param {KeyedWish} wanted @param {TextSlice} text @param {Opening} opening @param {AbortSignal} signal
   */
  async #openWhole({ tokenizers, options }, text, opening, signal) {
    const open = await this.#client.open(tokenizers, text, options, signal);
    if (signal.aborted) {
      open.close();
      return;
    }
    continueColours(open.tokens, opening.part);
    this.#open = open;
  }

  /**
   * @param {import('./session_types.js').Viewer|null} viewer @param {boolean} isLaidOut
   * @returns {() => import('./session_types.js').Range} the viewport, in the text that was sent
   */
  #viewport(viewer, isLaidOut) {
    let isKnown = isLaidOut;
    return () => {
      const range = isKnown ? viewer?.shown : viewer?.soonShown;
      isKnown = true;
      return this.#host.unsent.toSent(range ?? { from: 0, to: 0 });
    };
  }

  /**
   * Publishes the tokens of a part of the text.
   * @param {Opening} opening @param {KeyedWish} wanted @param {TextSlice} text
   * @param {import('./session_types.js').Range} range @param {AbortSignal} signal
   * @returns {Promise<boolean>} false: parts cannot be encoded
   */
  async #fetchPart(opening, { tokenizers, options, key }, text, range, signal) {
    const part = await this.#client.tokensWithin(tokenizers, text, range, options, signal);
    if (!part || opening.prefetch.isOver || signal.aborted || this.#host.wanted()?.key !== key) return false;
    continueColours(part.tokens, opening.part);
    opening.part = part.tokens;
    const { tokens, divergences } = part;
    this.#host.onPartial({ text, tokenizers, tokens, divergences, results: [], header: {} }, key);
    await this.#host.viewer()?.drawn();
    return true;
  }

  /**
   * @param {import('./session_types.js').OpenDocument} open @param {AbortSignal} signal
   * @returns {Promise<Sent|null>} null: the text has to be opened again
   */
  async #sendEdits(open, signal) {
    const change = this.#host.unsent.take(this.#host.doc());
    const text = new TextSlice(this.#host.doc());
    if (change && change.to - change.from + change.insert.length > MUCH) {
      this.#close();
      this.#again = true;
      return null;
    }
    try {
      return { text, applyEdit: change && (await open.edit(change, signal)) };
    } catch (error) {
      if (this.#open === open) this.#close();
      if (!REOPEN.includes(/** @type {{code: string}} */ (error).code)) throw error;
      this.#again = true;
      return null;
    }
  }
}

/**
 * Alternating colours go on as they were in the part that was drawn before.
 * @param {TokenSpans[]} all @param {TokenSpans[]|null} part
 */
function continueColours(all, part) {
  if (part) all.forEach((tokens, n) => tokens.continueFrom(part[n]));
}

/**
 * @param {import('./session_types.js').OpenDocument} open @param {TextSlice} text @param {string[]} tokenizers
 * @returns {Answer}
 */
function answerOf(open, text, tokenizers) {
  const { tokens, results, header, agreement, divergences } = open;
  return {
    text,
    tokenizers,
    tokens,
    results,
    header,
    agreement,
    divergences,
    roundTrip: () => open.roundTrip(),
  };
}
