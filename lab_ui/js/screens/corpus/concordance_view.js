/**
 * Every occurrence of a token or a word of the corpus in context. Gets `show`; reports `findtoken` (detail: an id),
 * `findword` (detail: the word) and `openentry` (detail: an id).
 */
import { actionButton, h, listen, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { labelNodes, tokenButton } from '../../ui/tokens/token_label.js';
import { count } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { occurrenceLine, segmentationTable } from './concordance_lines.js';
import { ConcordanceSearch, foundWords } from './concordance_search.js';
import { Seen } from '../../util/seen.js';

const CHOICES = 12;
const KINDS = [
  { value: 'token', label: 'Token' },
  { value: 'word', label: 'Word' },
];
const PLACEHOLDERS = { token: 'Find a token of the analysis', word: 'A word, as it is written in the text' };

/** @typedef {import('../../api/schema.d.ts').FrequencyRow} FrequencyRow */

export class ConcordanceView extends LabElement {
  #search = new ConcordanceSearch();
  #choosing = new Latest();
  /** Settles when the tokens that have what is typed are offered. */
  #offering = Promise.resolve();
  /** @type {(error: Error) => void} */
  #fail = () => {};
  /** @type {(work: Promise<any>) => Promise<any>} */
  #track = work => work;
  /** @type {import('./corpus_state.js').Shown|null} */
  #shown = null;
  /** What is searched for, so that it is not searched for again. */
  #asked = new Seen();
  /** The last search failed; only the reader begins it again. */
  #hasFailed = false;
  #kind = new SegmentedControl();
  #field = h('input', {
    type: 'search',
    class: 'search-field mono',
    'data-role': 'concordance-search',
    oninput: () => this.#kind.value === 'token' && this.#offer(),
  });
  #choices = h('div', { class: 'token-chips kwic-choices', role: 'group', 'aria-label': 'Tokens of the corpus' });
  #head = h('div', { class: 'kwic-head' });
  #words = h('span', { class: 'dim', role: 'status', 'data-role': 'concordance-found' });
  #segmentations = h('div', { class: 'view-table kwic-segmentations', tabIndex: 0, role: 'region' });
  /** Above the lines; each line says the same to a screen reader. */
  #columns = h(
    'div',
    { class: 'kwic-line kwic-columns', hidden: true, ariaHidden: 'true' },
    ...['document', 'language', 'text around it'].map(name => h('span', {}, name)),
  );
  #lines = h('ol', { class: 'kwic mono', 'data-role': 'concordance-lines' });
  #more = actionButton('Show more', () => this.#goOn(), { 'data-role': 'concordance-more' });
  /** How many lines are drawn. */
  #drawn = 0;

  /**
   * @param {{fail: (error: Error) => void, track: (work: Promise<any>) => Promise<any>}} options
   * @param {HTMLElement} lead a control before the search
   */
  start({ fail, track }, lead) {
    this.#fail = fail;
    this.#track = track;
    this.#kind.ariaLabel = 'What to find';
    this.#kind.options = KINDS;
    listen(this.#kind, 'valuechange', () => this.#drawKind());
    this.#segmentations.ariaLabel = 'Segmentations';
    const form = h(
      'form',
      {
        class: 'frequency-tools',
        role: 'search',
        onsubmit: event => {
          event.preventDefault();
          this.#submit();
        },
      },
      lead,
      this.#kind,
      this.#field,
      h('button', { type: 'submit', class: 'button framed' }, 'Find'),
    );
    this.append(
      form,
      this.#choices,
      this.#head,
      this.#segmentations,
      this.#columns,
      this.#lines,
      h('div', { class: 'frequency-tools kwic-foot' }, this.#more),
    );
    this.addEventListener('opentoken', event => {
      if (this.#hasFailed) this.clear();
      this.emit('findtoken', /** @type {CustomEvent} */ (event).detail);
    });
    listen(this.#search, 'change', () => this.#draw());
  }

  focusField() {
    this.#field.focus();
  }

  /** Ends a search; it begins anew when the view is shown again. */
  stop() {
    this.#choosing.stop();
    if (this.#search.isBusy) this.clear();
    this.#search.stop();
  }

  /** Nothing was searched for. */
  clear() {
    this.#asked.forget();
  }

  /** @param {import('./corpus_state.js').Shown} shown `state.id` or `state.word` is what to find */
  show(shown) {
    this.#shown = shown;
    const { analysis, chosen, state } = shown;
    const query = state.word ? { word: state.word } : state.id === null ? null : { id: state.id };
    const wanted = query && { tokenizer: chosen.tokenizer, corpus: analysis.corpus.id, ...query };
    if (this.#asked.again([wanted, analysis.id, chosen.tokenizer])) return;
    this.#hasFailed = false;
    this.#kind.value = state.word ? 'word' : state.id === null ? (this.#kind.value ?? 'token') : 'token';
    if (state.word) this.#field.value = state.word;
    this.dataset.letter = shown.tokenizers.find(({ id }) => id === chosen.tokenizer)?.letter ?? 'A';
    this.#drawKind();
    this.#track(
      this.#search.start(wanted).catch(error => {
        this.#hasFailed = true;
        this.#draw();
        this.#fail(error);
      }),
    );
  }

  #drawKind() {
    const kind = this.#kind.value === 'word' ? 'word' : 'token';
    this.#field.placeholder = PLACEHOLDERS[kind];
    this.#field.ariaLabel = kind === 'word' ? 'A word of the corpus' : 'Find a token by its text';
    this.#choices.hidden = kind === 'word';
    if (kind === 'token') this.#offer();
  }

  /** The most frequent tokens that have what is typed. */
  #offer() {
    const { rows } = this.#shown ?? {};
    if (!rows) return;
    const typed = this.#field.value;
    const read = this.#choosing.run(() => rows(0, CHOICES, typed));
    this.#offering = this.#track(read.then(found => found && this.#drawChoices(found.rows), this.#fail));
  }

  /** @param {FrequencyRow[]} rows */
  #drawChoices(rows) {
    const buttons = rows.map(row => {
      const button = tokenButton(row);
      button.title = `${count(row.count)} in the analysis`;
      button.ariaPressed = String(row.id === this.#search.found?.id);
      return button;
    });
    this.#choices.replaceChildren(
      ...(buttons.length ? buttons : [h('span', { class: 'dim' }, 'No token of the analysis has this text.')]),
    );
  }

  async #submit() {
    const typed = this.#field.value;
    if (this.#kind.value === 'word') {
      if (this.#hasFailed) this.clear();
      if (typed.trim()) this.emit('findword', typed.trim());
      return;
    }
    // The choices may still be those of what was typed before.
    await this.#offering;
    if (this.#field.value === typed)
      /** @type {HTMLButtonElement|null} */ (this.#choices.querySelector('button'))?.click();
  }

  #goOn() {
    this.#track(this.#search.more().catch(this.#fail));
  }

  #draw() {
    const { found, occurrences, next, isBusy, segmentations } = this.#search;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.#choices.querySelectorAll('button')))
      button.ariaPressed = String(found !== null && button.dataset.id === String(found.id));
    this.#more.hidden = next === null;
    this.#more.disabled = isBusy;
    setText(this.#more, occurrences.length ? 'Show more' : 'Continue the search');
    this.#drawHead();
    const name = this.#shown?.tokenizers.find(({ id }) => id === this.#shown?.chosen.tokenizer)?.name ?? '';
    this.#segmentations.hidden = !segmentations?.occurrences;
    this.#segmentations.replaceChildren(
      ...(segmentations?.occurrences ? [segmentationTable(segmentations, found?.text ?? '', name)] : []),
    );
    if (occurrences.length < this.#drawn || !found) {
      this.#lines.replaceChildren();
      this.#drawn = 0;
    }
    if (found) this.#lines.append(...occurrences.slice(this.#drawn).map(one => occurrenceLine(one, found.bytes)));
    this.#drawn = occurrences.length;
    this.#columns.hidden = !occurrences.length;
  }

  #drawHead() {
    const { found, isBusy } = this.#search;
    setText(this.#words, this.#message());
    const open = actionButton('Open in Vocabulary', () => this.emit('openentry', found?.id), {
      'data-role': 'concordance-entry',
    });
    this.#head.replaceChildren(
      ...(found && !isBusy
        ? [
            h('bdi', { dir: 'ltr', class: 'mono kwic-name' }, ...labelNodes(found)),
            ...(found.id === null ? [] : [h('span', { class: 'number faint' }, String(found.id))]),
          ]
        : []),
      this.#words,
      ...(found && found.id !== null ? [open] : []),
    );
  }

  #message() {
    const { found, isBusy } = this.#search;
    if (isBusy) return 'Searching the corpus…';
    if (this.#hasFailed) return 'The search failed.';
    if (!found || !this.#shown)
      return 'Choose a token above, under Frequencies or in the list on the right, or find a word.';
    const { analysis, chosen } = this.#shown;
    const isWhole = analysis.corpus.sampled === null;
    const row = found.id === null || !isWhole ? null : chosen.frequencies.find(({ id }) => id === found.id);
    const sampled = isWhole ? '' : '. The analysis counted a sample; this searches the whole corpus';
    return foundWords(this.#search, row?.count ?? null) + sampled;
  }
}

customElements.define('concordance-view', ConcordanceView);
