/**
 * Finds and runs anything the lab can do. ARIA pattern: modal dialog with a combobox over a list box; the focus stays
 * in the field. Gets its commands when it opens; knows nothing of what they do.
 */
import { LabElement } from '../../ui/element.js';
import { childrenOf, closest, h } from '../../ui/dom.js';
import { closeOutside } from '../../ui/dialog.js';
import { keyParts, matching } from './command.js';

export class CommandPalette extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  /** @type {HTMLInputElement} */
  #field;
  #list = h('ul', { role: 'listbox', id: 'palette-list', 'aria-label': 'Commands' });
  #none = h('p', { class: 'dim palette-none', hidden: true }, 'No matching commands.');
  /** @type {import('./command.js').Command[]} */
  #commands = [];
  /** @type {import('./command.js').Command[]} */
  #found = [];
  #at = 0;
  /**
   * Commands made from the typed words, such as a pasted link.
   * @type {(text: string) => import('./command.js').Command[]}
   */
  suggest = () => [];
  /**
   * Commands made from typed words that no command is called by: what was typed is then something to look for.
   * @type {(text: string) => import('./command.js').Command[]}
   */
  fallback = () => [];

  render() {
    this.#field = h('input', {
      type: 'text',
      role: 'combobox',
      placeholder: 'What do you want to do?',
      autocomplete: 'off',
      spellcheck: false,
      'aria-label': 'Find a command',
      'aria-controls': 'palette-list',
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      'data-role': 'palette-field',
      oninput: () => this.#find(),
    });
    this.#dialog = h(
      'dialog',
      { class: 'palette', 'aria-label': 'Commands', 'data-role': 'palette' },
      this.#field,
      this.#list,
      this.#none,
    );
    this.append(this.#dialog);
    this.#dialog.addEventListener('keydown', event => this.#onKey(event));
    this.#dialog.addEventListener('click', event => {
      const row = closest(event, '[role=option]');
      if (row) this.#run(childrenOf(this.#list).indexOf(row));
    });
    closeOutside(this.#dialog);
  }

  get open() {
    return Boolean(this.#dialog?.open);
  }

  /** @param {import('./command.js').Command[]} commands @param {string} [text] to begin with */
  show(commands, text = '') {
    this.#commands = commands;
    this.#field.value = text;
    this.#find();
    this.#dialog.showModal();
    this.#field.select();
  }

  /** What was typed before it was there; typing goes on behind it. @param {string} text */
  type(text) {
    this.#field.value = text;
    this.#find();
    this.#field.setSelectionRange(text.length, text.length);
  }

  #find() {
    const text = this.#field.value;
    const found = [...this.suggest(text), ...matching(this.#commands, text)];
    this.#found = found.length ? found : this.fallback(text.trim());
    this.#list.replaceChildren(
      ...this.#found.map(({ label, group, keys = [] }, n) =>
        h(
          'li',
          { role: 'option', id: `palette-${n}` },
          h('span', { class: 'grow' }, label),
          group ? h('span', { class: 'faint' }, group) : null,
          keys[0]
            ? h(
                'span',
                { class: 'keys', 'aria-hidden': 'true' },
                keyParts(keys[0]).map(part => h('kbd', {}, part)),
              )
            : null,
        ),
      ),
    );
    this.#none.hidden = this.#found.length > 0;
    this.#choose(0);
  }

  /** @param {number} at */
  #choose(at) {
    const rows = childrenOf(this.#list);
    this.#at = rows.length ? (at + rows.length) % rows.length : -1;
    rows.forEach((row, n) => {
      row.ariaSelected = String(n === this.#at);
    });
    if (this.#at >= 0) {
      this.#field.setAttribute('aria-activedescendant', rows[this.#at].id);
      rows[this.#at].scrollIntoView({ block: 'nearest' });
    } else {
      this.#field.removeAttribute('aria-activedescendant');
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const page = 8;
    /** @type {Object<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#run(this.#at);
      return;
    }
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = this.#at + steps[event.key];
    const last = this.#found.length - 1;
    this.#choose(Math.abs(steps[event.key]) === page ? Math.min(last, Math.max(0, to)) : to);
  }

  /** @param {number} at */
  #run(at) {
    const command = this.#found[at];
    if (!command) return;
    this.#dialog.close();
    command.run();
  }
}

customElements.define('command-palette', CommandPalette);
