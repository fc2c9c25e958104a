/**
 * A card per tokenizer: its count, the difference to the baseline, bytes per token. Gets `cards`;
 * reports `baseline` and `toggle` (detail: id).
 */
import { count, difference, ratio } from '../lib/format.js';
import { all, focused, h, setText } from '../lib/dom.js';
import { tokenizerBadge } from './tokenizer_badge.js';

export class CompareCards extends HTMLElement {
  /** @type {Map<string, {element: HTMLElement, write: (figures: Object) => void}>} by what of a card is no figure */
  #drawn = new Map();

  connectedCallback() { this.role = 'group'; this.ariaLabel = 'Counts'; }

  /**
   * Figures change at every key: what else a card says keeps its elements.
   * @param {{id: string, name: string, letter: string, family: string, vocabSize: number|null, baseline: boolean, hidden: boolean,
   *   result: Object|null, added: string[]}[]} cards `added`: names of the tokens the postprocessor put in
   */
  set cards(cards) {
    const most = Math.max(1, ...cards.map(card => card.result?.count ?? 0)), base = cards.find(card => card.baseline)?.result?.count, many = cards.length > 3;
    const before = this.#drawn, now = new Map(cards.map(card => {
      const { result: _figures, added: _names, ...rest } = card, kept = JSON.stringify(rest);
      return [kept, before.get(kept) ?? this.#card(card)];
    }));
    cards.forEach((card, n) => [...now.values()][n].write({ ...card, most, base, many }));
    this.#drawn = now;
    if ([...now.keys()].join() === [...before.keys()].join()) return;
    this.dataset.many = String(cards.length > 4);
    this.style.setProperty('--cards', String(cards.length > 4 ? Math.ceil(cards.length / 2) : cards.length));
    const held = /** @type {HTMLElement|null} */ (this.contains(focused()) ? focused().closest('button') : null), card = held?.closest('.card');
    this.replaceChildren(...Array.from(now.values(), ({ element }) => element));
    if (card) all(this, `[data-tokenizer="${CSS.escape(card.getAttribute('data-tokenizer'))}"] button.${held.classList[0]}`)[0]?.focus();
  }

  #card({ id, name, letter, family, vocabSize, baseline, hidden }) {
    const report = type => () => this.dispatchEvent(new CustomEvent(type, { detail: id, bubbles: true })), kind = [family, vocabSize ? count(vocabSize) : null].filter(Boolean).join(' · ');
    const number = h('span', { class: 'big number', 'data-role': 'count', 'data-tokenizer': id }), bar = h('i'), facts = h('span', {}), warning = h('span', { class: 'warning' }, ' · compression looks better than it is'), line = h('span', { class: 'card-facts number' }, facts);
    const delta = baseline ? h('span', { class: 'delta' }, 'baseline') : h('button', { type: 'button', class: 'delta number', title: `Count from ${name}`, onclick: report('baseline') });
    const element = h('section', { class: 'card', 'data-letter': letter, 'data-tokenizer': id, 'data-hidden': String(hidden), 'aria-label': name },
      h('button', { type: 'button', class: 'toggle', 'aria-pressed': String(!hidden), 'aria-label': `Compare ${name}`, title: `${hidden ? 'Show' : 'Hide'} ${name} (${letter.toLowerCase()})`, onclick: report('toggle') }, tokenizerBadge(letter)),
      h('b', { class: 'card-name', title: [name, kind].join(' · ') }, name), number, h('span', { class: 'card-kind' }, kind), delta, line, h('div', { class: 'card-bar' }, bar));
    const write = ({ result, added, most, base, many }) => {
      const total = result?.count, words = total === undefined || base === undefined ? '–' : difference(total, base), said = factsOf(result, added, many).join(' · ');
      setText(number, count(total));
      if (total === undefined) delete number.dataset.count; else number.dataset.count = String(total);
      number.title = !result && hidden ? 'not measured while it is hidden' : '';
      if (!baseline) { setText(delta, words); delta.ariaLabel = `${words}; make ${name} the baseline`; }
      setText(facts, said);
      line.title = said;
      if (result?.unknown_count / total > 0.05) line.append(warning); else warning.remove();
      bar.style.width = `${100 * (total ?? 0) / most}%`;
    };
    return { element, write };
  }
}

function factsOf(result, added, many) {
  const facts = [result?.count && result.text_bytes ? `${ratio(result.text_bytes / result.count)} bytes/token` : '– bytes/token'];
  if (added.length) facts.push(`${added.length}${many ? '' : added.length === 1 ? ' is' : ' are'} ${added.join(' ')}`);
  if (result?.unknown_count) facts.push(`${count(result.unknown_count)} unknown`);
  return facts;
}

customElements.define('compare-cards', CompareCards);
