/**
 * What the lab says: errors, progress, notes and the facts of the text. Each screen has a part of its own, and only the
 * part of the screen that is shown is seen, so that no screen speaks on another. A sticky error is seen on all of them.
 */
const LINE = ['source', 'format', 'time', 'now', 'note', 'progress'];
const SLOW_MS = 1000;

/**
 * @typedef {Error & {hint?: string, code?: string}} Failure
 * @typedef {{error: {message: string, hint?: string}|null, status: Object<string, string>, announce: (message: string)
 *   => void}} Surface what shows it: the frame
 */
export class Status {
  #surface;
  #hintOf;
  /** @type {Map<string, ScreenStatus>} */
  #parts = new Map();
  #shown = '';
  /** @type {{message: string, hint?: string}|null} */
  #sticky = null;

  /**
   * @param {Surface} surface
   * @param {(error: Failure) => string|undefined} [hintOf] says what to do about an error
   */
  constructor(surface, hintOf = error => error.hint) {
    this.#surface = surface;
    this.#hintOf = hintOf;
  }

  /** @param {string} owner name of a screen @returns {ScreenStatus} its part */
  of(owner) {
    const known = this.#parts.get(owner);
    if (known) return known;
    const part = new ScreenStatus(this, () => this.#draw(part));
    this.#parts.set(owner, part);
    return part;
  }

  /** The part of the screen that is shown. */
  get shown() {
    return this.of(this.#shown);
  }

  /** Another screen is shown: errors and progress of the one before are over. @param {string} owner */
  show(owner) {
    if (this.#shown) this.shown.leave();
    this.#shown = owner;
    this.#draw(this.shown);
  }

  /**
   * @param {unknown} thrown
   * @returns {{message: string, hint?: string}} what is shown of it
   */
  wordsOf(thrown) {
    const error = /** @type {Failure} */ (thrown);
    if (!error.hint && !error.code) console.error(error); // a fault of the page itself
    return { message: error.message, hint: this.#hintOf(error) };
  }

  /** Shows an error on every screen, until `endSticky` or a press on its cross. @param {unknown} error */
  showSticky(error) {
    this.#sticky = this.wordsOf(error);
    this.#draw(this.shown);
  }

  endSticky() {
    this.#sticky = null;
    this.#draw(this.shown);
  }

  /** The user closed the error that is shown. */
  dismiss() {
    if (this.#sticky) this.endSticky();
    else this.shown.clearError();
  }

  /** @param {string} message for assistive tools */
  announce(message) {
    this.#surface.announce(message);
  }

  /** @param {ScreenStatus} part */
  #draw(part) {
    if (part !== this.shown) return;
    this.#surface.error = this.#sticky ?? part.error;
    this.#surface.status = part.line;
  }
}

/** What one screen says. */
export class ScreenStatus {
  #status;
  #draw;
  #line = Object.fromEntries(LINE.map(place => [place, '']));
  /** @type {{message: string, hint?: string}|null} */
  error = null;

  /** @param {Status} status @param {() => void} draw shows it, if the screen is shown */
  constructor(status, draw) {
    this.#status = status;
    this.#draw = draw;
  }

  get line() {
    return this.#line;
  }

  /**
   * @param {unknown} error stays until something works again or it is closed
   * @param {{sticky?: boolean}} [options] sticky: until other tokenizers are chosen, on every screen
   */
  showError(error, { sticky = false } = {}) {
    if (sticky) {
      this.#status.showSticky(error);
      return;
    }
    this.error = this.#status.wordsOf(error);
    this.#draw();
  }
  clearError() {
    if (!this.error) return;
    this.error = null;
    this.#draw();
  }

  /** @param {string} message about work that is under way */
  progress(message) {
    this.#set({ progress: message });
  }

  /** Says that work takes long, when it does. @param {string} message @returns {() => void} to call at the end */
  startProgress(message) {
    this.progress('');
    const timer = setTimeout(() => this.progress(message), SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (this.#line.progress === message) this.progress('');
    };
  }

  /** @param {string} message that helps to read the screen */
  note(message) {
    this.#set({ note: message });
  }

  /** @param {string} message about what the user points at */
  now(message) {
    this.#set({ now: message });
  }

  /** @param {{source?: string, format?: string, time?: string}} facts of the text */
  facts(facts) {
    this.#set(facts);
  }

  /** @param {string} message for assistive tools */
  announce(message) {
    this.#status.announce(message);
  }

  /** Another screen is shown: what was said of the moment is over, the facts stay. */
  leave() {
    this.error = null;
    Object.assign(this.#line, { progress: '', now: '', note: '' });
  }

  /** @param {Object<string, string>} parts */
  #set(parts) {
    Object.assign(this.#line, parts);
    this.#draw();
  }
}
