/** What the pointer does over the tokens of an editor: which one it points at, and which one it presses. */

/** @typedef {{lane: number, token: number}} Hit */
export class Pointer {
  #hit;
  #report;
  /** @type {{x: number, y: number}|null} */
  #place = null;
  /** @type {Hit|null} */
  #hovered = null;

  /**
   * @param {HTMLElement} element that the pointer is over
   * @param {(x: number, y: number) => Hit|null} hit returns the token at a point of the window
   * @param {{takesPress: () => boolean, canPick: () => boolean, report: (type: string, detail: Hit|null) => void}} host
   *   `takesPress`: pressing a token must not take the focus or move the caret; `report` gets `tokenhover` and
   *   `tokenpick`
   */
  constructor(element, hit, { takesPress, canPick, report }) {
    this.#hit = hit;
    this.#report = report;
    element.addEventListener('mousemove', event => this.#onMove(event));
    element.addEventListener('mouseleave', () => {
      this.#place = null;
      this.hover(null);
    });
    element.addEventListener('mousedown', event => {
      if (takesPress() && hit(event.clientX, event.clientY)) event.preventDefault();
    });
    element.addEventListener('click', event => {
      const found = hit(event.clientX, event.clientY);
      if (found && canPick()) report('tokenpick', found);
    });
  }

  /** @param {Hit|null} found the token that is pointed at */
  hover(found) {
    if (found?.lane === this.#hovered?.lane && found?.token === this.#hovered?.token) return;
    this.#hovered = found;
    this.#report('tokenhover', found);
  }

  /** One look per frame is enough. @param {MouseEvent} event */
  #onMove({ clientX, clientY }) {
    const isWaiting = this.#place !== null;
    this.#place = { x: clientX, y: clientY };
    if (isWaiting) return;
    requestAnimationFrame(() => {
      if (!this.#place) return;
      const { x, y } = this.#place;
      this.#place = null;
      this.hover(this.#hit(x, y));
    });
  }
}
