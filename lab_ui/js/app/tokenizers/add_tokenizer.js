/**
 * The dialog that brings a tokenizer in: one of the catalog, one of the Hugging Face Hub, or files of this machine.
 * ARIA pattern: modal dialog with a combobox over a list box; the focus stays in the field.
 *
 * Gets `show`, `jobs`, `problem` and `patterns`; reports `use` and `fetch` (detail: id), `hub` (detail: a reference),
 * `files` (detail: `{files, pattern}`), `token` (detail: a token of the Hub, to try again with), `stop` (detail: the
 * id of a job), and `useset`, `saveset` and `deleteset` (detail: the name of a set).
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, all, closest, h, listen, setText, update } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { dialog } from '../../ui/dialog.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { problemWords } from '../../util/format.js';
import { fetchProblem } from './fetch_problem.js';
import { findEntries } from './find_entries.js';
import { JobTray } from '../frame/job_tray.js';
import { PatternForm } from './pattern_form.js';
import { ALL_IN_USE, MOST_TOKENIZERS } from '../state/shared_settings.js';
import { entryWords, grouped, isHere, repositoryIn } from './tokenizer_groups.js';
import { TokenizerSets } from './tokenizer_sets.js';

const PAGE = 8;
const HUB = 'hub';
/** @type {Object<string, number|undefined>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/**
 * @typedef {{entries: import('../../api/schema.d.ts').CatalogEntry[], chosen: string[], letterOf: (id: string) =>
 *   string, busy: Set<string>, sets: import('./tokenizer_sets.js').Sets}} Shown `busy`: ids and references that are
 *   being fetched
 */
