/** The token that is selected or pointed at: its outline in the text, what the panels and the status line say of it. */
import { ADDED } from '../../text/token_spans.js';

/**
 * @typedef {Object} InspectAnswer what the panels get
 * @property {string|import('../../text/text_slice.js').TextSlice} text
 * @property {number} version of the text
 * @property {string} tokenizer @property {import('../../text/token_spans.js').TokenSpans} tokens
 * @property {import('../../api/schema.d.ts').EncodingSummary} result
 * @property {(pos: number) => number} pointsAt the place of a UTF-16 position in code points
 * @property {(() => Promise<boolean[]|null>)|undefined} roundTrip
 *
 * @typedef {Pick<InspectAnswer, 'tokenizer'|'tokens'|'text'>} Shaded what the colours of tokens depend on
 *
 * @typedef {Object} Place where tokens are selected
 * @property {import('../../editor/token_text.js').TokenText} text
 * @property {import('../../app/panel.js').Panel[]} panels
 * @property {import('../../app/panel.js').Panel} added tokens that have no text
 * @property {(token: number) => string} sentence what is said of a token
 * @property {HTMLElement} about what is shown of the token that is selected
 */
export class Selection {
  #place;
  #status;
  #isRunning;
  #token = -1;
  /** What tokens are selected of. @type {InspectAnswer|null} */
  answer = null;

  /**
   * @param {Place} place @param {import('../../app/state/status.js').ScreenStatus} status
   * @param {() => boolean} isRunning whether the text is being encoded
   */
  constructor(place, status, isRunning) {
    this.#place = place;
    this.#status = status;
    this.#isRunning = isRunning;
  }

  /** Chooses a token: outline, panels, and if asked for the live region. @param {number} token -1: none */
  select(token, { isSaid = false, isRevealed = false } = {}) {
    const { answer } = this;
    const { text, panels, about, sentence } = this.#place;
    const isThere = answer !== null && token >= 0 && token < answer.tokens.length;
    this.#outline(isThere ? token : -1);
    about.hidden = !isThere;
    for (const panel of panels) panel.onSelection(this.#token);
    if (!isThere) return;
    if (isRevealed && !answer.tokens.has(token, ADDED)) text.reveal(text.placeOf(0, token).from);
    if (isSaid) this.#status.announce(sentence(token));
  }

  /** The text is another: a selected token is the one at the caret now; nothing is read of it before the text rests. */
  follow() {
    if (!this.answer) this.#outline(-1);
    else if (this.#token >= 0) this.#outline(this.answer.tokens.at(this.#place.text.caret));
  }

  /** What is known of the token that is selected has changed. */
  renew() {
    this.select(this.#token);
  }

  /** No token is selected any more. @returns {boolean} whether one was */
  clear() {
    if (this.#token < 0) return false;
    const isInDrawer = this.#place.about.contains(document.activeElement);
    this.select(-1);
    if (isInDrawer) this.#place.text.focusText();
    return true;
  }

  /** @param {number} token */
  goTo(token) {
    this.select(token, { isSaid: true, isRevealed: true });
  }

  /** @param {number} by tokens; without a selected one, from the caret */
  step(by) {
    if (!this.answer) return;
    const { tokens } = this.answer;
    if (this.#token < 0) this.goTo(tokens.at(this.#place.text.caret));
    else this.goTo(Math.min(tokens.length - 1, Math.max(0, this.#token + by)));
  }

  /** @param {number} pos of the caret */
  onCaret(pos) {
    if (!this.answer || this.#isRunning()) return;
    const { tokens, text } = this.answer;
    // Between two tokens the caret belongs to the one after it, but for the end of the text.
    this.select(tokens.at(pos >= text.length ? Math.max(0, pos - 1) : pos), { isSaid: true });
  }

  /** @param {{token: number}|null} found the token that is pointed at */
  onHover(found) {
    const isKnown = found && this.answer && !this.#isRunning();
    this.#status.now(isKnown ? this.#place.sentence(found.token) : '');
    const marks = new Map([[this.#token, 'on']]);
    if (found && found.token !== this.#token) marks.set(found.token, 'linked');
    this.#place.text.mark([marks]);
  }

  /** @param {number} token */
  #outline(token) {
    this.#token = token;
    this.#place.text.mark([new Map([[token, 'on']])]);
    this.#place.added.onSelection(token);
  }
}
