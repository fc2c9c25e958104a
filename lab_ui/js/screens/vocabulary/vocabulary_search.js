/**
 * The row that searches a vocabulary: what to look for and how, what was found, saving it. Gets `query`, `found` and
 * `invalid`; reports `searchchange` (detail: changes of the query), `clear`, `rows` (the keyboard goes on in the list;
 * detail: a text to search for first, or null) and `save` (detail: a format).
 */
import { LabElement } from '../../ui/element.js';
import { h, listen, setText } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { isNarrow } from '../../api/vocabulary_query.js';

export const MODES = [
  { value: 'text', label: 'text' },
  { value: 'regex', label: 'regex' },
  { value: 'hex', label: 'hex' },
  { value: 'ids', label: 'ID range' },
];
const HINTS = { text: 'Search', regex: '^ ?[A-Z]+$', hex: 'e6 97 a5', ids: '1000-1999' };
const TYPING_MS = 120;

export class VocabularySearch extends LabElement {
  /** @type {HTMLInputElement} */
  #field;
  #modes = h(new SegmentedControl(), { ariaLabel: 'Search for' });
  #case = new ToggleSwitch();
  #found = h('span', { class: 'number dim found', 'data-role': 'found' });
  /** @type {HTMLButtonElement} */
  #clear;
  #typing = 0;
  /** The text that is searched. */
  #asked = '';

  render() {
    this.#field = h('input', {
      type: 'search',
      class: 'search-field mono',
      'aria-label': 'Search the vocabulary',
      'data-role': 'vocabulary-search',
      spellcheck: false,
      autocomplete: 'off',
      oninput: () => this.#onType(),
      onkeydown: event => this.#onKey(event),
    });
    /** @param {string} label @param {Object<string, unknown>} properties */
    const button = (label, properties) => h('button', { type: 'button', class: 'button', ...properties }, label);
    this.#clear = button('Clear', { hidden: true, onclick: () => this.#onClear() });
    /** @param {'csv'|'json'} format */
    const file = format =>
      button(format.toUpperCase(), {
        'data-role': `export-${format}`,
        title: `Save what is found as ${format.toUpperCase()}`,
        onclick: () => this.emit('save', format),
      });
    this.classList.add('tools');
    this.append(
      h('h1', { class: 'visually-hidden' }, 'Vocabulary'),
      this.#field,
      this.#modes,
      this.#found,
      this.#clear,
      h('span', { class: 'grow' }),
      this.#case,
      h(
        'span',
        { class: 'export', role: 'group', 'aria-label': 'Export' },
        h('span', { class: 'dim' }, 'Export'),
        file('csv'),
        file('json'),
      ),
    );
    this.#modes.options = MODES;
    this.#case.label = 'Ignore case';
    listen(this.#modes, 'valuechange', mode => this.emit('searchchange', { mode }));
    listen(this.#case, 'valuechange', ignoreCase => this.emit('searchchange', { ignoreCase }));
  }

  /** @param {import('../../api/vocabulary_query.js').VocabularyQuery} query */
  set query(query) {
    const { q, mode, ignoreCase } = query;
    // What is being typed is newer than what is found; a search from elsewhere takes its place.
    if (q !== this.#asked) this.#write(q);
    this.#field.placeholder = HINTS[mode];
    this.#modes.value = mode;
    this.#case.checked = ignoreCase;
    this.#clear.hidden = !isNarrow(query);
  }

  /** @param {string} text how many tokens were found */
  set found(text) {
    setText(this.#found, text);
  }

  /** @param {boolean} isInvalid whether the search could not be made */
  set invalid(isInvalid) {
    if (isInvalid) this.#field.setAttribute('aria-invalid', 'true');
    else this.#field.removeAttribute('aria-invalid');
  }

  focusField() {
    this.#field.focus();
    this.#field.select();
  }

  /** Another screen is shown: what was typed last is not searched. */
  stop() {
    clearTimeout(this.#typing);
  }

  /** @param {string} q */
  #write(q) {
    clearTimeout(this.#typing);
    this.#asked = q;
    this.#field.value = q;
  }

  #onType() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.emit('searchchange', { q: this.#take() }), TYPING_MS);
  }

  /** @returns {string} what is typed, which is searched now */
  #take() {
    this.#asked = this.#field.value;
    return this.#asked;
  }

  #onClear() {
    this.#write('');
    this.emit('clear');
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    clearTimeout(this.#typing);
    this.emit('rows', this.#field.value === this.#asked ? null : this.#take());
  }
}

customElements.define('vocabulary-search', VocabularySearch);
