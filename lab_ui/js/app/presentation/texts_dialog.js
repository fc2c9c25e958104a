/**
 * The list of prepared texts. ARIA pattern: modal dialog. Gets `show`; reports `texts` (detail: the new list),
 * `present` (detail: number of a text, from 0, the text of the lab first) and `restore` (to the built-in texts).
 */
import { NotTextError, TooLargeError, readTextFile } from '../files/text_file.js';
import { LabElement } from '../../ui/element.js';
import { dialog } from '../../ui/dialog.js';
import { actionButton, h, listen, setText } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { OrderedList } from '../../ui/ordered_list.js';
import { plural, problemWords } from '../../util/format.js';
import { countLinesWithText } from './line_counts.js';
import { MOST_BYTES, TOO_LARGE, nameOf, problemOf } from './prepared_texts.js';

/** @param {any} error why no file was added */
function fileProblem(error) {
  if (error instanceof TooLargeError) return TOO_LARGE;
  if (error instanceof NotTextError) return `${error.message}. Save it as UTF-8, then add it again.`;
  return `The files cannot be read: ${problemWords(error)}`;
}

export class TextsDialog extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  #list = new OrderedList();
  #field = h('textarea', { rows: 4, id: 'new-text', placeholder: 'Each line is one step' });
  #file = fileChooser('prepared-files', files => this.#addFiles(files), { multiple: true });
  #message = h('p', { class: 'dim', role: 'status', 'data-role': 'texts-message' });
  /** @type {string[]} */
  #texts = [];
  #own = '';
  #ownLines = 0;
  #text = 0;

  render() {
    this.#dialog = dialog(
      { label: 'Prepared texts', class: 'texts-dialog' },
      h(
        'p',
        { class: 'dim' },
        'PgDn after the last line of a text goes on to the next. The first is the text of the lab.',
      ),
      this.#list,
      h('label', { for: 'new-text' }, 'Add a text'),
      this.#field,
      h(
        'div',
        { class: 'texts-actions' },
        actionButton('Add', () => this.#addTyped(), { class: 'button primary' }),
        actionButton('Add this text', () => this.#add([this.#shown]), {
          title: 'Add the text that is shown to the list',
        }),
        actionButton('Add files…', () => this.#file.click()),
        h('span', { class: 'grow' }),
        actionButton('Restore the built-in texts', () => this.emit('restore')),
      ),
      this.#file,
      this.#message,
    );
    this.append(this.#dialog);
    listen(this.#list, 'entry', number => this.#present(number));
    listen(this.#list, 'moved', move => this.#move(move));
    listen(this.#list, 'takenout', at =>
      this.#change(this.#texts.toSpliced(at - 1, 1), `Removed: ${nameOf(this.#texts[at - 1])}`),
    );
  }

  get isOpen() {
    return Boolean(this.#dialog?.open);
  }

  /**
   * @param {string[]} texts that were prepared
   * @param {{text: string, lines: number}} own the text of the lab, and its lines that are not blank
   * @param {number} text number of the one that is shown: 0 is that of the lab
   */
  show(texts, own, text) {
    this.draw(texts, own, text);
    setText(this.#message, '');
    if (!this.isOpen) this.#dialog.showModal();
  }

  /** @param {string[]} texts @param {{text: string, lines: number}} own @param {number} text */
  draw(texts, own, text) {
    this.#texts = texts;
    this.#own = own.text;
    this.#ownLines = own.lines;
    this.#text = text;
    this.#list.show([
      { name: 'Text of the lab', note: plural(this.#ownLines, 'line'), isFixed: true, isCurrent: text === 0 },
      ...texts.map((one, at) => ({
        name: nameOf(one),
        note: plural(countLinesWithText(one), 'line'),
        isCurrent: text === at + 1,
      })),
    ]);
  }

  get #shown() {
    return this.#text ? this.#texts[this.#text - 1] : this.#own;
  }

  /** @param {number} number */
  #present(number) {
    this.#dialog.close();
    this.emit('present', number);
  }

  /** @param {{from: number, to: number}} move places in the list, whose first is the text of the lab */
  #move({ from, to }) {
    const text = this.#texts[from - 1];
    const others = this.#texts.toSpliced(from - 1, 1);
    this.#change(others.toSpliced(to - 1, 0, text), `Moved to place ${to + 1}: ${nameOf(text)}`);
  }

  #addTyped() {
    if (!/\S/.test(this.#field.value)) {
      setText(this.#message, 'Type a text first.');
      this.#field.focus();
      return;
    }
    if (this.#add([this.#field.value])) this.#field.value = '';
  }

  /** @param {File[]} files */
  async #addFiles(files) {
    try {
      const read = await Promise.all(files.map(file => readTextFile(file, MOST_BYTES)));
      this.#add(read.map(({ text }) => text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')));
    } catch (error) {
      setText(this.#message, fileProblem(error));
    }
  }

  /** @param {string[]} added @returns {boolean} whether they fit */
  #add(added) {
    const texts = added.filter(text => /\S/.test(text));
    if (!texts.length) {
      setText(this.#message, 'This text is empty.');
      return false;
    }
    return this.#change([...this.#texts, ...texts], `Added: ${texts.map(nameOf).join(', ')}`);
  }

  /** @param {string[]} texts @param {string} message */
  #change(texts, message) {
    const problem = problemOf(texts);
    setText(this.#message, problem || message);
    if (!problem) this.emit('texts', texts);
    return !problem;
  }
}

customElements.define('texts-dialog', TextsDialog);
