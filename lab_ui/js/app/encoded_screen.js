/**
 * A screen that shows the text with its tokens: an editor, the tokens the screen wants, and panels that follow them.
 * The states of the answers are `text/live_encoding.js`; here each becomes something on the screen.
 */
import { TokenText } from '../editor/token_text.js';
import { listen } from '../ui/dom.js';
import { callEach } from '../util/call_each.js';
import { duration, plural } from '../util/format.js';
import { keyWords } from './commands/command.js';
import { Screen } from './screen.js';

const ENCODING = 'Encoding… Esc to stop';
/** What an empty text says. */
export const PLACEHOLDER = 'Type or paste text, or drop a file';

/** @typedef {import('../text/session_types.js').Answer} Answer */
export class EncodedScreen extends Screen {
  /** @type {import('./context.js').Context} */
  context;
  /** @type {import('../text/live_encoding.js').LiveEncoding} */
  encoding;
  text = new TokenText();
  /** @type {import('./panel.js').Panel[]} */
  panels = [];
  isActive = false;
  #isStarted = false;
  #endProgress = () => {};

  /** @param {HTMLElement} _root @param {import('./context.js').Context} context */
  mount(_root, context) {
    this.context = context;
    this.encoding = context.session.encoding();
    this.encoding.viewer = this.text;
    this.#follow();
  }

  /** Whether `start` was called. */
  get isStarted() {
    return this.#isStarted;
  }

  get showsText() {
    return true;
  }

  /** Starts what has to be in the page. Called once, before the first `activate` goes on. */
  start() {}

  /** @returns {import('../text/session_types.js').Wanted|null} what is to be encoded */
  wanted() {
    return null;
  }

  /** @param {Answer} _answer @returns {import('../editor/painter.js').LaneSource[]} what is drawn over the text */
  lanes(_answer) {
    return [];
  }

  /** As the panels, after them. @param {Answer|null} _answer @param {boolean} _isSettled */
  onAnswer(_answer, _isSettled) {}

  /** @param {any} answer what panels get of an answer */
  answerForPanels(answer) {
    return answer;
  }

  /** The tokens over the text were dropped: they belonged to another text, or to other tokenizers. */
  onDrop() {}

  /** Settings or the catalog changed. @param {Set<string>} _changed */
  onState(_changed) {}

