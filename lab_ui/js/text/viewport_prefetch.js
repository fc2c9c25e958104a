/**
 * Asks for the tokens of a long text's viewport before the whole text is encoded: when the text comes, and again for
 * every place that is scrolled to meanwhile. What is visible, how it is asked for and how it is drawn is passed in.
 */
const MARGIN = 1000; // UTF-16 units added on both sides: the engine needs some text to find a boundary all agree on

export class ViewportPrefetch {
  #length;
  #shown;
  #ask;
  /** @type {{from: number, to: number}|null} */
  #asked = null;
  #asking = false;
  #over = false;

  /**
   * @param {number} length of the text, UTF-16
   * @param {() => {from: number, to: number}} shown returns the viewport, UTF-16
   * @param {(range: {from: number, to: number}) => Promise<boolean>} ask fetches and draws the tokens of a range;
   *   false: the backend cannot tokenize parts of this text
   */
  constructor(length, shown, ask) {
    this.#length = length;
    this.#shown = shown;
    this.#ask = ask;
  }

  get isOver() {
    return this.#over;
  }

  /** Ends the prefetch: the whole text is encoded, or no longer wanted. */
  end() {
    this.#over = true;
  }

  /**
   * Fetches the viewport until all of it was asked for.
   * @returns {Promise<void>} never rejects: a failure shows up again when the whole text is encoded
   */
  async look() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (let range = this.#missing(); range; range = this.#missing())
        if (!(await this.#ask(range))) this.#over = true;
    } catch {
      this.#over = true;
    }
    this.#asking = false;
  }

  /** Returns the range to ask for, the viewport with its own length added on both sides; null if nothing is missing. */
  #missing() {
    if (this.#over) return null;
    const shown = this.#shown();
    const within = (/** @type {number} */ at) => Math.max(0, Math.min(this.#length, at));
    const from = within(shown.from);
    const to = within(shown.to);
    const asked = this.#asked;
    const room = Math.ceil(to - from) + MARGIN;
    if (asked && asked.from <= from && asked.to >= to) return null;
    this.#asked = { from: within(Math.floor(from) - room), to: within(Math.ceil(to) + room) };
    return this.#asked;
  }
}
