/**
 * What is in the window of a long text, asked for before the whole: when the text comes, and again where one scrolls to
 * while the whole is under way. What is in the window, how it is asked for and how it is drawn is told to it.
 */
const MARGIN = 1000; // UTF-16 units beside what is asked for: to the next place at which all tokenizers cut

export class FirstLook {
  #length;
  #shown;
  #ask;
  #asked = null;
  #asking = false;
  #over = false;

  /**
   * @param {number} length of the text, UTF-16
   * @param {() => {from: number, to: number}} shown what is in the window
   * @param {(range: {from: number, to: number}) => Promise<boolean>} ask draws the tokens of a range, as far as they
   *   can be told; false: no more can be
   */
  constructor(length, shown, ask) {
    this.#length = length;
    this.#shown = shown;
    this.#ask = ask;
  }

  get isOver() {
    return this.#over;
  }

  /** The whole is there, or nobody wants it any more. */
  end() {
    this.#over = true;
  }

  /**
   * @returns {Promise<void>} settles when what is in the window is drawn, as far as it can be; never fails: what is
   *   wrong is told of the whole
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

  /** What to ask for, with as much again on both sides; null: what is in the window was asked for. */
  #missing() {
    if (this.#over) return null;
    const shown = this.#shown();
    const within = at => Math.max(0, Math.min(this.#length, at));
    const from = within(shown.from);
    const to = within(shown.to);
    const asked = this.#asked;
    const room = Math.ceil(to - from) + MARGIN;
    if (asked && asked.from <= from && asked.to >= to) return null;
    this.#asked = { from: within(Math.floor(from) - room), to: within(Math.ceil(to) + room) };
    return this.#asked;
  }
}
