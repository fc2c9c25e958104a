/**
 * A card per tokenizer: its count, the difference to the baseline, bytes per token. Gets `cards`;
 * reports `baseline` and `toggle` (detail: id).
 */
import { count, difference, ratio } from '../lib/format.js';
import { all, focused, h } from '../lib/dom.js';
import { tokenizerBadge } from './tokenizer_badge.js';

export class CompareCards extends HTMLElement {
  connectedCallback() { this.role = 'group'; this.ariaLabel = 'Counts'; }

  /**
   * @param {{id: string, name: string, letter: string, family: string, vocabSize: number|null, baseline: boolean, hidden: boolean,
   *   result: Object|null, added: string[]}[]} cards `added`: names of the tokens the postprocessor put in
   */
  set cards(cards) {
    const most = Math.max(1, ...cards.map(card => card.result?.count ?? 0)), base = cards.find(card => card.baseline)?.result?.count;
    this.dataset.many = String(cards.length > 4);
    this.style.setProperty('--cards', String(cards.length > 4 ? Math.ceil(cards.length / 2) : cards.length));
    const held = /** @type {HTMLElement|null} */ (this.contains(focused()) ? focused().closest('button') : null), card = held?.closest('.card');
    this.replaceChildren(...cards.map(card => this.#card(card, most, base, cards.length > 3)));
    if (card) all(this, `[data-tokenizer="${CSS.escape(card.getAttribute('data-tokenizer'))}"] button.${held.classList[0]}`)[0]?.focus();
  }

  #card({ id, name, letter, family, vocabSize, baseline, hidden, result, added }, most, base, many) {
    const report = type => () => this.dispatchEvent(new CustomEvent(type, { detail: id, bubbles: true })), unknown = !result && hidden ? 'not measured while it is hidden' : '';
    const kind = [family, vocabSize ? count(vocabSize) : null].filter(Boolean).join(' · '), total = result?.count, bar = h('i'), words = total === undefined || base === undefined ? '–' : difference(total, base);
    bar.style.width = `${100 * (total ?? 0) / most}%`;
    const facts = [total && result.text_bytes ? `${ratio(result.text_bytes / total)} bytes/token` : '– bytes/token'];
    if (added.length) facts.push(`${added.length}${many ? '' : added.length === 1 ? ' is' : ' are'} ${added.join(' ')}`);
    if (result?.unknown_count) facts.push(`${count(result.unknown_count)} unknown`);
    return h('section', { class: 'card', 'data-letter': letter, 'data-tokenizer': id, 'data-hidden': String(hidden), 'aria-label': name },
      h('button', { type: 'button', class: 'toggle', 'aria-pressed': String(!hidden), 'aria-label': `Compare ${name}`, title: `${hidden ? 'Show' : 'Hide'} ${name} (${letter.toLowerCase()})`, onclick: report('toggle') }, tokenizerBadge(letter)),
      h('b', { class: 'card-name', title: [name, kind].join(' · ') }, name), h('span', { class: 'big number', 'data-role': 'count', 'data-tokenizer': id, 'data-count': total, title: unknown }, count(total)),
      h('span', { class: 'card-kind' }, kind),
      baseline ? h('span', { class: 'delta' }, 'baseline') : h('button', { type: 'button', class: 'delta number', title: `Count from ${name}`, 'aria-label': `${words}; make ${name} the baseline`, onclick: report('baseline') }, words),
      h('span', { class: 'card-facts number', title: facts.join(' · ') }, facts.join(' · '), result?.unknown_count / total > 0.05 ? h('span', { class: 'warning' }, ' · compression looks better than it is') : null),
      h('div', { class: 'card-bar' }, bar));
  }
}

customElements.define('compare-cards', CompareCards);
