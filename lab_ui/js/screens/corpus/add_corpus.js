/**
 * The dialog that adds a corpus: files or a folder of this computer, by choosing them or by their path. Reports
 * `addpaths` (detail: paths) and `addfiles` (detail: dropped or chosen files).
 */
import { dialog } from '../../ui/dialog.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { problemWords } from '../../util/format.js';

const FORMATS = '.txt, .md, .jsonl, .csv, .tsv, .parquet; each also as .gz or .zst';

export class AddCorpus extends LabElement {
  #files = chooser(false, () => this.#take(this.#files));
  #folder = chooser(true, () => this.#take(this.#folder));
  #path = h('input', {
    type: 'text',
    id: 'corpus-path',
    class: 'corpus-path mono',
    placeholder: '/data/news/*.jsonl.gz',
    autocomplete: 'off',
    spellcheck: false,
    'data-role': 'corpus-path',
  });
  #problem = h('p', { class: 'warning', role: 'alert', hidden: true });
  #state = h('p', { class: 'dim', role: 'status' });
  #submit = h('button', { type: 'submit', class: 'button framed' }, 'Add');
  #dialog = dialog(
    { label: 'Add a corpus', class: 'add-corpus' },
    h(
      'div',
      { class: 'add-corpus-body' },
      h('p', {}, 'Choose files, or drop them anywhere in the window. One file per language makes a parallel corpus.'),
      h(
        'div',
        { class: 'add-corpus-row' },
        actionButton('Choose files…', () => this.#files.click()),
        actionButton('Choose a folder…', () => this.#folder.click()),
        this.#files,
        this.#folder,
      ),
      h(
        'form',
        {
          onsubmit: event => {
            event.preventDefault();
            const path = this.#path.value.trim();
            if (path) this.emit('addpaths', [path]);
          },
        },
        h('label', { for: 'corpus-path' }, 'Or the path of a file or folder; large files are read where they are'),
        h('div', { class: 'add-corpus-row' }, this.#path, this.#submit),
      ),
      h('p', { class: 'faint' }, FORMATS),
      this.#state,
      this.#problem,
    ),
  );

  render() {
    this.append(this.#dialog);
  }

  open() {
    this.problem = null;
    this.#dialog.showModal();
    this.#path.focus();
  }

  close() {
    this.#dialog.close();
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /** @param {string} words what is being done; empty: nothing */
  set busy(words) {
    setText(this.#state, words);
    this.#submit.disabled = words !== '';
  }

  /** @param {{message: string, hint?: string}|null} error */
  set problem(error) {
    this.#problem.hidden = !error;
    setText(this.#problem, error ? problemWords(error) : '');
  }

  /** @param {HTMLInputElement} input */
  #take(input) {
    const files = [...(input.files ?? [])].map(file => ({ file, path: file.webkitRelativePath || file.name }));
    input.value = ''; // the same files may be chosen again
    if (files.length) this.emit('addfiles', files);
  }
}

/** @param {boolean} isFolder @param {() => void} onchange */
const chooser = (isFolder, onchange) =>
  h('input', {
    type: 'file',
    multiple: true,
    webkitdirectory: isFolder,
    hidden: true,
    tabIndex: -1,
    'data-role': isFolder ? 'corpus-folder' : 'corpus-files',
    onchange,
  });

customElements.define('add-corpus', AddCorpus);
