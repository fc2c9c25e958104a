/** What a training said, line by line, the newest at the end. Gets `show`. */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';

const NEAR = 24; // px from the end, within which the list stays at its end

/** @typedef {import('../../api/schema.d.ts').LogLine} LogLine */

export class LogList extends LabElement {
  #list = h('ol', {});
  #scroller = h(
    'div',
    { class: 'train-log', role: 'log', 'aria-label': 'Log of the training', tabIndex: 0 },
    this.#list,
  );
  #empty = h('p', { class: 'dim train-note' }, 'No training is open.');
  /** @type {LogLine[]} */
  #lines = [];
  #times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

  render() {
    this.append(this.#empty, this.#scroller);
  }

  /** @param {LogLine[]} lines @param {string} words said where there are none */
  show(lines, words) {
    this.#empty.hidden = lines.length > 0;
    this.#scroller.hidden = !lines.length;
    this.#empty.textContent = words;
    const scroller = this.#scroller;
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
    const goesOn = this.#lines.every((line, at) => line.at === lines[at]?.at && line.words === lines[at]?.words);
    if (!goesOn) this.#list.replaceChildren();
    this.#list.append(...lines.slice(goesOn ? this.#lines.length : 0).map(line => this.#line(line)));
    this.#lines = lines;
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  /** @param {LogLine} line */
  #line({ at, words }) {
    return h(
      'li',
      {},
      h('time', { class: 'number dim', dateTime: at }, this.#times.format(new Date(at))),
      h('bdi', {}, words),
    );
  }
}

customElements.define('train-log', LogList);
