/**
 * Asks for the pattern that splits text before the merges of a rank file apply: a name or a regular expression. Hidden
 * until it gets `files`; reports `files` (detail: `{files, pattern}`).
 */
import { LabElement } from '../../ui/element.js';
import { h, setText } from '../../ui/dom.js';

export class PatternForm extends LabElement {
  #label = h('label', { for: 'pattern' });
  #field = h('input', {
    id: 'pattern',
    type: 'text',
    placeholder: 'cl100k_base',
    autocomplete: 'off',
    spellcheck: false,
    'aria-describedby': 'pattern-hint',
  });
  #names = h('datalist', { id: 'patterns' });
  /** @type {File[]|null} */
  #files = null;

  render() {
    this.hidden = true;
    this.#field.setAttribute('list', 'patterns');
    this.append(
      h(
        'form',
        {
          class: 'pattern-form',
          onsubmit: event => {
            event.preventDefault();
            const pattern = this.#field.value.trim();
            if (pattern) this.emit('files', { files: this.#files, pattern });
            else this.#field.focus();
          },
        },
        this.#label,
        this.#field,
        this.#names,
        h('button', { type: 'submit', class: 'button primary' }, 'Add'),
        h(
          'span',
          { class: 'dim', id: 'pattern-hint' },
          'A rank file does not say how text is split before its merges apply. Give a name or a regular expression.',
        ),
      ),
    );
  }

  /** @param {string[]} names */
  set patterns(names) {
    this.#names.replaceChildren(...names.map(value => h('option', { value })));
  }

  /** @param {File[]|null} files that need a pattern; null: none do */
  set files(files) {
    this.#files = files;
    this.hidden = !files;
    if (!files) return;
    setText(this.#label, `Split pattern of ${files[0].name}`);
    this.#field.focus();
  }
}

customElements.define('pattern-form', PatternForm);
