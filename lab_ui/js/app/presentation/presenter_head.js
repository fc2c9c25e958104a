/** The top of a presentation: each tokenizer with its count, and which one is to be guessed. */
import { shortNames } from '../tokenizers/short_names.js';
import { addedCount, ownCount } from '../../text/figures.js';
import { h, setText, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { count } from '../../util/format.js';

const COUNTED = 'Tokens of the text + special tokens added around it';

/** Reports `toggle`: hide or show the count to guess. */
export class PresenterHead extends LabElement {
  #list = h('ul', { class: 'presented-tokenizers', 'aria-label': 'Tokens of the text' });
  #ask = h('button', { type: 'button', class: 'ask', onclick: () => this.emit('toggleguess') });

  render() {
    this.append(this.#list, this.#ask);
  }

  /**
   * @param {{id: string, name: string, letter: string, result: import('../../api/schema.d.ts').EncodingSummary|null}[]}
   *   tokenizers `result` null: not known yet
   * @param {{hidden: string|null, isHiding: boolean, isRevealed: boolean}} guess
   */
  draw(tokenizers, { hidden, isHiding, isRevealed }) {
    const names = shortNames(tokenizers.map(({ name }) => name));
    const guessed = tokenizers.findIndex(({ id }) => id === hidden);
    this.dataset.many = String(tokenizers.length > 3);
    update(
      this.#list,
      tokenizers.map((tokenizer, n) => ({ ...tokenizer, short: names[n] })),
      ({ id, letter, short }) => `${id} ${letter} ${short}`,
      ({ name, letter, short }) =>
        h(
          'li',
          { title: name },
          tokenizerBadge(letter),
          h('b', { class: 'name clip' }, short),
          h('span', { class: 'big number', 'data-letter': letter }),
        ),
      (item, { id, result }) => {
        item.dataset.tokenizer = id;
        drawCount(/** @type {HTMLElement} */ (item.lastElementChild), result, id === hidden && !isRevealed);
      },
    );
    this.#ask.hidden = guessed < 0;
    if (guessed < 0) return;
    const { name, letter } = tokenizers[guessed];
    setText(this.#ask, `Guess ${names[guessed]}’s count`);
    this.#ask.dataset.letter = letter;
    this.#ask.ariaPressed = String(isHiding);
    this.#ask.title = isHiding ? `Show the tokens of ${name} (H)` : `Hide the tokens of ${name} (H)`;
  }
}

/**
 * @param {HTMLElement} element @param {import('../../api/schema.d.ts').EncodingSummary|null} result
 * @param {boolean} isHidden
 */
function drawCount(element, result, isHidden) {
  const added = result && addedCount(result);
  const text = isHidden ? '?' : result ? `${count(ownCount(result))}${added ? ` + ${count(added)}` : ''}` : '';
  if (element.dataset.words === text) return;
  element.dataset.words = text;
  element.title = text && !isHidden ? COUNTED : '';
  if (isHidden)
    element.replaceChildren(
      h('span', { 'aria-hidden': 'true' }, '?'),
      h('span', { class: 'visually-hidden' }, 'count hidden'),
    );
  else {
    const [own, rest] = text.split(' + ');
    element.replaceChildren(...(text ? [own, rest ? h('small', {}, ` + ${rest}`) : ''] : []));
  }
}

customElements.define('presenter-head', PresenterHead);
