/**
 * Library: every tokenizer the lab knows, where it comes from, what is inside, and how to bring one in or take one out.
 */
import * as probes from '../../api/probes.js';
import { showMissing } from '../../app/state/address.js';
import { Screen } from '../../app/screen.js';
import { fetchProblem } from '../../app/tokenizers/fetch_problem.js';
import { findEntries } from '../../app/tokenizers/find_entries.js';
import { isAway } from '../../app/tokenizers/tokenizer_groups.js';
import { actionButton, h, listen } from '../../ui/dom.js';
import { count, plural } from '../../util/format.js';
import { ComposeForm } from './compose_form.js';
import { Composer } from './composer.js';
import { ConformanceCheck } from './conformance_check.js';
import { ALL, paramsOf, pressed, sorted, stateOf } from './library_state.js';
import { TokenizerTable } from './tokenizer_table.js';

export default class LibraryScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #state = ALL;
  #table = new TokenizerTable();
  #none = h(
    'p',
    { class: 'dim library-none', hidden: true },
    'No tokenizer matches. “Add tokenizer” brings others in.',
  );
  #filter = h('input', {
    type: 'search',
    placeholder: 'Find by name, family or publisher',
    'aria-label': 'Find in the Library',
    oninput: () => this.#change({ ...this.#state, q: this.#filter.value }),
    onkeydown: event => {
      if (event.key === 'ArrowDown' || event.key === 'Enter') this.#table.focusRows();
    },
  });
  #form = h(new ComposeForm(), { hidden: true });
  /** @type {Composer} */
  #composer;
  /** Why a download failed, by id. @type {Map<string, Error & {hint?: string, code?: string}>} */
  #failures = new Map();
  /**
   * What is shown of each failure: a token that is being typed there outlives every redraw.
   * @type {WeakMap<Error, HTMLElement>}
   */
  #problems = new WeakMap();

  /** By id of the tokenizer. @type {Map<string, ConformanceCheck>} */
  #checks = new Map();

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    const { catalog, settings, dialog, activity, status } = context;
    this.#composer = new Composer(this.#form, context);
    const compose = actionButton('Compose a tokenizer…', () => this.#toggleForm(compose), { 'aria-expanded': 'false' });
    const add = actionButton('Add tokenizer', () => dialog.open(), { class: 'button primary' });
    root.append(
      h(
        'div',
        { class: 'library' },
        h('div', { class: 'tools' }, h('h1', {}, 'Library'), this.#filter, h('span', { class: 'grow' }), compose, add),
        this.#form,
        h('div', { class: 'shelves' }, this.#table, this.#none),
      ),
    );
    listen(this.#table, 'sort', column => this.#change(pressed(this.#state, column)));
    listen(this.#table, 'open', id => this.#change({ ...this.#state, open: id }));
    listen(this.#table, 'use', id => catalog.add(id));
    listen(this.#table, 'stopusing', id => catalog.remove(id));
    listen(this.#table, 'download', id => this.#download(id));
    listen(this.#table, 'delete', id => dialog.delete(id));
    listen(this.#table, 'renametokenizer', ({ id, name }) =>
      activity.track(catalog.rename(id, name).catch(error => status.showError(error))),
    );
    catalog.addEventListener('change', () => this.#redraw(), { signal: this.life });
    settings.on(['chosen'], () => this.#redraw(), this.life);
  }

  /** @param {URLSearchParams} params */
  activate(params) {
    this.#isActive = true;
    const state = stateOf(params);
    const isAnother = paramsOf(state).toString() !== paramsOf(this.#state).toString();
    this.#state = state;
    if (isAnother && state.open && !this.#context.catalog.entry(state.open)) showMissing(this.#context, [state.open]);
    this.#filter.value = this.#state.q;
    this.#draw();
  }
  deactivate() {
    this.#isActive = false;
  }
  destroy() {
    super.destroy();
    this.#composer.stop();
  }

  get focusName() {
    return 'the search';
  }

  focusText() {
    this.#filter.focus();
  }

  get commands() {
    return [
      { label: 'Search the Library', keys: ['/'], run: () => this.focusText() },
      { label: 'Open tokenizer files', also: 'add tokenizer', run: () => this.#context.dialog.openFiles() },
    ];
  }

  /** What is being put together is kept. */
  get holdsInput() {
    return !this.#form.hidden;
  }

  /** @param {import('./library_state.js').LibraryState} state */
  #change(state) {
    this.#state = state;
    this.#draw();
    this.#context.router.replace('library', paramsOf(state));
  }

  #redraw() {
    if (this.#isActive) this.#draw();
  }

  #draw() {
    const { catalog, status } = this.#context;
    const { entries, chosen } = catalog;
    const found = sorted(findEntries(entries, this.#state.q), this.#state, chosen);
    this.#none.hidden = found.length > 0;
    this.#table.show({
      entries: found,
      state: this.#state,
      chosen,
      letterOf: id => catalog.letterOf(id),
      isFull: catalog.isFull,
      fetching: catalog.fetching,
      failureOf: id => this.#failureOf(id),
      checkOf: id => this.#checkOf(id),
    });
    status.note(
      `${plural(entries.filter(entry => entry.available).length, 'tokenizer')} installed, ` +
        `${count(entries.filter(isAway).length)} available to download`,
    );
  }

  /** Downloads a tokenizer; what goes wrong is shown in its row. @param {string} id @param {string} [token] */
  async #download(id, token) {
    this.#failures.delete(id);
    try {
      await this.#context.catalog.fetch(id, token);
    } catch (error) {
      this.#failures.set(id, /** @type {Error} */ (error));
      this.#state = { ...this.#state, open: id };
      this.#redraw();
      if (this.#isActive) this.#context.router.replace('library', paramsOf(this.#state));
    }
  }

  /** @param {string} id */
  #checkOf(id) {
    const check = this.#checks.get(id) ?? new ConformanceCheck(id, probes, this.#context.jobs);
    this.#checks.set(id, check);
    return check;
  }

  /** @param {string} id @returns {HTMLElement|null} */
  #failureOf(id) {
    const error = this.#failures.get(id);
    if (!error) return null;
    if (!this.#problems.has(error)) {
      const message = fetchProblem(error, {
        openFiles: () => this.#context.dialog.openFiles(),
        useToken: token => this.#download(id, token),
      });
      this.#problems.set(error, h('div', { class: 'dialog-problem', role: 'alert' }, ...message));
    }
    return this.#problems.get(error) ?? null;
  }

  /** @param {HTMLElement} button */
  #toggleForm(button) {
    this.#form.hidden = !this.#form.hidden;
    button.ariaExpanded = String(!this.#form.hidden);
    if (!this.#form.hidden) this.#composer.start();
  }
}
