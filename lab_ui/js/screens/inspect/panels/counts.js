/** The counts of a text: tokens, characters per token, split characters, unknown tokens. Some lead to their places. */
import { Panel } from '../../../app/panel.js';
import { factWords } from '../../../text/fact_words.js';
import { MUCH_UNKNOWN, ownCount } from '../../../text/figures.js';
import { ADDED, STARTS_INSIDE, UNKNOWN } from '../../../text/token_spans.js';
import { nextWith } from '../../../text/unknown_tokens.js';
import { wordCount } from '../../../text/word_count.js';
import { h, listen } from '../../../ui/dom.js';
import { FactRow } from '../fact_row.js';

const FLAGS = { added: ADDED, split: STARTS_INSIDE, unknown: UNKNOWN };
const FACTS = [
  { name: 'tokens', class: 'big', 'data-role': 'count' },
  { name: 'added', leads: true },
  { name: 'density' },
  { name: 'split', leads: true },
  { name: 'unknown', leads: true },
];

/**
 * @typedef {import('../selection.js').InspectAnswer} InspectAnswer
 * @typedef {import('../../../text/figures.js').Result} Result
 */

export class CountsPanel extends Panel {
  #goTo;
  /** @type {InspectAnswer|null} */
  #answer = null;
  #token = -1;
  element = new FactRow();
  showsEmpty = true;
  warning = h('span', { class: 'warning', hidden: true }, 'More than 5 % unknown: compression looks better than it is');

  /** @param {(token: number) => void} goTo selects a token and brings it into view */
  constructor(goTo) {
    super();
    this.#goTo = goTo;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.element.start(FACTS);
    listen(this.element, 'gotofact', name => this.goToNext(name));
    this.#clear();
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!answer) this.#clear();
    else if (!isSettled) this.#draw(answer.result);
    else this.context.activity.track(this.#drawWords(answer.result, String(answer.text)));
  }

  /** @param {number} token */
  onSelection(token) {
    this.#token = token;
  }

  destroy() {
    this.#answer = null;
  }

  /** Selects the next token of a kind, after the selected one. @param {'added'|'split'|'unknown'} kind */
  goToNext(kind) {
    if (!this.#answer) return;
    const token = nextWith(this.#answer.tokens, FLAGS[kind], this.#token);
    if (token >= 0) this.#goTo(token);
  }

  /** @param {Result} result @param {number|null} [words] of the text */
  #draw(result, words) {
    const number = this.element.numberOf('tokens');
    number.dataset.tokenizer = result.tokenizer;
    number.dataset.count = String(ownCount(result));
    this.element.show(factWords(result, words));
    this.warning.hidden = (result.unknown_rate ?? 0) <= MUCH_UNKNOWN;
  }

  /** @param {Result} result @param {string} text */
  async #drawWords(result, text) {
    const words = await wordCount(text);
    if (this.#answer?.result === result) this.#draw(result, words);
  }

  #clear() {
    delete this.element.numberOf('tokens').dataset.count;
    const dash = { number: '–', tip: '' };
    this.element.show({
      tokens: { ...dash, label: 'tokens' },
      added: null,
      density: { ...dash, label: 'characters per token' },
      split: null,
      unknown: null,
    });
    this.warning.hidden = true;
  }
}
