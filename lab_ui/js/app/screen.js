/** @typedef {import('./files/dropped_files.js').DroppedFile} DroppedFile */

/**
 * A screen of the lab. `screens.js` names them all; the shell loads, shows and destroys them. A screen's own folder
 * holds its parts, its settings (`settings.js`) and its style sheet.
 */
export class Screen {
  /** The settings that belong to this screen, by name. @type {Object<string, import('./state/settings.js').Setting>} */
  static settings = {};

  #life = new AbortController();

  /** Aborted by `destroy`: listeners, observers and work of the whole screen end with it. @returns {AbortSignal} */
  get life() {
    return this.#life.signal;
  }

  /**
   * Builds the screen's elements into `root`. Called once.
   * @param {HTMLElement} _root
   * @param {import('./context.js').Context} _context
   */
  mount(_root, _context) {}

  /**
   * The screen is shown from now on, in the page.
   * @param {URLSearchParams} _params of the address: the screen's own, without its settings
   * @param {AbortSignal} _signal aborted when another screen is shown: nothing may be written to the page after that
   * @returns {void|Promise<void>}
   */
  activate(_params, _signal) {}

  /** Another screen is shown from now on. */
  deactivate() {}

  /** Ends everything the screen started. Overriding methods call this one. */
  destroy() {
    this.#life.abort();
  }

  /** Whether the screen holds something typed that is nowhere else: it is not destroyed then. */
  get holdsInput() {
    return false;
  }

  /** What keys and the palette can do here. @returns {import('./commands/command.js').Command[]} */
  get commands() {
    return [];
  }

  /**
   * What a picture is made of; null: there is nothing to make one of. `isCurrent`: its tokens are those of the text and
   * the settings as they are.
   * @returns {{element: HTMLElement, legend: import('../picture/heads.js').Head[], isCurrent: boolean}|null}
   */
  get exportable() {
    return null;
  }

  /** Ids of the tokenizers whose answers are shown; null: all that are in use. @returns {string[]|null} */
  get tokenizers() {
    return null;
  }

  /** Whether the screen shows the text with its tokens, which can be exported and presented. */
  get showsText() {
    return false;
  }

  /** Whether the chips in the bar choose what this screen shows. */
  get followsActive() {
    return false;
  }

  /** Why what is shown cannot have a tokenizer, in words; '': it can. @param {string} _tokenizer @returns {string} */
  misfitOf(_tokenizer) {
    return '';
  }

  /** The chip of a tokenizer is pointed at or has the focus; null: none. @param {string|null} _tokenizer */
  pointAt(_tokenizer) {}

  /** Controls of this screen in the bar, while it is shown. @returns {HTMLElement|null} */
  get barControls() {
    return null;
  }

  /**
   * What the window says while files are dragged over it; null: the files are a text or a tokenizer, as elsewhere.
   * @returns {string|null}
   */
  get dropHint() {
    return null;
  }

  /** Takes files that were dropped, if `dropHint` says something. @param {DroppedFile[]} _files */
  takeFiles(_files) {}

  /** Puts the keyboard where the work is: the text, or the field to search. @returns {void} */
  focusText() {}

  /** What `focusText` leads to, after "Skip to". @returns {string} */
  get focusName() {
    return 'the text';
  }

  /** Asks for everything again. */
  renew() {}

  /**
   * Esc was pressed: closes what is open, or ends a wait for an answer. A job goes on: only the control that shows its
   * progress cancels it.
   * @returns {boolean} whether there was something to close
   */
  stop() {
    return false;
  }
}
