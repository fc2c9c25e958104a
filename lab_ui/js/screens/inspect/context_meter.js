/**
 * How much of a context window the text takes and what it costs, by figures that the user types, in two quiet lines.
 * Gets `show`; reports `budget` (detail: `{contextSize}` or `{price}`, as typed).
 */
import { LabElement } from '../../ui/element.js';
import { h, setText } from '../../ui/dom.js';
import { count, percent, plural } from '../../util/format.js';
import { contextSize, costWords, priceOf } from './token_budget.js';

export class ContextMeter extends LabElement {
  /** @type {Object<string, HTMLInputElement>} */
  #fields = {};
  #bar = h('span', { class: 'meter-fill' });
  #track = h('span', { class: 'meter', 'aria-hidden': 'true' }, this.#bar);
  #used = h('span', { class: 'number', 'data-role': 'context-used' });
  #cost = h('span', { class: 'number', 'data-role': 'cost' });

  render() {
    /** @param {string} name @param {string} label @param {string} hint */
    const field = (name, label, hint) =>
      (this.#fields[name] = h('input', {
        type: 'text',
        class: 'budget-field',
        autocomplete: 'off',
        spellcheck: false,
        maxLength: 40,
        placeholder: hint,
        'aria-label': label,
        'data-role': name,
        oninput: () => this.emit('budget', { [name]: this.#fields[name].value }),
      }));
    this.append(
      h('div', { class: 'budget-line' }, this.#used, field('contextSize', 'Context size in tokens', 'tokens')),
      this.#track,
      h(
        'div',
        { class: 'budget-line' },
        this.#cost,
        field('price', 'Price per million tokens', '$2.50'),
        h('span', {}, 'per million tokens'),
      ),
    );
  }

  /**
   * @param {number|null} tokens of the text, null: not known
   * @param {string} size as typed
   * @param {string} price as typed
   */
  show(tokens, size, price) {
    for (const [name, value] of Object.entries({ contextSize: size, price }))
      if (this.#fields[name].value !== value) this.#fields[name].value = value;
    const most = contextSize(size);
    const per = priceOf(price);
    const over = most !== null && tokens !== null && tokens > most;
    this.#mark('contextSize', size, most);
    this.#mark('price', price, per);
    if (tokens !== null && most !== null) this.#bar.style.width = `${Math.min(100, (100 * tokens) / most)}%`;
    else this.#bar.style.width = '0';
    this.#track.classList.toggle('over', over);
    const known = most !== null && tokens !== null;
    setText(
      this.#used,
      known
        ? over
          ? `${count(tokens - most)} over the context window of`
          : `${percent(tokens / most, 1)} of a context window of`
        : size.trim() && most === null
          ? 'Write a whole number:'
          : 'Context window',
    );
    this.title = known && !over ? `${plural(most - tokens, 'token is', 'tokens are')} left` : '';
    setText(
      this.#cost,
      per === null
        ? price.trim()
          ? 'Write one number, such as 2.50 or 1500:'
          : 'Price'
        : tokens === null
          ? '–'
          : `${costWords(per, tokens)} at`,
    );
  }

  /** @param {string} name @param {string} typed @param {unknown} read */
  #mark(name, typed, read) {
    if (typed.trim() && read === null) this.#fields[name].setAttribute('aria-invalid', 'true');
    else this.#fields[name].removeAttribute('aria-invalid');
  }
}

customElements.define('context-meter', ContextMeter);
