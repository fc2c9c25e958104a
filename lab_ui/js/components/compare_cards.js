/** A card per tokenizer: its count, the difference to the baseline, bytes per token. Gets `cards`; reports `baseline` (detail: id). */
import { count, difference, ratio } from '../lib/format.js';
import { h } from '../lib/dom.js';
import { tokenizerBadge } from './tokenizer_badge.js';

export class CompareCards extends HTMLElement {
  connectedCallback() { this.role = 'group'; this.ariaLabel = 'Counts'; }

  /**
   * @param {{id: string, name: string, letter: string, family: string, vocabSize: number|null, baseline: boolean,
   *   result: Object|null, added: string[]}[]} cards `added`: names of the tokens the postprocessor put in
   */
  set cards(cards) {
    const most = Math.max(1, ...cards.map(card => card.result?.count ?? 0)), base = cards.find(card => card.baseline)?.result?.count ?? 0;
    this.dataset.many = String(cards.length > 4);
    this.style.setProperty('--cards', String(cards.length > 4 ? Math.ceil(cards.length / 2) : cards.length));
    this.replaceChildren(...cards.map(card => this.#card(card, most, base, cards.length > 3)));
  }

  #card({ id, name, letter, family, vocabSize, baseline, result, added }, most, base, many) {
    const total = result?.count, bar = h('i');
    bar.style.width = `${100 * (total ?? 0) / most}%`;
    const facts = [total ? `${ratio(result.text_bytes / total)} bytes/token` : '– bytes/token'];
    if (added.length) facts.push(`${added.length}${many ? '' : added.length === 1 ? ' is' : ' are'} ${added.join(' ')}`);
    if (result?.unknown_count) facts.push(`${count(result.unknown_count)} unknown`);
    return h('section', { class: 'card', 'data-letter': letter, 'data-tokenizer': id, 'aria-label': name }, tokenizerBadge(letter),
      h('b', { class: 'card-name', title: name }, name), h('span', { class: 'big number', 'data-role': 'count', 'data-tokenizer': id, 'data-count': total }, count(total)),
      h('span', { class: 'card-kind' }, [family, vocabSize ? count(vocabSize) : null].filter(Boolean).join(' · ')),
      baseline ? h('span', { class: 'delta' }, 'baseline') : h('button', { type: 'button', class: 'delta number', title: `Count from ${name}`, 'aria-label': `${total === undefined ? '' : difference(total, base)}; make ${name} the baseline`, onclick: () => this.dispatchEvent(new CustomEvent('baseline', { detail: id, bubbles: true })) }, total === undefined ? '–' : difference(total, base)),
      h('span', { class: 'card-facts number', title: facts.join(' · ') }, facts.join(' · '), result?.unknown_count / total > 0.05 ? h('span', { class: 'warning' }, ' · compression looks better than it is') : null),
      h('div', { class: 'card-bar' }, bar));
  }
}

customElements.define('compare-cards', CompareCards);
