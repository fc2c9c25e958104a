/** What a text of so many tokens means elsewhere: its share of a context window and its price. */
import { ContextMeter } from '../context_meter.js';
import { listen } from '../../../ui/dom.js';

export class Budget {
  #lab;
  #answer = null;
  #meter = new ContextMeter();

  /** @param {import('../../../app/text_screen_host.js').TextHost} lab */
  constructor(lab) {
    this.#lab = lab;
    this.element = this.#meter;
  }

  start() {
    listen(this.#meter, 'budget', typed => this.#lab.state.set(typed));
    this.draw();
  }

  /** @param {Object|null} answer what Inspect shows now */
  follow(answer) {
    this.#answer = answer;
    this.draw();
  }

  draw() {
    const { showMeter, contextSize, price } = this.#lab.state;
    this.#meter.hidden = !showMeter;
    if (showMeter) this.#meter.show(this.#answer?.result.count ?? null, contextSize, price);
  }
}
