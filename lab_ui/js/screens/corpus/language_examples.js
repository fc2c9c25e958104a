/**
 * The dialog with the first documents of a language and their tokens under each tokenizer. Gets `open`; reports
 * `inspectexample` with `{text, name}`.
 */
import { dialog } from '../../ui/dialog.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { count, plural, size } from '../../util/format.js';

/**
 * @typedef {import('../../api/schema.d.ts').LanguageExample} LanguageExample
 * @typedef {import('../../api/schema.d.ts').LanguageExamples} LanguageExamples
 */

export class LanguageExamplesDialog extends LabElement {
  #title = h('bdi', {});
  #words = h('p', { class: 'dim' });
  #list = h('ol', { class: 'language-examples', 'data-role': 'language-examples' });
  #body = h('div', { class: 'examples-body', tabIndex: 0, role: 'region', ariaLabel: 'Documents' }, this.#words);
  #dialog = dialog(
    { label: 'Examples of a language', class: 'examples', title: 'Examples of ', head: [this.#title] },
    this.#body,
  );

  render() {
    this.#body.append(this.#list);
    this.append(this.#dialog);
  }

  /** @param {LanguageExamples} found @param {{id: string, name: string, letter: string}[]} tokenizers in order */
  open(found, tokenizers) {
    const { language, examples } = found;
    setText(this.#title, language);
    setText(this.#words, wordsOf(found));
    const counted = found.tokenizers.map(id => tokenizers.find(one => one.id === id) ?? { id, name: id, letter: '?' });
    const lines = examples.map((example, n) => this.#line(example, counted, `${language}, example ${n + 1}`));
    this.#list.replaceChildren(...lines);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#body.scrollTop = 0;
  }

  /** @param {LanguageExample} example @param {{name: string, letter: string}[]} tokenizers @param {string} name */
  #line(example, tokenizers, name) {
    const { text, bytes, is_whole: isWhole, tokens } = example;
    const open = () => {
      this.#dialog.close();
      this.emit('inspectexample', { text, name });
    };
    return h(
      'li',
      {},
      h('p', { class: 'example-text mono', dir: 'auto', tabIndex: 0 }, text, isWhole ? '' : '…'),
      h(
        'div',
        { class: 'example-counts' },
        ...tokenizers.map((one, n) =>
          h('span', {}, h('span', { class: 'dim' }, one.name), ' ', h('b', {}, plural(tokens[n], 'token'))),
        ),
        h(
          'span',
          { class: 'dim' },
          isWhole ? size(bytes) : `first ${count([...text].length)} characters, ${size(bytes)}`,
        ),
        h('span', { class: 'grow' }),
        actionButton('Open in Inspect', open, { ariaLabel: `Open in Inspect: ${name}` }),
      ),
    );
  }
}

/** @param {LanguageExamples} found */
function wordsOf({ examples, more }) {
  if (!examples.length)
    return more ? 'No document of this language is in the part of the corpus that was read.' : 'No document has text.';
  const shown = `${plural(examples.length, 'document')} of this language`;
  return `${more ? 'The first' : 'All'} ${shown}. Added special tokens are not counted.`;
}

customElements.define('language-examples-dialog', LanguageExamplesDialog);
