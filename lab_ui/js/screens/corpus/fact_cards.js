/**
 * A card per tokenizer: tokens of the corpus, bytes per token, tokens per word, entries used, unknown text. Gets
 * `cards`.
 */
import { difference } from '../../text/figures.js';
import { drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { count, percent, plural, ratio } from '../../util/format.js';

const FEW_IN_A_ROW = 4;
/** Smaller shares would read as 0.0 %, which is no unknown token at all. */
const LEAST_RATE = 0.001;

/**
 * @typedef {import('../../api/schema.d.ts').TokenizerResult} TokenizerResult
 * @typedef {{id: string, name: string, letter: string, result: TokenizerResult|null, before:
 *   TokenizerResult|'none'|null|undefined, difference?: {words: string, title: string}|null}} Card `result`: null if
 *   the analysis
 *   has not counted it; `before`: of the earlier analysis, which may have none; `difference`: from the first tokenizer
 */
export class FactCards extends LabElement {
  /** @param {Card[]} cards */
  set cards(cards) {
    const key = cards.map(({ result, before, ...rest }) => [rest, result?.tokens, tokensOf(before)]);
    if (!drawnOnce(this, key, () => cards.map(card))) return;
    const columns = cards.length > FEW_IN_A_ROW ? Math.ceil(cards.length / 2) : Math.max(1, cards.length);
    this.style.setProperty('--cards', String(columns));
    this.dataset.many = String(cards.length > FEW_IN_A_ROW);
  }
}

/** @param {Card['before']} before @returns {number|null|undefined} null: there is no earlier analysis */
const tokensOf = before => (before === 'none' ? undefined : (before?.tokens ?? null));

/** @param {Card} card */
function card({ id, name, letter, result, before, difference: ratio = null }) {
  if (!result)
    return h(
      'div',
      { class: 'corpus-card', role: 'group', 'aria-label': name },
      tokenizerBadge(letter),
      h('bdi', { class: 'card-name clip', title: name }, name),
      h('span', { class: 'big number' }, '–'),
      h('p', { class: 'card-facts' }, 'Not in this analysis. Press Analyze to count it.'),
    );
  const tokens = tokensOf(before);
  const change =
    tokens === undefined
      ? 'not in the earlier analysis'
      : tokens === null
        ? ''
        : `${difference(result.tokens, tokens)} tokens against the earlier analysis`;
  return h(
    'div',
    { class: 'corpus-card', role: 'group', 'aria-label': name, 'data-tokenizer': id },
    tokenizerBadge(letter),
    h('bdi', { class: 'card-name clip', title: name }, name),
    h(
      'span',
      {
        class: 'big number',
        'data-role': 'count',
        'data-tokenizer': id,
        title: 'Tokens of the corpus, without added special tokens',
      },
      count(result.tokens),
      h('span', { class: 'visually-hidden' }, ' tokens'),
    ),
    h('p', { class: 'card-facts' }, ...factsOf(result)),
    ratio ? h('p', { class: 'card-facts', 'data-role': 'token-ratio', title: ratio.title }, ratio.words) : null,
    change ? h('p', { class: 'card-facts' }, change) : null,
  );
}

/** @param {TokenizerResult} result */
function factsOf(result) {
  const { bytes_per_token: bytes, fertility, types, vocab_size: size, not_measured: reasons } = result;
  /**
   * @param {string} figure @param {string} unit @param {string} title
   */
  const fact = (figure, unit, title, className = '') =>
    h('span', { class: `fact ${className}`, title }, h('b', { class: 'number' }, figure), ` ${unit}`);
  const facts = [
    fact(ratio(bytes), 'bytes/token', reasons.bytes_per_token ?? 'UTF-8 bytes of the corpus divided by its tokens'),
    fact(
      ratio(fertility),
      'tokens/word',
      reasons.fertility ?? 'Tokens that overlap a word, per word between white space',
    ),
    fact(
      count(types),
      'entries used',
      `Different tokens that occur, of ${plural(size, 'entry', 'entries')}`,
      'entries',
    ),
  ];
  const { unknown_rate: rate, unknown_tokens: unknown } = result;
  if (unknown && rate !== null)
    facts.push(
      h(
        'span',
        { class: 'fact warning', 'data-role': 'unknown', title: `${plural(unknown, 'unknown token')} of all tokens` },
        `${rate < LEAST_RATE ? '<' : ''}${percent(Math.max(rate, LEAST_RATE), 1)} unknown`,
      ),
    );
  return facts;
}

customElements.define('fact-cards', FactCards);
