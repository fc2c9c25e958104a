/**
 * The foot of a presentation: keys as buttons, what the colours mean, and which part of the list is shown. Reports
 * `act` (detail: the name of what to do).
 */
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { colourSwatch, legend } from '../../ui/tokens/legend.js';

const KEYS = [
  ['next', 'PgDn'],
  ['back', 'PgUp'],
  ['cover', '.'],
  ['leave', 'Esc'],
];

export class PresenterFoot extends LabElement {
  #buttons = Object.fromEntries(
    KEYS.map(([name, key]) => [
      name,
      actionButton([h('kbd', {}, key), h('span')], () => this.emit('act', name), {
        class: 'key-button',
        'data-act': name,
      }),
    ]),
  );
  #legend = h('div', { class: 'presenter-legend' });
  #list = h('button', {
    type: 'button',
    class: 'key-button number',
    onclick: () => this.emit('act', 'list'),
  });
  #letters = '';

  render() {
    this.append(...Object.values(this.#buttons), h('span', { class: 'grow' }), this.#legend, this.#list);
  }

  /**
   * @param {{labels: Object<string, string>, canGoOn: boolean, canGoBack: boolean, letters: string[], place: string,
   *   list: string}} shown `labels` of each key, by name; `place` in the list; `list`: what the list is
   */
  draw({ labels, canGoOn, canGoBack, letters, place, list }) {
    for (const [name, button] of Object.entries(this.#buttons)) setText(button.lastElementChild, labels[name]);
    // Not `disabled`: the focus would be lost at the end of the list.
    this.#buttons.next.ariaDisabled = String(!canGoOn);
    this.#buttons.back.ariaDisabled = String(!canGoBack);
    setText(this.#list, place);
    this.#list.title = `${list} (L)`;
    if (letters.join() === this.#letters) return;
    this.#letters = letters.join();
    this.#legend.replaceChildren(legendOf(letters));
  }
}

/** @param {string[]} letters of the tokenizers that are shown */
function legendOf(letters) {
  const same = { swatch: colourSwatch('var(--g0)', 'var(--g1)'), label: 'Same boundaries' };
  if (letters.length < 2) return legend([]);
  const [first, second] = letters.map(letter => {
    const block = colourSwatch('var(--lane-0)');
    block.dataset.letter = letter;
    return block;
  });
  const different = h('span', { class: 'swatches pair' }, first, second);
  const inside = h('span', { class: 'swatches' }, h('span', { class: 'inside', 'data-letter': letters[1] }));
  return legend([
    same,
    { swatch: different, label: 'Different boundaries' },
    { swatch: inside, label: 'Boundary inside a character' },
  ]);
}

customElements.define('presenter-foot', PresenterFoot);
