/**
 * How to cite what is shown: a BibTeX entry, a sentence, and the command that repeats it. ARIA pattern: modal dialog.
 */
import { dialog } from '../../ui/dialog.js';
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';

export class CitationDialog extends LabElement {
  #bibtex = part('BibTeX');
  #sentence = part('Sentence');
  #command = part('Command to reproduce these tokens');
  #note = h('p', { class: 'dim', hidden: true });
  #message = h('p', { class: 'visually-hidden', role: 'status' });
  #dialog = dialog(
    { label: 'Cite', class: 'citation-dialog' },
    ...[this.#bibtex, this.#sentence, this.#command].map(({ element }) => element),
    this.#note,
    this.#message,
  );
  /** Copies a text. @type {(text: string, message: string) => Promise<string>} */
  copy = async () => '';

  render() {
    this.append(this.#dialog);
    for (const { copy, text, title } of [this.#bibtex, this.#sentence, this.#command])
      copy.addEventListener('click', async () => {
        setText(this.#message, await this.copy(text.textContent ?? '', `${title} copied`));
        setText(copy, 'Copied');
      });
  }

  get open() {
    return this.#dialog.open;
  }

  /** @param {import('../../api/schema.d.ts').Citation} citation */
  show({ bibtex, sentence, provenance: { command, command_file: file } }) {
    setText(this.#bibtex.text, bibtex.trimEnd());
    setText(this.#sentence.text, sentence);
    setText(this.#command.text, command);
    setText(this.#note, file ? `${file} must hold the text, in UTF-8.` : '');
    this.#note.hidden = !file;
    setText(this.#message, '');
    for (const { copy } of [this.#bibtex, this.#sentence, this.#command]) setText(copy, 'Copy');
    this.#dialog.showModal();
  }
}

/** @param {string} title of a text that can be copied */
function part(title) {
  const copy = h('button', { type: 'button', class: 'button framed', 'aria-label': `Copy: ${title}` }, 'Copy');
  const text = h('pre', { tabIndex: 0, 'aria-label': title, role: 'region' });
  const head = h('div', { class: 'citation-head' }, h('h2', {}, title), h('span', { class: 'grow' }), copy);
  return { title, copy, text, element: h('section', {}, head, text) };
}

customElements.define('citation-dialog', CitationDialog);