export class AddTokenizer extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  /** @type {HTMLInputElement} */
  #field;
  #list = h('div', { class: 'catalog', role: 'listbox', id: 'add-list', 'aria-label': 'Tokenizers' });
  #none = h('p', { class: 'dim catalog-none', hidden: true, 'data-role': 'add-none' });
  #problem = h('div', { class: 'dialog-problem', role: 'alert', 'data-role': 'add-problem' });
  #jobs = new JobTray();
  #pattern = new PatternForm();
  #sets = new TokenizerSets();
  /** @type {HTMLInputElement} */
  #input;
  /** @type {Shown} */
  #shown = { entries: [], chosen: [], letterOf: () => '', busy: new Set(), sets: {} };
  /** Key of the highlighted row. @type {string|null} */
  #at = null;
  #onlyHere = false;
  #isTokenTried = false;

  render() {
    this.#field = h('input', {
      type: 'text',
      role: 'combobox',
      placeholder: 'Name or family, or OWNER/NAME of the Hugging Face Hub',
      autocomplete: 'off',
      spellcheck: false,
      'aria-label': 'Find a tokenizer',
      'aria-controls': 'add-list',
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      'data-role': 'add-field',
      oninput: () => this.#find(),
      onkeydown: event => this.#onKey(event),
    });
    const take = (/** @type {File[]} */ files) => this.emit('files', { files, pattern: '' });
    this.#input = fileChooser('vocabulary-files', take, { multiple: true });
    this.#list.addEventListener('click', event => this.#run(closest(event, '[role=option]')?.dataset.key));
    listen(this.#jobs, 'stop', id => this.emit('stop', id));
    listen(this.#pattern, 'files', detail => this.emit('files', detail));
    for (const type of ['useset', 'saveset', 'deleteset']) listen(this.#sets, type, name => this.emit(type, name));
    this.#dialog = dialog(
      { label: 'Add tokenizer', class: 'add-dialog' },
      this.#field,
      this.#jobs,
      this.#problem,
      this.#pattern,
      this.#list,
      this.#none,
      this.#sets,
      h(
        'div',
        { class: 'dialog-foot' },
        actionButton('Open tokenizer files…', () => this.openFiles()),
        h('span', { class: 'grow' }),
        h('span', { class: 'faint' }, '↑ ↓ to choose, Enter to add'),
      ),
    );
    this.append(this.#dialog, this.#input);
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    if (this.isOpen) this.#draw();
  }

  /** @param {import('../state/job_store.js').ShownJob[]} jobs that are running */
  set jobs(jobs) {
    this.#jobs.jobs = jobs;
  }

  /** @param {(Error & {hint?: string|null, code?: string})|null} error */
  set problem(error) {
    // Without the Hub, only what is on this machine can be added.
    const isOffline = error?.code === 'unavailable';
    const actions = {
      openFiles: () => this.openFiles(),
      useToken: (/** @type {string} */ token) => this.#useToken(token),
    };
    const rest = isOffline ? [h('div', {}, 'These can be used now:')] : [];
    this.#problem.replaceChildren(...(error ? [...fetchProblem(error, actions), ...rest] : []));
    this.#onlyHere = isOffline;
    if (this.isOpen) this.#draw();
    if (error && this.#isTokenTried) {
      this.#isTokenTried = false;
      all(this.#problem, '[data-role=hub-token]')[0]?.focus();
    }
  }

  /** The form goes while the token is tried, and comes back with the focus if it is refused. @param {string} token */
  #useToken(token) {
    this.#field.focus();
    this.emit('token', token);
    this.#isTokenTried = true;
  }

  /** @param {string[]} names split patterns to choose from */
  set patterns(names) {
    this.#pattern.patterns = names;
  }

  get isOpen() {
    return Boolean(this.#dialog?.open);
  }

  /** @param {string} [query] to search for */
  open(query = '') {
    this.#isTokenTried = false;
    this.problem = null;
    this.#pattern.files = null;
    this.#field.value = query;
    if (!this.isOpen) this.#dialog.showModal();
    this.#find();
    this.#field.focus();
  }

  close() {
    this.#dialog.close();
  }

  /** Lets the user choose files with the system's own dialog. */
  openFiles() {
    this.#input.click();
  }

  /** Asks how to split text with these files. @param {File[]} files one rank file */
  askPattern(files) {
    if (!this.isOpen) this.open();
    this.#pattern.files = files;
  }

  /** The repository of the Hub that is typed, unless it is here. */
  get #repository() {
    const reference = repositoryIn(this.#field.value);
    return reference && !isHere(this.#shown.entries, reference) ? reference : null;
  }

  #find() {
    this.#onlyHere = false;
    this.#at = null;
    this.#draw();
  }

  #draw() {
    const found = findEntries(this.#shown.entries, this.#onlyHere ? '' : this.#field.value);
    const groups = grouped(found).filter(({ name }) => !this.#onlyHere || name !== 'away');
    const reference = this.#repository;
    update(
      this.#list,
      [...(reference ? [{ name: HUB, label: '', entries: [] }] : []), ...groups],
      ({ name }) => name,
      ({ name, label }) => (name === HUB ? this.#hubRow() : groupElement(name, label)),
      (element, { name, entries }) => {
        if (name === HUB) this.#writeHub(element, reference ?? '');
        else
          update(
            /** @type {HTMLElement} */ (element.lastElementChild),
            entries,
            ({ id }) => id,
            () => option(),
            (row, entry) => this.#write(row, entry),
          );
      },
    );
    const { entries, chosen, sets } = this.#shown;
    this.#sets.show({ sets, chosen, nameOf: id => entries.find(entry => entry.id === id)?.name ?? id });
    this.#none.hidden = Boolean(reference || groups.length);
    setText(
      this.#none,
      'No tokenizer matches. Type OWNER/NAME to fetch one from the Hugging Face Hub, or open its files.',
    );
    const isThere = this.#at !== null && this.#rows.some(row => row.dataset.key === this.#at);
    this.#choose(isThere ? this.#at : this.#best()?.dataset.key);
  }

  get #rows() {
    return all(this.#list, '[role=option]');
  }

  /** The row that Enter takes at first: one that adds something. */
  #best() {
    return this.#rows.find(row => row.dataset.action === 'Add' || row.dataset.key === HUB) ?? this.#rows[0];
  }

  #hubRow() {
    return option();
  }

  /** @param {HTMLElement} row @param {string} reference */
  #writeHub(row, reference) {
    const busy = this.#shown.busy.has(reference);
    write(row, {
      badge: h('span', { class: 'no-badge' }),
      name: `Fetch ${reference} from the Hub`,
      facts: 'The tokenizer’s files alone, checked against their digests',
      action: busy ? 'Fetching…' : 'Fetch',
      isDisabled: busy,
    });
  }

  /** @param {HTMLElement} row @param {import('../../api/schema.d.ts').CatalogEntry} entry */
  #write(row, entry) {
    const { chosen, letterOf, busy } = this.#shown;
    const isUsed = chosen.includes(entry.id);
    const isFull = !isUsed && chosen.length >= MOST_TOKENIZERS;
    const action = busy.has(entry.id)
      ? 'Fetching…'
      : entry.problem
        ? ''
        : isUsed
          ? 'In use'
          : entry.available
            ? 'Add'
            : 'Download';
    row.dataset.tokenizer = entry.id;
    write(row, {
      badge: isUsed ? tokenizerBadge(letterOf(entry.id)) : h('span', { class: 'no-badge' }),
      name: entry.name,
      facts: entry.problem ? problemWords(entry.problem) : entryWords(entry),
      action,
      isDisabled: isFull || !action || busy.has(entry.id),
      title: isFull ? ALL_IN_USE : '',
    });
  }

  /** @param {string|null|undefined} key of a row */
  #choose(key) {
    this.#at = key ?? null;
    this.#rows.forEach((row, n) => {
      const isChosen = row.dataset.key === this.#at;
      row.id = `add-option-${n}`;
      row.ariaSelected = String(isChosen);
      if (!isChosen) return;
      this.#field.setAttribute('aria-activedescendant', row.id);
      row.scrollIntoView({ block: 'nearest' });
    });
    if (this.#at === null) this.#field.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#run(this.#at);
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = this.#rows;
    const at = rows.findIndex(row => row.dataset.key === this.#at);
    this.#choose(rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.dataset.key);
  }

  /** @param {string|null|undefined} key */
  #run(key) {
    const row = this.#rows.find(one => one.dataset.key === key);
    if (!key || !row || row.ariaDisabled === 'true') return;
    this.#choose(key);
    if (key === HUB) this.emit('hub', this.#repository);
    else this.emit(row.dataset.action === 'Download' ? 'fetch' : 'use', key);
  }
}

/** @param {string} name @param {string} label */
function groupElement(name, label) {
  const id = `add-group-${name}`;
  return h(
    'div',
    { role: 'group', 'aria-labelledby': id, 'data-group': name },
    h('div', { class: 'catalog-title', id, role: 'presentation' }, label),
    h('div', { role: 'presentation' }),
  );
}

/** The spaces part the words of its name, which is read from its content. */
const option = () =>
  h(
    'div',
    { role: 'option', class: 'catalog-row' },
    h('span'),
    h('span', { class: 'catalog-words' }, h('b'), ' ', h('span', { class: 'dim' })),
    ' ',
    h('span', { class: 'catalog-action' }),
  );

/**
 * @param {HTMLElement} row
 * @param {{badge: Node, name: string, facts: string, action: string, isDisabled: boolean, title?: string}} shown
 */
function write(row, { badge, name, facts, action, isDisabled, title = '' }) {
  const [slot, text, verb] = row.children;
  slot.replaceChildren(badge);
  setText(text.firstElementChild, name);
  setText(text.lastElementChild, facts);
  setText(verb, action);
  row.dataset.action = action;
  row.title = title;
  row.ariaDisabled = String(isDisabled);
}

customElements.define('add-tokenizer', AddTokenizer);
