/** A section of the list: the newest results of one screen. Gets `show`. */
import { h, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';
import { resultCard } from './result_card.js';

const MOST = 50; // rows; the screen that made them has all

/** @typedef {import('./result_card.js').Result} Result */

export class ResultsSection {
  #of;
  #heading;
  #list = h('ul', { class: 'results' });
  #more = h('p', { class: 'dim', hidden: true });

  /**
   * @param {{kind: string, title: string, screen: string, formats: string[], open: (id: number) => void, save:
   *   (id: number, format: string) => void}} of `kind`: of the data attribute; `screen`: the name of that screen
   */
  constructor(of) {
    this.#of = of;
    const id = `reports-${of.kind}`;
    this.#heading = h('h2', { id });
    this.element = h(
      'section',
      { class: 'reports-section', 'aria-labelledby': id, hidden: true },
      this.#heading,
      this.#list,
      this.#more,
    );
  }

  /** @param {Result[]} results the newest first */
  show(results) {
    const { title, screen, open, save } = this.#of;
    this.element.hidden = results.length === 0;
    setText(this.#heading, `${title} (${count(results.length)})`);
    this.#more.hidden = results.length <= MOST;
    setText(this.#more, `The newest ${count(MOST)} are listed. ${screen} has all.`);
    update(
      this.#list,
      results.slice(0, MOST),
      ({ key }) => key,
      result =>
        resultCard(result, {
          ...this.#of,
          open: () => open(result.id),
          save: format => save(result.id, format),
        }),
      () => {},
    );
  }
}
