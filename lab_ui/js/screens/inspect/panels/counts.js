/** The counts of a text: tokens, compression, split characters, unknown tokens. */
import { Panel } from '../../../app/panel.js';
import { MUCH_UNKNOWN, addedCount, ownCount, unknownWords } from '../../../text/figures.js';
import { wordCount } from '../../../text/word_count.js';
import { h, setText } from '../../../ui/dom.js';
import { count, ratio } from '../../../util/format.js';

export class CountsPanel extends Panel {
  #facts = {
    tokens: fact('tokens', { class: 'number big', 'data-role': 'count' }),
    addedTokens: fact('added'),
    bytesPerToken: fact('bytes/token'),
    tokensPerWord: fact('tokens/word'),
    characters: fact('characters split'),
    unknowns: fact('unknown'),
  };
  #result = null;
  elements = Object.values(this.#facts).map(({ element }) => element);
  warning = h('span', { class: 'warning', hidden: true }, 'More than 5 % unknown: compression looks better than it is');

  onAnswer(answer, isSettled) {
    this.#result = answer?.result ?? null;
    if (!answer) this.#clear();
    else if (!isSettled) this.#draw(answer.result);
    else this.context.activity.track(this.#drawWords(answer.result, String(answer.text)));
  }

  #draw(result) {
    const { tokenizer, bytes_per_token: bytes, unknown_count: unknown, split_character_count: split } = result;
    const own = ownCount(result);
    const added = addedCount(result);
    const { tokens, addedTokens, bytesPerToken, characters, unknowns } = this.#facts;
    tokens.number.dataset.tokenizer = tokenizer;
    tokens.number.dataset.count = String(own);
    setText(tokens.number, count(own));
    setText(tokens.words, own === 1 ? 'token' : 'tokens');
    addedTokens.element.hidden = !added;
    setText(addedTokens.number, `+ ${count(added)}`);
    setText(bytesPerToken.number, ratio(bytes));
    setText(characters.number, count(split));
    setText(characters.words, split === 1 ? 'character split' : 'characters split');
    const [number, ...words] = unknown ? unknownWords(result).split(' ') : ['0', 'unknown'];
    setText(unknowns.number, number);
    setText(unknowns.words, words.join(' '));
    unknowns.element.classList.toggle('warning', unknown > 0);
    this.warning.hidden = !(result.unknown_rate > MUCH_UNKNOWN);
  }

  async #drawWords(result, text) {
    const { tokensPerWord } = this.#facts;
    const words = await wordCount(text);
    if (this.#result !== result) return;
    setText(tokensPerWord.number, words ? ratio(result.text_token_count / words) : '–');
    tokensPerWord.element.title =
      words === null ? 'Not measured: this script puts no space between words' : 'Words are separated by whitespace';
  }

  #clear() {
    const { tokens, addedTokens, unknowns } = this.#facts;
    for (const { number } of Object.values(this.#facts)) setText(number, '–');
    delete tokens.number.dataset.count;
    addedTokens.element.hidden = true;
    setText(unknowns.words, 'unknown');
    unknowns.element.classList.remove('warning');
    this.warning.hidden = true;
  }
}

function fact(words, properties = {}) {
  const number = h('b', { class: 'number', ...properties }, '–');
  const label = h('span', {}, words);
  return { element: h('span', { class: 'fact' }, number, ' ', label), number, words: label };
}
