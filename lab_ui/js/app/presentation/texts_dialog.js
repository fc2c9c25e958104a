/**
 * The list of prepared texts. ARIA pattern: modal dialog. Gets `show`; reports `texts` (detail: the new list),
 * `present` (detail: number of a text, from 0, the text of the lab first) and `restore` (to the built-in texts).
 */
import { NotTextError, TooLargeError, readTextFile } from '../files/text_file.js';
import { LabElement } from '../../ui/element.js';
import { dialog } from '../../ui/dialog.js';
import { all, h, setText } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { plural, problemWords } from '../../util/format.js';
import { countLinesWithText } from './line_counts.js';
import { MOST_BYTES, isSmallEnough, moved, nameOf } from './prepared_texts.js';

const MOST_KB = MOST_BYTES / 1000;
const TOO_LARGE = `The list is full: it holds ${MOST_KB} kB of text. Remove a text, or open a long one in the lab.`;

/** @param {any} error why no file was added */
function fileProblem(error) {
  if (error instanceof TooLargeError) return TOO_LARGE;
  if (error instanceof NotTextError) return `${error.message}. Save it as UTF-8, then add it again.`;
  return `The files cannot be read: ${problemWords(error)}`;
}

export class TextsDialog extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  #list = h('ol', { class: 'prepared-texts' });
  #field = h('textarea', { rows: 4, id: 'new-text', placeholder: 'Each line is one step' });
  #file = h('input', { type: 'file', multiple: true, hidden: true, tabIndex: -1, 'data-role': 'prepared-files' });
  #message = h('p', { class: 'dim', role: 'status', 'data-role': 'texts-message' });
  /** @type {string[]} */
  #texts = [];
  #own = '';
  #ownLines = 0;
  #text = 0;

  render() {
    /** @param {string} label @param {() => void} handler */
    const button = (label, handler, properties = {}) =>
      h('button', { type: 'button', class: 'button framed', onclick: handler, ...properties }, label);
    this.#file.addEventListener('change', () => this.#addFiles());
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
        button('Add', () => this.#addTyped(), { class: 'button primary' }),
        button('Add this text', () => this.#add([this.#shown]), { title: 'Add the text that is shown to the list' }),
        button('Add files…', () => this.#file.click()),
        h('span', { class: 'grow' }),
        button('Restore the built-in texts', () => this.emit('restore')),
      ),
      this.#file,
      this.#message,
    );
    this.append(this.#dialog);
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
    const focus = this.#focusPlace();
    this.#list.replaceChildren(
      this.#item('Text of the lab', this.#ownLines, 0, []),
      ...texts.map((one, at) => this.#item(nameOf(one), countLinesWithText(one), at + 1, this.#buttons(one, at))),
    );
    if (focus) this.#focus(focus);
  }

  get #shown() {
    return this.#text ? this.#texts[this.#text - 1] : this.#own;
  }

  /** @param {string} name @param {number} lines @param {number} number @param {HTMLElement[]} buttons */
  #item(name, lines, number, buttons) {
    return h(
      'li',
      { 'aria-current': number === this.#text ? 'true' : null },
      h(
        'button',
        {
          type: 'button',
          class: 'prepared-name',
          onclick: () => this.#present(number),
          title: `Present text ${number + 1}`,
        },
        h('span', { class: 'number faint' }, String(number + 1)),
        h('bdi', { class: 'clip' }, name || 'Empty'),
        h('span', { class: 'faint number' }, plural(lines, 'line')),
      ),
      ...buttons,
    );
  }

  /** @param {string} text @param {number} at */
  #buttons(text, at) {
    const name = nameOf(text);
    /** @param {string} action @param {string} path @param {string} label @param {() => void} run */
    const button = (action, path, label, run, disabled = false) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-act': action,
          'aria-label': `${label}: ${name}`,
          title: label,
          disabled,
          onclick: run,
        },
        icon(path),
      );
    return [
      button('up', ICONS.up, 'Move up', () => this.#move(at, -1), at === 0),
      button('down', ICONS.down, 'Move down', () => this.#move(at, 1), at === this.#texts.length - 1),
      button('remove', ICONS.cross, 'Remove', () => this.#change(this.#texts.toSpliced(at, 1), `Removed: ${name}`)),
    ];
  }

  /** @param {number} number */
  #present(number) {
    this.#dialog.close();
    this.emit('present', number);
  }

  /** @param {number} at @param {-1|1} by */
  #move(at, by) {
    const message = `Moved to place ${at + by + 2}: ${nameOf(this.#texts[at])}`;
    if (this.#change(moved(this.#texts, at, by), message))
      this.#focus({ at: at + by + 1, action: by < 0 ? 'up' : 'down' });
  }

  #addTyped() {
    if (!/\S/.test(this.#field.value)) {
      setText(this.#message, 'Type a text first.');
      this.#field.focus();
      return;
    }
    if (this.#add([this.#field.value])) this.#field.value = '';
  }

  async #addFiles() {
    const files = [...(this.#file.files ?? [])];
    this.#file.value = '';
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
    const fits = isSmallEnough(texts);
    setText(this.#message, fits ? message : TOO_LARGE);
    if (fits) this.emit('texts', texts);
    return fits;
  }

  /** Where the focus is in the list: its entries are made anew. */
  #focusPlace() {
    const items = all(this.#list, 'li');
    const at = items.findIndex(item => item.contains(document.activeElement));
    return at < 0 ? null : { at, action: /** @type {HTMLElement} */ (document.activeElement).dataset.act };
  }

  /** @param {{at: number, action?: string}} place */
  #focus(place) {
    const items = all(this.#list, 'li');
    const item = items[Math.min(place.at, items.length - 1)];
    const wanted = place.action && item.querySelector(`[data-act=${place.action}]:not(:disabled)`);
    /** @type {HTMLElement} */ (wanted || item.querySelector('button')).focus();
  }
}

customElements.define('texts-dialog', TextsDialog);