  /** @param {URLSearchParams} _params @param {AbortSignal|undefined} [_signal] */
  activate(_params, _signal) {
    if (!this.#isStarted) this.#start();
    this.isActive = true;
    this.text.show();
    this.encoding.want(this.wanted());
    this.onShow();
    this.encoding.activate();
  }

  /** The screen is shown again: draws what is outside of the text. */
  onShow() {}

  deactivate() {
    this.isActive = false;
    this.text.hide();
    this.encoding.deactivate();
    this.#endProgress();
  }

  destroy() {
    super.destroy();
    this.encoding.destroy();
    for (const panel of this.panels) panel.destroy();
    this.text.destroy();
  }

  focusText() {
    this.text.focusText();
  }

  renew() {
    this.encoding.encode();
  }

  stop() {
    if (!this.encoding.stop()) return false;
    this.context.status.progress(`Stopped. Edit the text, or press ${keyWords('Mod+Enter')}, to encode again.`);
    return true;
  }

  /** @param {string[]} tokenizers @param {boolean} isCompared @returns {import('../text/session_types.js').Wanted} */
  wantedOf(tokenizers, isCompared) {
    const { settings, catalog } = this.context;
    const [addSpecialTokens, specials, ignoreSpaces] = ['addSpecialTokens', 'specials', 'ignoreSpaces'].map(name =>
      settings.get(name),
    );
    return {
      tokenizers,
      revisions: tokenizers.map(id => catalog.revisionOf(id)),
      options: { addSpecialTokens, specials, ignoreSpaces: isCompared ? ignoreSpaces : null },
      isEditable: tokenizers.every(id => catalog.entry(id)?.source !== 'plug-in'),
    };
  }

  /** Draws the tokens of an answer again: their colours changed. @param {Answer} answer */
  redraw(answer) {
    this.text.recolour(this.lanes(answer));
    this.context.activity.track(this.text.drawn());
  }

  /**
   * The facts of the text in the status line.
   * @param {string|null} text null: nothing is known of it
   * @param {{text_characters: number, text_bytes: number, elapsed_ns: number}|null} [result]
   */
  showFacts(text, result = null) {
    const { session, status } = this.context;
    const { name, encoding } = session.source;
    const breaks = text?.includes('\r\n') ? 'CRLF' : text?.includes('\r') ? 'CR' : 'LF';
    // Typed text is always UTF-8 with LF, so its format is not shown.
    const isUsual = !name && encoding === 'UTF-8' && breaks === 'LF';
    const format = text === null ? encoding : `${encoding}, ${breaks}`;
    status.facts({
      format: isUsual ? '' : [name, format].filter(Boolean).join(' · '),
      source: result
        ? [
            plural(result.text_characters, 'character'),
            plural(result.text_bytes, 'byte'),
            plural(session.doc.lines, 'line'),
          ].join(' · ')
        : '',
      time: result ? `updated in ${duration(result.elapsed_ns)}` : '',
    });
  }

  #start() {
    const { settings, catalog, session } = this.context;
    this.#isStarted = true;
    this.start();
    for (const panel of this.panels) panel.mount(this.context);
    /** @param {Set<string>} changed */
    const onState = changed => {
      this.onState(changed);
      callEach(this.panels, panel => panel.onState(changed));
      this.encoding.want(this.wanted());
    };
    settings.on(null, onState, this.life);
    catalog.addEventListener('change', () => onState(new Set(['entries'])), { signal: this.life });
    session.addEventListener('source', () => this.isActive && this.renew(), { signal: this.life });
    this.text.addEventListener('scrolled', () => this.encoding.scrolled());
    listen(this.text, 'writelater', written => this.context.activity.track(written));
  }

  #follow() {
    const { encoding, text } = this;
    const { status, activity } = this.context;
    listen(encoding, 'busy', ({ busy }) => {
      this.#endProgress();
      this.#endProgress = busy ? status.startProgress(ENCODING) : () => {};
    });
    listen(encoding, 'stale', ({ isLate, areOthers, drop }) => {
      if (drop) text.setTokens([]);
      if (drop || areOthers) this.onDrop();
      this.#showAnswer(null, isLate);
      if (isLate) this.showFacts(null);
    });
    listen(encoding, 'partial', ({ answer, pending }) => text.showPart(this.lanes(answer), pending));
    listen(encoding, 'tokens', ({ answer, pending, isCurrent }) => {
      if (isCurrent) status.clearError();
      text.showTokens(this.lanes(answer), pending);
      if (isCurrent) this.#showAnswer(answer, false);
    });
    listen(encoding, 'settled', ({ answer }) => this.#showAnswer(answer, true));
    listen(encoding, 'error', ({ error }) => status.showError(error));
    /** @param {Promise<unknown>|void} work */
    this.track = work => activity.track(Promise.resolve(work).catch(error => status.showError(error)));
  }

  /**
   * Of an empty text, only counts are shown: nothing about tokens that would be added around it.
   * @param {Answer|null} answer @param {boolean} isSettled
   */
  #showAnswer(answer, isSettled) {
    const shown = answer?.text.length ? answer : null;
    const forPanels = answer && this.answerForPanels(answer);
    callEach(this.panels, panel => panel.onAnswer(shown || panel.showsEmpty ? forPanels : null, isSettled));
    this.onAnswer(shown, isSettled);
    if (!answer || shown) return;
    this.onDrop();
    this.showFacts(null);
  }
}
