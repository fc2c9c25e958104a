/**
 * How much of a context window the text takes and what it costs, by figures that the user types. Gets `show`; reports
 * `budget` (detail: `{contextSize}` or `{price}`, as typed).
 */
import { h, setText } from '../lib/dom.js';
import { count, percent } from '../lib/format.js';
import { contextSize, costWords, priceOf } from '../lib/token_budget.js';

export class ContextMeter extends HTMLElement {
  #fields = {}; #bar = h('span', { class: 'meter-fill' }); #track = h('span', { class: 'meter', 'aria-hidden': 'true' }, this.#bar); #used = h('span', { class: 'number', 'data-role': 'context-used' }); #cost = h('span', { class: 'number', 'data-role': 'cost' });

  connectedCallback() {
    if (this.firstChild) return;
    const field = (name, label, hint) => {
      this.#fields[name] = h('input', { type: 'text', class: 'search-field mono', autocomplete: 'off', spellcheck: false, maxLength: 40, placeholder: hint, 'data-role': name, oninput: event => this.dispatchEvent(new CustomEvent('budget', { detail: { [name]: event.target.value }, bubbles: true })) });
      return h('label', {}, `${label} `, this.#fields[name]);
    };
    this.append(field('contextSize', 'Context size', 'tokens'), this.#track, this.#used, field('price', 'Price per million tokens', 'such as $2.50'), this.#cost);
  }

  /** @param {number|null} tokens of the text, null: not known @param {string} size as typed @param {string} price as typed */
  show(tokens, size, price) {
    for (const [name, value] of Object.entries({ contextSize: size, price })) if (this.#fields[name].value !== value) this.#fields[name].value = value;
    const most = contextSize(size), per = priceOf(price);
    this.#mark('contextSize', size, most);
    this.#mark('price', price, per);
    this.#track.hidden = tokens === null || most === null;
    if (tokens !== null && most !== null) this.#bar.style.width = `${Math.min(100, 100 * tokens / most)}%`;
    this.#track.classList.toggle('over', most !== null && tokens !== null && tokens > most);
    setText(this.#used, usedWords(tokens, size, most));
    setText(this.#cost, per === null ? (price.trim() ? 'Write one number, such as 2.50 or 1500' : 'no price given') : tokens === null ? '–' : `this text: ${costWords(per, tokens)}`);
  }

  #mark(name, typed, read) {
    if (typed.trim() && read === null) this.#fields[name].setAttribute('aria-invalid', 'true'); else this.#fields[name].removeAttribute('aria-invalid');
  }
}

function usedWords(tokens, typed, most) {
  if (most === null) return typed.trim() ? 'Write a whole number of tokens' : 'no size given';
  if (tokens === null) return '–';
  return tokens > most ? `${count(tokens - most)} too many` : `${percent(tokens / most, 1)}, ${count(most - tokens)} left`;
}

customElements.define('context-meter', ContextMeter);
