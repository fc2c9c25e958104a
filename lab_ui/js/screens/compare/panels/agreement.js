/** In how many tokenizers the boundaries are, and what each two share. Counted only while it is looked at. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { classesFor, countClasses } from '../agreement.js';
import { AgreementMatrix } from '../agreement_matrix.js';

export class AgreementPanel extends Panel {
  #matrix = new AgreementMatrix();
  #isOpen;
  /** @type {import('../panes.js').CompareAnswer|null} */
  #answer = null;
  element = h('div', { class: 'tab-panel' }, this.#matrix);

  /** @param {() => boolean} isOpen @param {(pair: [string, string]) => void} openPair */
  constructor(isOpen, openPair) {
    super();
    this.#isOpen = isOpen;
    listen(this.#matrix, 'pair', openPair);
  }

  /** @param {import('../panes.js').CompareAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!isSettled) return;
    if (answer) this.draw();
    else this.#matrix.clear();
  }

  /** Draws it if it is open. */
  draw() {
    const answer = this.#answer;
    if (!answer || !this.#isOpen()) return;
    const { lanes, tokens, text, agreement } = answer;
    const { activity, settings } = this.context;
    this.#matrix.clear();
    /** @param {Object<string, number>|null} counts */
    const show = counts => {
      if (counts && this.#answer === answer)
        this.#matrix.show(lanes, agreement ?? [[1]], { counts, classes: classesFor(lanes.length) });
    };
    activity.track(countClasses(tokens, String(text), settings.get('ignoreSpaces')).then(show));
  }
}
