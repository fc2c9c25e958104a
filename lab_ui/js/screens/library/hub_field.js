/**
 * The field that names a repository of the Hugging Face Hub, and, in `answer`, why one could not be fetched and what to
 * do. Gets `busy` and `problem` by property; reports `fetch` with what was written and `files` (open files instead).
 */
import { LabElement } from '../../ui/element.js';
import { h, linkify } from '../../ui/dom.js';

export class HubField extends LabElement {
  /** Where a problem is shown: put it where there is room. */
  answer = h('div', { class: 'hub-answer', role: 'alert', 'data-role': 'hub-answer' });
  #input = h('input', {
    type: 'text',
    'aria-label': 'Repository of the Hugging Face Hub',
    placeholder: 'OWNER/NAME of the Hub',
    spellcheck: false,
    autocomplete: 'off',
    'data-role': 'hub',
    onkeydown: event => {
      if (event.key === 'Enter') this.#ask();
    },
  });
  #button = h('button', { type: 'button', class: 'button framed', onclick: () => this.#ask() }, 'Fetch');

  render() {
    this.classList.add('hub');
    this.append(this.#input, this.#button);
  }

  /** @param {boolean} busy whether something is being fetched */
  set busy(busy) {
    this.#button.disabled = busy;
  }

  /** @param {Error & {hint?: string, code?: string}} error */
  set problem(error) {
    const files = h(
      'button',
      { type: 'button', class: 'button framed', onclick: () => this.emit('files') },
      'Open vocabulary files…',
    );
    const gated = [
      h('b', {}, error.message),
      h(
        'ol',
        {},
        h('li', {}, linkify((error.hint ?? '').split(';')[0])),
        h('li', {}, 'or, if its files are on this machine: ', files),
      ),
    ];
    this.answer.replaceChildren(
      ...(error.code === 'gated'
        ? gated
        : [h('b', {}, error.message), h('span', { class: 'dim' }, linkify(error.hint ?? ''))]),
    );
  }

  clear() {
    this.answer.replaceChildren();
    this.#input.value = '';
  }

  #ask() {
    const words = this.#input.value.trim();
    this.answer.replaceChildren();
    if (words && !this.#button.disabled) this.emit('fetch', words);
    else this.#input.focus();
  }
}

customElements.define('hub-field', HubField);
