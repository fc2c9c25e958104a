/**
 * Sets of tokenizers that were saved by name: a button uses one, a field saves those in use.
 * Gets `show`; reports `useset` and `deleteset` (detail: a name) and `saveset` (detail: a name).
 */
import { confirmButton } from '../../ui/confirm_button.js';
import { h, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { plural } from '../../util/format.js';

const MAX_NAME = 40;
/** Sets that are kept. */
export const MOST_SETS = 20;

/** @typedef {Object<string, string[]>} Sets ids of tokenizers, by the name of the set */

export class TokenizerSets extends LabElement {
  #list = h('ul', { class: 'tokenizer-sets-list' });
  #field = h('input', {
    type: 'text',
    maxLength: MAX_NAME,
    placeholder: 'Lecture 1',
    'aria-label': 'Name of the set',
    oninput: () => this.#field.setCustomValidity(''),
  });
  #save = h('button', { type: 'submit', class: 'button framed' });
  #form = h('form', { noValidate: true, onsubmit: event => this.#submit(event) }, this.#field, this.#save);
  /** @type {Sets} */
  #sets = {};

  render() {
    this.append(h('h3', { class: 'catalog-title' }, 'Sets of tokenizers'), this.#list, this.#form);
  }

  /** @param {{sets: Sets, chosen: string[], nameOf: (id: string) => string}} shown */
  show({ sets, chosen, nameOf }) {
    this.#sets = sets;
    update(
      this.#list,
      Object.entries(sets),
      ([name]) => name,
      ([name]) =>
        h(
          'li',
          {},
          h('button', { type: 'button', class: 'button framed', onclick: () => this.emit('useset', name) }),
          confirmButton({ label: 'Delete', name, handler: () => this.emit('deleteset', name) }),
        ),
      (item, [name, ids]) => {
        const use = /** @type {HTMLButtonElement} */ (item.firstElementChild);
        use.replaceChildren(h('bdi', {}, name), ` · ${plural(ids.length, 'tokenizer')}`);
        use.title = ids.map(nameOf).join(', ');
      },
    );
    this.#list.hidden = !Object.keys(sets).length;
    this.#save.textContent =
      chosen.length === 1
        ? 'Save the tokenizer in use as a set'
        : `Save the ${chosen.length} tokenizers in use as a set`;
  }

  /** A set of that name is replaced. @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const name = this.#field.value.trim();
    const isFull = Object.keys(this.#sets).length >= MOST_SETS && !Object.hasOwn(this.#sets, name);
    this.#field.setCustomValidity(
      !name ? 'Give the set a name' : isFull ? `${MOST_SETS} sets are saved: delete one first` : '',
    );
    if (!this.#field.reportValidity()) return;
    this.emit('saveset', name);
    this.#field.value = '';
  }
}

customElements.define('tokenizer-sets', TokenizerSets);
