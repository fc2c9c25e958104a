/** Says that a text is tokens as a vocabulary spells them, such as "Ġworld" or "à¶Ĵ", and offers their text. */
import { Panel } from '../../../app/panel.js';
import { textOfByteAlphabet } from '../../../text/byte_alphabet.js';
import { h, setText } from '../../../ui/dom.js';

const LONGEST = 100_000; // characters that are looked at
const SHOWN = 40;

export class ByteAlphabetPanel extends Panel {
  /** @type {string|null} */
  #meant = null;
  #sample = h('bdi', {});
  element = h(
    'span',
    { class: 'warning', hidden: true, 'data-role': 'byte-alphabet' },
    'This is GPT-2’s byte alphabet for “',
    this.#sample,
    '”. ',
    h('button', { type: 'button', class: 'button link', onclick: () => this.#show() }, 'Show as text'),
  );

  /** @param {import('../selection.js').InspectAnswer|null} answer */
  onAnswer(answer) {
    this.#meant = answer && answer.text.length <= LONGEST ? textOfByteAlphabet(String(answer.text)) : null;
    this.element.hidden = this.#meant === null;
    const meant = this.#meant?.trim() ?? '';
    setText(this.#sample, meant.length > SHOWN ? `${meant.slice(0, SHOWN)}…` : meant);
  }

  #show() {
    if (this.#meant !== null) this.context.session.setText(this.#meant);
  }
}
