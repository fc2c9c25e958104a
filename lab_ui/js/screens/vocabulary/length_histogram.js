/**
 * How long the tokens found are, as bars: one per length in bytes, the last for all that are longer. Gets `show`;
 * reports `length` (detail: a length, null for all). Drawn here rather than with the chart library: each bar is a
 * button.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h, update } from '../../ui/dom.js';
import { count, percent, plural } from '../../util/format.js';
import { LONGEST } from '../../api/vocabulary_query.js';

export class LengthHistogram extends LabElement {
  #bars = h('div', { class: 'bars', role: 'group', 'aria-label': 'Tokens per length' });
  #caption = h('p', { class: 'chart-caption' });
  #chosen = /** @type {number|null} */ (null);

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
    this.#caption.textContent = total ? `bytes per token, of ${plural(total, 'token')}` : 'no tokens';
    this.#chosen = chosen;
    update(
      this.#bars,
      lengths.slice(1).map((n, at) => ({ n, length: at + 1 })),
      ({ length }) => length,
      ({ length }) => this.#bar(length),
      (bar, { n, length }) => {
        const bytes = length === LONGEST ? `${LONGEST} bytes and more` : length === 1 ? '1 byte' : `${length} bytes`;
        bar.title = bar.ariaLabel = `${bytes}: ${count(n)} (${percent(n / total, 1)})`;
        bar.ariaPressed = String(chosen === length);
        /** @type {HTMLButtonElement} */ (bar).disabled = !n && chosen !== length;
        // A bar that is there can be seen, however few it counts.
        /** @type {HTMLElement} */ (bar.firstChild).style.height = n ? `max(2px, ${(100 * n) / most}%)` : '0';
      },
    );
  }

  /** @param {number} length */
  #bar(length) {
    const choose = () => this.emit('length', this.#chosen === length ? null : length);
    return actionButton(h('i', {}), choose, { class: 'bar-slot', 'data-length': String(length) });
  }
}

customElements.define('length-histogram', LengthHistogram);
