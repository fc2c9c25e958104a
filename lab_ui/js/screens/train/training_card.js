/**
 * The training that is shown, in the panel: its text, its options, time and memory, what came of it. Gets `show`;
 * reports `opentokenizer`, `comparetokenizer` (detail: id of the other, null: all in use), `savetokenizer` and
 * `savereport` (detail: a format).
 */
import { isLive } from '../../app/training_states.js';
import { drawnOnce, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { count, durationOfSeconds, plural, size } from '../../util/format.js';
import { compareWords, corpusWords, optionRows, readWords } from './train_words.js';
import { Seen } from '../../util/seen.js';
import { MenuButton } from '../../ui/menu_button.js';
import { facts } from '../../ui/facts.js';
import { table } from '../../ui/table.js';

const MOST_FILES = 8;
/** To be compared with all tokenizers in use: no id of a tokenizer. */
const ALL = 'all';
/** @type {Object<string, string|undefined>} */
const LABELS = { tiktoken: 'Rank file (.tiktoken)', sentencepiece: 'SentencePiece (.model)' };
/** What is offered before the lab has tried all formats. */
const SURE = [{ format: 'tokenizer.json', title: 'tokenizer.json', problem: null }];
const REPORTS = [
  { value: 'html', label: 'Report (HTML)' },
  { value: 'md', label: 'Report (Markdown)' },
  { value: 'tex', label: 'Tables (LaTeX)' },
  { value: 'csv', label: 'All steps (CSV)' },
  { value: 'json', label: 'Everything (JSON)' },
];
const LISTED = 100; // files that the backend lists at most

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/schema.d.ts').TrainingReference} CurveReference
 * @typedef {{id: string, name: string}} Other a tokenizer to compare with
 */

export class TrainingCard extends LabElement {
  #name = h('p', { class: 'train-name', 'data-role': 'train-name-shown' });
  #bytes = h('span', { class: 'number' });
  #files = h('ul', { class: 'train-files' });
  #readNote = h('p', { class: 'faint' });
  #options = h('div', {});
  #locked = h('p', { class: 'faint' }, 'Settings are locked while training runs.');
  #costs = h('div', { class: 'train-costs' });
  #result = h('section', { class: 'panel-part train-result', 'aria-label': 'Result' });
  #resultTitle = h('h3', {});
  #words = h('p', { 'data-role': 'train-result' });
  #open = h('button', {
    type: 'button',
    class: 'button primary',
    'data-role': 'open-tokenizer',
    onclick: () => this.emit('opentokenizer'),
  });
  #compare = h(new MenuButton(), { label: 'Compare with…', hook: 'compare-tokenizer' });
  save = h(new MenuButton(), { label: 'Save as…', hook: 'save-tokenizer' });
  #note = h('p', { class: 'faint' }, 'Training goes on. Inspect opens a copy of the current state.');
  #plan = new Seen();

  render() {
    this.#result.append(
      this.#resultTitle,
      this.#words,
      h('div', { class: 'train-after' }, this.#open, this.#compare, this.save),
      this.#note,
    );
    this.append(
      this.#name,
      h('section', { class: 'panel-part' }, h('h3', {}, 'Time and peak memory'), this.#costs),
      h(
        'section',
        { class: 'panel-part' },
        h('div', { class: 'train-part-head' }, h('h3', {}, 'Corpus'), this.#bytes),
        this.#files,
        this.#readNote,
      ),
      h('section', { class: 'panel-part' }, h('h3', {}, 'Algorithm'), this.#options, this.#locked),
      this.#result,
    );
    this.#offerFormats(null);
    this.save.offer('Report', REPORTS, { hook: 'report', choose: format => this.emit('savereport', format) });
  }

  /**
   * @param {Training} training @param {CurveReference[]} references
   * @param {{active: string|null, others: Other[], nameOf: (id: string) => string, isActing: boolean,
   *   formats: import('../../api/schema.d.ts').TrainingFormat[]|null}} lab `active`: the tokenizer to compare with;
   *   `formats`: null before they are known
   */
  show(training, references, { active, others, nameOf, isActing, formats }) {
    const { vocab_size: vocab, state } = training;
    const live = isLive(training);
    setText(this.#name, training.name);
    this.#name.title = training.name;
    this.#drawPlan(training);
    this.#locked.hidden = !live;
    this.#drawCosts(training);
    const isThere = Boolean(vocab) && state !== 'failed';
    this.#result.hidden = !isThere;
    if (!isThere) return;
    setText(this.#resultTitle, live ? 'Result so far' : 'Result');
    setText(this.#words, compareWords(training, references, active, nameOf));
    this.#words.hidden = !this.#words.textContent;
    setText(this.#open, `Open in Inspect (${plural(vocab ?? 0, 'token')})`);
    this.#open.disabled = isActing;
    this.#note.hidden = !live;
    this.#compare.offer(
      'Compare with',
      [{ value: ALL, label: 'All tokenizers in use' }, ...others.map(one => ({ value: one.id, label: one.name }))],
      { hook: 'compare', choose: other => this.emit('comparetokenizer', other === ALL ? null : other) },
    );
    this.#offerFormats(formats);
  }

  /** @param {import('../../api/schema.d.ts').TrainingFormat[]|null} formats null: not known yet */
  #offerFormats(formats) {
    const offers = (formats ?? SURE).map(({ format, title, problem }) => ({
      value: format,
      label: problem === null ? (LABELS[format] ?? title) : title,
      problem,
    }));
    this.save.offer(
      'Tokenizer',
      offers.toSorted((a, b) => Number(a.problem !== null) - Number(b.problem !== null)),
      { hook: 'save', choose: format => this.emit('savetokenizer', format) },
    );
  }

  /** Text and options do not change after the start. @param {Training} training */
  #drawPlan({ id, corpus, options }) {
    if (this.#plan.again([id, corpus, options])) return;
    setText(this.#bytes, corpusWords(corpus));
    const more = corpus.files.length - MOST_FILES;
    this.#files.replaceChildren(
      ...corpus.files
        .filter(file => !file.held_out)
        .slice(0, MOST_FILES)
        .map(fileNode),
      more > 0
        ? h('li', { class: 'faint' }, more + MOST_FILES < LISTED ? `and ${count(more)} more` : 'and others')
        : '',
      ...corpus.files.filter(file => file.held_out).map(fileNode),
    );
    setText(this.#readNote, readWords(corpus));
    this.#readNote.hidden = !this.#readNote.textContent;
    this.#options.replaceChildren(facts(optionRows(options)));
  }

  /** @param {Training} training */
  #drawCosts(training) {
    const { estimate, elapsed_s: elapsed, memory_bytes: memory } = training;
    /** @param {any[]} cells the estimate, if one was made, and what was found */
    const cellsOf = ([estimated, found]) => (estimate ? [estimated, found] : [found]);
    const of = cellsOf([
      { label: 'estimate', className: 'number dim' },
      { label: isLive(training) ? 'so far' : 'in all', className: 'number found' },
    ]);
    const rows = [
      ['Time', ...cellsOf([durationOfSeconds(estimate?.seconds), durationOfSeconds(elapsed)])],
      ['Memory', ...cellsOf([size(estimate?.memory_bytes), size(memory)])],
    ];
    drawnOnce(this.#costs, [of, rows], () => [table({ columns: ['', ...of], rows })]);
  }
}

/** @param {import('../../api/schema.d.ts').TrainingFile} file */
const fileNode = ({ name, bytes, held_out: isHeldOut }) =>
  h(
    'li',
    { class: isHeldOut ? 'held-out' : '' },
    h('bdi', { class: 'clip', title: name }, name),
    h('span', { class: 'number dim' }, isHeldOut ? `held out, ${size(bytes)}` : size(bytes)),
  );

customElements.define('training-card', TrainingCard);
