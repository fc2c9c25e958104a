/**
 * A part of a screen that shows something of the text's tokens, or of the result that is shown. A screen is a layout
 * and a list of panels; it tells all of them the same.
 */
export class Panel {
  /** @type {import('./context.js').Context} */
  context;
  /**
   * @type {HTMLElement|null} what the screen puts into its layout; null: the panel draws into something of the text's
   */
  element = null;
  /** Whether the panel shows the counts of an empty text. Others get null for it, as for no answer. */
  showsEmpty = false;

  /** Called once, with the element in the page. @param {import('./context.js').Context} context */
  mount(context) {
    this.context = context;
  }

  /**
   * @param {any} _answer of the text as it is; null: none, what was shown belongs to another text
   * @param {boolean} _isSettled false: with every key, so it must be quick; true: the typing paused. Of a null: clear
   *   what is wrong by now, or everything
   */
  onAnswer(_answer, _isSettled) {}

  /** As `onAnswer`, where results are shown. @param {any} _shown of the screen: the result and all around it */
  onResult(_shown) {}

  /** The screen is shown from now on: a panel of results may ask for what it needs. */
  onShow() {}

  /** Another screen is shown from now on. */
  onHide() {}

  /** @param {number} _token of the answer that is chosen; less than 0: none */
  onSelection(_token) {}

  /** @param {Set<string>} _changed names of settings, `entries` for those of the catalog */
  onState(_changed) {}

  /** Ends what is under way. */
  destroy() {}
}
