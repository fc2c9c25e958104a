/**
 * The dialog that brings a tokenizer in: one of the catalog, one to be downloaded, or files from this machine. ARIA
 * pattern: modal dialog. Gets `show` with the catalog and `patterns`; reports `use`, `remove`, `fetch` (detail: id),
 * `files` (detail: `{files, pattern}`) and `preset` (detail: ids).
 */
import { LabElement } from '../ui/element.js';
import { count, problemWords, size } from '../util/format.js';
import { all, focused, h } from '../ui/dom.js';
import { dialog } from '../ui/dialog.js';
import { findEntries } from './find_entries.js';
import { ALL_IN_USE, FIRST_CHOICE, MOST_TOKENIZERS } from './shared_settings.js';
import { tokenizerBadge } from '../ui/tokenizer_badge.js';

export class AddTokenizer extends LabElement {
  #dialog;
  #list = h('ul', { class: 'catalog' });
  #filter;
  #pattern;
  #patterns = h('datalist', { id: 'patterns' });
  #input;
  #problem = h('div', { class: 'dialog-problem', role: 'alert' });
  /** @type {{entries: Object[], chosen: string[], letterOf: (id: string) => string, busy: Set<string>}} */
  #shown = { entries: [], chosen: [], letterOf: () => '', busy: new Set() };

  render() {
    this.#filter = h('input', {
      type: 'search',
      placeholder: 'Find by name, family or publisher',
      ariaLabel: 'Find a tokenizer',
      oninput: () => this.#draw(),
    });
    this.#pattern = h('input', {
      id: 'pattern',
      type: 'text',
      placeholder: 'found by content',
      autocomplete: 'off',
      spellcheck: false,
    });
    this.#pattern.setAttribute('list', 'patterns');
    this.#input = h('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      'data-role': 'vocabulary-files',
      onchange: () => this.#files(),
    });
    const first = h(
      'button',
      { type: 'button', class: 'button framed', onclick: () => this.emit('preset', FIRST_CHOICE) },
      'BERT and GPT-2',
    );
    this.#dialog = dialog(
      { label: 'Add tokenizer', title: 'Tokenizers', class: 'add-dialog', end: [first] },
      this.#problem,
      this.#filter,
      this.#list,
      h(
        'div',
        { class: 'dialog-foot' },
        h(
          'button',
          { type: 'button', class: 'button framed', onclick: () => this.#input.click() },
          'Open vocabulary files…',
        ),
        this.#input,
        h('label', { for: 'pattern', class: 'dim' }, 'Split pattern of a rank file, a name or a regular expression'),
        this.#pattern,
        this.#patterns,
      ),
    );
    this.append(this.#dialog);
  }

  /**
   * @param {{entries: Object[], chosen: string[], letterOf: (id: string) => string, busy: Set<string>}} shown `busy`:
   *   being fetched
   */
  show(shown) {
    this.#shown = shown;
    this.#draw();
  }

  /** @param {{message: string, hint?: string}|null} error */
  set problem(error) {
    this.#problem.replaceChildren(
      ...(error ? [h('b', {}, error.message), h('div', { class: 'dim' }, error.hint ?? '')] : []),
    );
  }

  /** @param {string[]} names split patterns to choose from; any regular expression will do, too */
  set patterns(names) {
    this.#patterns.replaceChildren(...names.map(value => h('option', { value })));
  }

  open() {
    this.problem = null;
    this.#dialog.showModal();
    this.#filter.focus();
  }
  close() {
    this.#dialog.close();
  }

  #draw() {
    const row = /** @type {HTMLElement|null} */ (focused()?.closest('.catalog li'));
    const found = findEntries(this.#shown.entries, this.#filter.value);
    this.#list.replaceChildren(
      ...found.map(entry => this.#row(entry)),
      ...(found.length
        ? []
        : [
            h(
              'li',
              { class: 'dim' },
              'No tokenizer of that name. Open its files here, or fetch it from the Hub in the Library.',
            ),
          ]),
    );
    if (row && !this.contains(focused()))
      all(this.#list, `[data-tokenizer="${CSS.escape(row.dataset.tokenizer)}"] button`)[0]?.focus();
  }

  #row(entry) {
    const { chosen, letterOf, busy } = this.#shown;
    const used = chosen.includes(entry.id);
    const full = chosen.length >= MOST_TOKENIZERS;
    const facts = [
      entry.family,
      entry.vocab_size ? count(entry.vocab_size) : null,
      entry.source,
      entry.available ? null : size(entry.size_bytes),
      entry.licence,
    ]
      .filter(Boolean)
      .join(' · ');
    let action;
    if (entry.problem) action = null;
    else if (busy.has(entry.id)) action = h('span', { class: 'dim' }, 'Fetching…');
    else if (!entry.available)
      action = h(
        'button',
        { type: 'button', class: 'button framed', onclick: () => this.emit('fetch', entry.id) },
        'Download',
      );
    else if (used)
      action = h(
        'button',
        {
          type: 'button',
          class: 'button',
          disabled: chosen.length === 1,
          onclick: () => this.emit('remove', entry.id),
        },
        'Remove',
      );
    else
      action = h(
        'button',
        {
          type: 'button',
          class: 'button framed',
          disabled: full,
          title: full ? ALL_IN_USE : '',
          onclick: () => this.emit('use', entry.id),
        },
        'Add',
      );
    action?.setAttribute?.('aria-label', `${action.textContent} ${entry.name}`);
    return h(
      'li',
      { 'data-tokenizer': entry.id },
      used ? tokenizerBadge(letterOf(entry.id)) : h('span', { class: 'no-badge' }),
      h(
        'span',
        { class: 'catalog-words' },
        h('b', {}, entry.name),
        h('span', { class: 'dim' }, facts),
        entry.problem ? h('span', { class: 'warning' }, problemWords(entry.problem)) : null,
      ),
      action,
    );
  }

  #files() {
    const files = [...this.#input.files];
    this.#input.value = '';
    if (files.length) this.emit('files', { files, pattern: this.#pattern.value.trim() });
  }
}

customElements.define('add-tokenizer', AddTokenizer);
