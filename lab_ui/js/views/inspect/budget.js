/** What a text of so many tokens means elsewhere: its share of a context window, its price, and the text in pieces of N tokens. */
import { ContextMeter } from '../../components/context_meter.js';
import { PiecesDialog } from '../../components/pieces_dialog.js';
import { listen } from '../../lib/dom.js';

export class Budget {
  #lab; #answer = null; #meter = new ContextMeter(); #pieces = new PiecesDialog();

  /** @param {import('../../lab.js').Lab} lab */
  constructor(lab) {
    this.#lab = lab;
    this.elements = [this.#meter, this.#pieces];
  }

  start() {
    listen(this.#meter, 'budget', typed => this.#lab.state.set(typed));
    listen(this.#pieces, 'copy', json => this.#copy(json));
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

  openPieces() { if (this.#answer) this.#pieces.show(this.#answer.tokens, String(this.#answer.text)); }

  async #copy(json) {
    try {
      await navigator.clipboard.writeText(json);
      this.#lab.announce('The pieces are copied');
      this.#pieces.said = 'Copied.';
    } catch {
      this.#pieces.said = 'They could not be copied: the browser keeps this page from the clipboard.';
    }
  }
}
