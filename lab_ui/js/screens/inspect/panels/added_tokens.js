/** The tokens that the postprocessor added, as pills before and after the text. */
import { specialName } from '../../../text/unknown_tokens.js';
import { Panel } from '../../../app/panel.js';
import { actionButton, h } from '../../../ui/dom.js';
import { learn } from '../../../app/tokenizers/learn.js';

/** @typedef {import('../selection.js').InspectAnswer} InspectAnswer */

export class AddedTokensPanel extends Panel {
  #text;
  #choose;
  /** @type {InspectAnswer|null} */
  #answer = null;
  #token = -1;
  #edges = { before: h('div', { class: 'edge-pills' }), after: h('div', { class: 'edge-pills' }) };

  /**
   * @param {import('../../../editor/token_text.js').TokenText} text
   * @param {(token: number) => void} choose goes to a token
   */
  constructor(text, choose) {
    super();
    this.#text = text;
    this.#choose = choose;
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (answer && !isSettled) this.#draw(answer);
  }

  /** @param {number} token */
  onSelection(token) {
    this.#token = token;
    this.#mark();
  }

  destroy() {
    this.#answer = null;
  }

  /** Takes the pills away: they belong to another tokenizer. */
  clear() {
    for (const edge of Object.values(this.#edges)) edge.replaceChildren();
    this.#text.edges = this.#edges;
  }

  /** @param {InspectAnswer} answer */
  async #draw(answer) {
    const { tokens, tokenizer } = answer;
    const { leading, trailing } = tokens;
    const { before, after } = this.#edges;
    if (!leading.length && !trailing.length && !before.firstChild && !after.firstChild) return;
    const ids = [...leading, ...trailing].map(i => tokens.ids.at(i));
    const unnamed = ids.filter(id => !this.#nameOf(tokenizer, id));
    if (unnamed.length) await learn(this.context, tokenizer, unnamed);
    if (this.#answer?.tokens !== tokens) return;
    before.replaceChildren(...leading.map(i => this.#pill(answer, i)));
    after.replaceChildren(...trailing.map(i => this.#pill(answer, i)));
    this.#text.edges = this.#edges;
    this.#mark();
  }

  /** @param {InspectAnswer} answer @param {number} i */
  #pill({ tokens, tokenizer }, i) {
    const id = tokens.ids.at(i);
    return actionButton(
      [this.#nameOf(tokenizer, id) ?? String(id), h('small', { class: 'number' }, String(id))],
      () => this.#choose(i),
      {
        class: 'pill',
        'data-role': 'token',
        'data-id': id,
        'data-start': tokens.start8.at(i),
        'data-end': tokens.end8.at(i),
        'data-token': i,
        title: `Added by the postprocessor, id ${id}`,
      },
    );
  }

  /** @param {string} tokenizer @param {number} id */
  #nameOf(tokenizer, id) {
    const { catalog, vocabulary } = this.context;
    return specialName(catalog.entry(tokenizer), id) ?? vocabulary.known(tokenizer, id)?.text;
  }

  #mark() {
    for (const edge of Object.values(this.#edges))
      for (const pill of /** @type {Iterable<HTMLElement>} */ (edge.children))
        pill.ariaPressed = String(Number(pill.dataset.token) === this.#token);
  }
}
