/**
 * How long the tokens found are, as bars: one per length in bytes, the last for all that are longer. Gets `show`;
 * reports `length` (detail: a length, null for all). Drawn here rather than with the chart library: each bar is a
 * button.
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { count, percent } from '../../util/format.js';
import { LONGEST } from '../../api/vocabulary_query.js';

export class LengthHistogram extends LabElement {
  #bars = h('div', { class: 'bars', role: 'group', 'aria-label': 'Tokens per length' });
  #caption = h('p', { class: 'chart-caption' });

  render() {
    this.dataset.role = 'chart';
    this.append(
      h('h3', {}, 'How long the tokens are'),
      this.#caption,
      this.#bars,
      h(
        'div',
        { class: 'bar-axis faint number', 'aria-hidden': 'true' },
        h('span', {}, '1'),
        h('span', {}, '8'),
        h('span', {}, '16'),
        h('span', {}, '24'),
        h('span', {}, `${LONGEST}+`),
      ),
    );
  }

  /**
   * @param {number[]} lengths tokens per length from 0; the last place counts that length and more
   * @param {number|null} chosen
   */
  show(lengths, chosen) {
    const total = lengths.reduce((sum, n) => sum + n, 0);
    const most = Math.max(1, ...lengths);
    const held = this.#bars.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.length
      : null;
    this.#caption.textContent = total ? `bytes per token, of ${count(total)} tokens` : 'no tokens';
    this.#bars.replaceChildren(
      ...lengths.slice(1).map((n, at) => {
        const length = at + 1;
        const bytes = length === LONGEST ? `${LONGEST} bytes and more` : length === 1 ? '1 byte' : `${length} bytes`;
        const words = `${bytes}: ${count(n)} (${percent(n / total, 1)})`;
        const bar = h(
          'button',
          {
            type: 'button',
            class: 'bar-slot',
            'data-length': String(length),
            title: words,
            'aria-label': words,
            'aria-pressed': String(chosen === length),
            disabled: !n && chosen !== length,
            onclick: () => this.emit('length', chosen === length ? null : length),
          },
          h('i', {}),
        );
        // A bar that is there can be seen, however few it counts.
        /** @type {HTMLElement} */ (bar.firstChild).style.height = n ? `max(2px, ${(100 * n) / most}%)` : '0';
        return bar;
      }),
    );
    if (held) /** @type {HTMLElement|null} */ (this.#bars.querySelector(`[data-length="${held}"]`))?.focus();
  }
}

customElements.define('length-histogram', LengthHistogram);
