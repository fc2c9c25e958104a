/**
 * A card per tokenizer: its count, the difference to the baseline, unknown tokens, characters per token. Unknown tokens
 * come first, as the line ends in an ellipsis if there is no room: they make all other figures doubtful. Gets `cards`;
 * reports `baseline` and `togglelane` (detail: id).
 */
import { LabElement } from '../../ui/element.js';
import { MUCH_UNKNOWN, addedCount, difference as differenceWords, ownCount, unknownWords } from '../../text/figures.js';
import { count, plural, ratio } from '../../util/format.js';
import { actionButton, all, focused, h, setText } from '../../ui/dom.js';
import { roving } from '../../ui/roving.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';

/**
 * @typedef {import('../../text/figures.js').Result} Result
 * @typedef {Object} Card
 * @property {string} id @property {string} name @property {string} letter
 * @property {string} family @property {number|null} vocabSize
 * @property {boolean} baseline @property {boolean} hidden
 * @property {Result|null} result
 * @property {string[]} added names of the tokens the postprocessor put in
 *
 * @typedef {{most: number, base: number|null|undefined, baseLetter: string}} Around what a card is measured against
 */

export class CompareCards extends LabElement {
  /**
   * By what of a card is no figure.
   * @type {Map<string, {element: HTMLElement, write: (figures: Card & Around) => void}>}
   */
  #drawn = new Map();

  #stopAt = roving(this, 'button');

  render() {
    this.role = 'toolbar';
    this.ariaLabel = 'Counts';
  }

  /**
   * Figures change at every key: what else a card says keeps its elements.
   * @param {Card[]} cards
   */
  set cards(cards) {
    const own = (/** @type {Card} */ { result }) => (result ? ownCount(result) : 0);
    const base = cards.find(card => card.baseline)?.result?.text_token_count;
    const most = Math.max(1, ...cards.map(own));
    const baseLetter = cards.find(card => card.baseline)?.letter ?? '';
    const before = this.#drawn;
    const now = new Map(
      cards.map(card => {
        const { result: _figures, added: _names, ...rest } = card;
        const kept = JSON.stringify(rest);
        return [kept, before.get(kept) ?? this.#card(card)];
      }),
    );
    cards.forEach((card, n) => [...now.values()][n].write({ ...card, most, base, baseLetter }));
    this.#drawn = now;
    if ([...now.keys()].join() === [...before.keys()].join()) return;
    this.dataset.many = String(cards.length > 4);
    this.dataset.narrow = String(cards.length > 2);
    this.style.setProperty('--cards', String(cards.length > 4 ? Math.ceil(cards.length / 2) : cards.length));
    const held = this.contains(focused()) ? focused()?.closest('button') : null;
    const card = /** @type {HTMLElement|null|undefined} */ (held?.closest('.card'));
    this.replaceChildren(...Array.from(now.values(), ({ element }) => element));
    this.#stopAt();
    if (held && card)
      all(
        this,
        `[data-tokenizer="${CSS.escape(card.dataset.tokenizer ?? '')}"] button.${held.classList[0]}`,
      )[0]?.focus();
  }

  /** @param {Card} card */
  #card({ id, name, letter, family, vocabSize, baseline, hidden }) {
    /** @param {string} type */
    const report = type => () => this.emit(type, id);
    const kind = [family, vocabSize ? count(vocabSize) : null].filter(Boolean).join(' · ');
    const number = h('span', { 'data-role': 'count', 'data-tokenizer': id });
    const plus = h('small', { class: 'added' });
    const total = h('span', { class: 'big number' }, number, plus);
    const bar = h('i');
    const unknown = h('span', { class: 'warning', 'data-role': 'unknown' });
    const facts = h('span', { class: 'card-rest' });
    const line = h('span', { class: 'card-facts number clip' }, unknown, facts);
    const difference = h('b');
    const share = h('span');
    const against = h('span', { class: 'against' });
    const around = h('span', { class: 'card-added' });
    const delta = baseline
      ? h('span', { class: 'delta' }, 'baseline')
      : actionButton([difference, share, against], report('baseline'), {
          class: 'delta number',
          title: `Count from ${name}`,
        });
    const element = h(
      'section',
      { class: 'card', 'data-letter': letter, 'data-tokenizer': id, 'data-hidden': String(hidden), 'aria-label': name },
      actionButton(tokenizerBadge(letter), report('togglelane'), {
        class: 'toggle',
        'aria-pressed': String(!hidden),
        'aria-label': `Compare ${name}`,
        title: `${hidden ? 'Show' : 'Hide'} ${name} (${letter.toLowerCase()})`,
      }),
      h('b', { class: 'card-name clip', title: [name, kind].join(' · ') }, name),
      total,
      h('span', { class: 'card-kind clip' }, kind),
      delta,
      line,
      around,
      h('div', { class: 'card-bar' }, bar),
    );
    /** @param {Card & Around} figures */
    const write = ({ result, added, most, base, baseLetter }) => {
      const own = result && ownCount(result);
      const change = differenceWords(result?.text_token_count, base);
      const much = (result?.unknown_rate ?? 0) > MUCH_UNKNOWN;
      setText(number, count(own));
      setText(plus, result && addedCount(result) ? ` + ${count(addedCount(result))}` : '');
      if (result) number.dataset.count = String(own);
      else delete number.dataset.count;
      total.title = result
        ? addedCount(result)
          ? `${plural(ownCount(result), 'token')} of the text; ${addedWords(result, added)} around it`
          : ''
        : hidden
          ? 'not measured while it is hidden'
          : '';
      if (!baseline) {
        const [off, part] = change.split(' (');
        setText(difference, off);
        setText(share, part ? ` (${part}` : '');
        setText(against, off === '–' ? '' : ` against ${baseLetter}`);
        delta.ariaLabel = `${change} against ${baseLetter}; make ${name} the baseline`;
      }
      setText(unknown, result ? unknownWords(result) : '');
      setText(facts, `${ratio(result?.characters_per_token)} characters per token`);
      setText(around, addedWords(result, added));
      line.title = [
        unknown.textContent,
        facts.textContent,
        around.textContent,
        much ? 'more than 5 % unknown: compression looks better than it is' : '',
      ]
        .filter(Boolean)
        .join(' · ');
      element.dataset.unknown = String(Boolean(much));
      bar.style.width = `${(100 * (own ?? 0)) / most}%`;
    };
    return { element, write };
  }
}

/** "2 added: [CLS] [SEP]" @param {Result|null} result @param {string[]} names */
function addedWords(result, names) {
  const added = result && addedCount(result);
  if (!added) return result ? 'no added tokens' : '';
  return `${count(added)} added${names.length ? `: ${names.join(' ')}` : ''}`;
}

customElements.define('compare-cards', CompareCards);
