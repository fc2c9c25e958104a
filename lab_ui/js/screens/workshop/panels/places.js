/** The places of the text where base and draft differ: how many, and going from one to the next. */
import { h, setText } from '../../../ui/dom.js';
import { jumpButtons } from '../../../ui/jump_buttons.js';
import { count, plural } from '../../../util/format.js';

export class PlacesPanel {
  #text;
  /** @type {import('../../../text/divergences.js').Divergences|null} */
  #places = null;
  #current = -1;
  #words = h('span', { class: 'number dim', 'data-role': 'place', role: 'status' });
  element = h('div', { class: 'workshop-places' }, this.#words, ...jumpButtons('changed place', by => this.jump(by)));

  /** @param {import('../../../editor/token_text.js').TokenText} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {import('../../../text/session_types.js').Answer|null} answer */
  show(answer) {
    this.#places = answer?.divergences ?? null;
    this.#current = -1;
    this.#draw();
  }

  /** @param {number} by */
  jump(by) {
    const length = this.#places?.length ?? 0;
    if (!this.#places || !length) return;
    this.#current = this.#current < 0 ? (by > 0 ? 0 : length - 1) : (this.#current + by + length) % length;
    this.#draw();
    this.#text.reveal(this.#places.start16.at(this.#current));
  }

  #draw() {
    const places = this.#places;
    const length = places?.length ?? 0;
    this.element.hidden = !places;
    const words = plural(length, 'changed place');
    setText(this.#words, this.#current < 0 ? words : `${count(this.#current + 1)} of ${words}`);
    this.#text.ranges =
      places && this.#current >= 0
        ? [{ from: places.start16.at(this.#current), to: places.end16.at(this.#current), className: 'current' }]
        : [];
  }
}
