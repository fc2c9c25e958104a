/**
 * The dialog that adds a corpus: files or a folder of this computer, by choosing them or by their path. Reports
 * `addpaths` (detail: paths) and `addfiles` (detail: dropped or chosen files).
 */
import { dialog } from '../../ui/dialog.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { LabElement } from '../../ui/element.js';
import { problemWords } from '../../util/format.js';

const FORMATS = '.txt, .md, .jsonl, .csv, .tsv, .parquet; each also as .gz or .zst';

export class AddCorpus extends LabElement {
  #files = fileChooser('corpus-files', files => this.#take(files), { multiple: true });
  #folder = fileChooser('corpus-folder', files => this.#take(files), { multiple: true, webkitdirectory: true });
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

  /** @param {File[]} files */
  #take(files) {
    this.emit(
      'addfiles',
      files.map(file => ({ file, path: file.webkitRelativePath || file.name })),
    );
  }
}

customElements.define('add-corpus', AddCorpus);
