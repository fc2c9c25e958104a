/**
 * When the blocks of lanes are written in: with their tokens, but not while the text moves. What is scrolled past is
 * not spelled, and a key is not held up: until its answer, what is written in its line stays.
 */
const QUIET_FRAMES = 2; // in which nothing was drawn or scrolled

/**
 * @typedef {Object} Drawn what a drawing left
 * @property {import('./line_layout.js').LinePicture[]} pictures
 * @property {import('./lane.js').Lane[]} lanes
 * @property {import('./layout.js').LaneSource[]} sources
 * @property {import('./lane_spelling.js').Face|null} face null: nothing is written
 * @property {{top: number, bottom: number}} window in pixels of the scrolled content
 * @property {boolean} isEdited whether its tokens were moved through an edit, and those of the text are on their way
 */
export class LaneWriter {
  #isDrawn;
  #report;
  #scroller;
  /** @type {Drawn|null} */
  #drawn = null;
  #top = 0;
  #quiet = 0;
  #written = Promise.resolve();
  /** @type {(() => void)|null} called when all is written; null: it is */
  #end = null;

  /**
   * @param {HTMLElement} scroller
   * @param {() => boolean} isDrawn whether the last drawing is still that of the text
   * @param {(written: Promise<void>) => void} report told when something is to be written later
   */
  constructor(scroller, isDrawn, report) {
    this.#scroller = scroller;
    this.#isDrawn = isDrawn;
    this.#report = report;
  }

  /**
   * @param {Drawn} drawn
   * @param {number} top where the text is scrolled to
   * @param {boolean} isAnswer whether new tokens are drawn
   */
  take(drawn, top, isAnswer) {
    const isScrolled = this.#drawn !== null && top !== this.#top;
    const { pictures, lanes, face, window, isEdited } = drawn;
    this.#drawn = drawn;
    this.#top = top;
    this.#quiet = 0;
    const isTyped = isEdited && pictures.filter(picture => !picture.isSpelled).length <= 1;
    if (isAnswer || !face || !(isScrolled || isTyped || this.#end)) {
      this.now();
      return;
    }
    lanes.forEach((lane, n) => lane.moveWritten(linesOf(pictures, n), isScrolled ? window : null));
    this.later();
  }

  /** Writes all that can be. */
  now() {
    if (this.#drawn) {
      const { pictures, lanes, sources, face } = this.#drawn;
      if (face) for (const picture of pictures) picture.spell(sources, face);
      lanes.forEach((lane, n) => lane.write(linesOf(pictures, n)));
    }
    this.#settle();
  }

  /** Writes once the text rests. @returns {Promise<void>} settles when it is done */
  later() {
    if (this.#end) return this.#written;
    this.#written = new Promise(resolve => {
      this.#end = () => resolve(undefined);
    });
    this.#report(this.#written);
    this.#wait();
    return this.#written;
  }

  /** Nothing is written any more, and nobody waits for it. */
  destroy() {
    this.#drawn = null;
    this.now();
  }

  #settle() {
    this.#end?.();
    this.#end = null;
  }

  #wait() {
    requestAnimationFrame(() => {
      if (!this.#end) return undefined;
      const { scrollTop, clientHeight } = this.#scroller;
      if (!clientHeight) return this.#settle(); // hidden: it is drawn again when it is shown
      this.#quiet = scrollTop === this.#top && this.#isDrawn() ? this.#quiet + 1 : 0;
      this.#top = scrollTop;
      return this.#quiet < QUIET_FRAMES ? this.#wait() : this.now();
    });
  }
}

/** @param {import('./line_layout.js').LinePicture[]} pictures @param {number} lane */
const linesOf = (pictures, lane) => pictures.map(({ lanes }) => lanes[lane]);
