/** What lessons and texts share in a handout: the field of the text, and the reason why there is no answer. */
import { words } from '../lessons/words/index.js';
import { h } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';
import { problemWords } from '../util/format.js';

/** How long the text rests before it is encoded. */
const REST_MS = 200;

/** The text. Reports `textchange` (detail: the text) once it rests. */
export class TextBox extends LabElement {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #resting;
  #field = h('textarea', {
    rows: 2,
    class: 'mono',
    spellcheck: false,
    autocomplete: 'off',
    'aria-label': words.handout.text,
    oninput: () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.emit('textchange', this.#field.value), REST_MS);
    },
  });

  render() {
    this.append(h('label', {}, h('span', { class: 'dim' }, words.handout.text), this.#field));
  }

  /** @param {string} text */
  set text(text) {
    this.#field.value = text;
  }
}

/** Says why a text has no answer. */
export class Refusal extends LabElement {
  render() {
    this.role = 'alert';
    this.hidden = true;
  }

  /** @template T @param {() => T} work @returns {T|null} null: it was refused, and here is the reason */
  unless(work) {
    try {
      const made = work();
      this.hidden = true;
      this.replaceChildren();
      return made;
    } catch (error) {
      this.show(words.handout.refused, problemWords(/** @type {Error} */ (error)));
      return null;
    }
  }

  /** @param {string} title @param {string} said */
  show(title, said) {
    this.hidden = false;
    this.replaceChildren(h('h2', {}, title), h('p', {}, said));
  }
}

customElements.define('handout-text', TextBox);
customElements.define('handout-refusal', Refusal);
