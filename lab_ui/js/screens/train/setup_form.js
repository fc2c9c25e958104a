/**
 * The setup of the next training: text, algorithm, size, details, and the estimate. Gets `show` and `showEstimate`;
 * reports `setupchange` (detail: values by name), `setuptext` (detail: a text that was typed), `choosefiles` (detail:
 * files) and `starttraining`.
 */
import { actionButton, drawnOnce, h, listen, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { count, DASH, durationOfSeconds, size } from '../../util/format.js';
import { FILES, LARGEST_SIZE, SAMPLES, SHARES, TEXT } from './settings.js';
import { otherOptions } from './train_details.js';
import {
  FAMILIES,
  algorithmOf,
  detailsOf,
  familyOf,
  presetOf,
  presetsOf,
  sizeOf,
  sourceChoices,
  sourceOf,
} from './train_setup.js';
import { optionRows } from './train_words.js';
import { DetailFields } from './detail_fields.js';
import { facts } from '../../ui/facts.js';
import { choose, field, fileChooser, mark, offer, problem, select } from '../../ui/form.js';

/**
 * @typedef {import('./train_setup.js').Values} Values
 * @typedef {import('./train_setup.js').Offered} Offered
 * @typedef {import('./train_setup.js').Problems} Problems
 */

/** Offered on the way to a size of one's own. */
const SIZES = [1000, 4000, 8192, 16_000, 32_000, 50_000, 100_000];

export class SetupForm extends LabElement {
  #source = select('train-source', value => this.#set({ source: value }));
  #paths = h('textarea', {
    id: 'train-paths',
    class: 'mono',
    rows: 3,
    spellcheck: false,
    placeholder: '/data/news\n/data/books/*.jsonl.gz',
    'aria-describedby': 'train-paths-note train-source-problem',
    'data-role': 'train-paths',
    oninput: () => this.#set({ paths: this.#paths.value }),
  });
  #chooser = fileChooser('train-files', files => this.#choose(files), { multiple: true });
  #column = h('input', {
    type: 'text',
    id: 'train-column',
    class: 'mono',
    spellcheck: false,
    placeholder: 'text',
    'data-role': 'train-column',
    oninput: () => this.#set({ column: this.#column.value }),
  });
  #files = h(
    'div',
    { class: 'train-sub' },
    h(
      'div',
      { class: 'train-choose' },
      actionButton('Choose files…', () => this.#chooser.click()),
      this.#chooser,
      h('span', { class: 'faint' }, 'or drop them anywhere'),
    ),
    field('Or paths, one per line', this.#paths),
    h(
      'p',
      { class: 'faint', id: 'train-paths-note' },
      '.txt, .md, .jsonl, .csv, .tsv, .parquet; each also as .gz or .zst',
    ),
    field('Column of the text, in tables', this.#column),
  );
  #text = h('textarea', {
    id: 'train-text',
    class: 'mono',
    rows: 5,
    spellcheck: false,
    'aria-describedby': 'train-source-problem',
    'data-role': 'train-text',
    oninput: () => this.emit('setuptext', this.#text.value),
  });
  #typed = h('div', { class: 'train-sub' }, field('Text to learn from', this.#text));
  #heldOut = select('train-held-out', value => this.#set({ heldOut: Number(value) }));
  #family = new SegmentedControl();
  #preset = select('train-preset', value => this.#set({ preset: value, size: 0, details: {} }));
  #presetWords = h('p', { class: 'faint' });
  #size = h('input', {
    type: 'number',
    id: 'train-size',
    min: '1',
    max: String(LARGEST_SIZE),
    step: '1',
    'data-role': 'train-size',
    'aria-describedby': 'train-size-problem',
    oninput: () => this.#setSize(),
  });
  #name = h('input', {
    type: 'text',
    id: 'train-name',
    placeholder: 'Made of algorithm, size and text',
    'data-role': 'train-name',
    maxLength: 200,
    oninput: () => this.#set({ name: this.#name.value }),
  });
  /** The options that decide the result of the algorithm; all others are folded. */
  #main = new DetailFields();
  #details = new DetailFields();
  #sample = select('train-sample', value => this.#set({ sample: Number(value) }));
  #invalid = select('train-invalid', value => this.#set({ invalid: value }));
  #threads = select('train-threads', value => this.#set({ threads: Number(value) }));
  #summary = h('div', { class: 'train-sub' });
  #fold = h(
    'details',
    { class: 'train-details', ontoggle: () => this.#drawProblems(this.#found) },
    h('summary', {}, 'Details'),
    this.#summary,
    this.#details,
    field('Read', this.#sample),
    field('Invalid UTF-8', this.#invalid),
    field('Threads', this.#threads),
    field('Name of the training', this.#name),
  );
  #estimate = h('div', { class: 'train-estimate', role: 'status', 'data-role': 'train-estimate' });
  /** Where the estimate comes from. */
  #estimated = '';
  #basis = h('p', { class: 'faint train-basis' }); // below the button, which stays where it is
  #problems = {
    source: problem('train-source-problem'),
    size: problem('train-size-problem'),
    details: problem('train-details-problem'),
    start: problem('train-start-problem'),
  };
  #start = h(
    'button',
    {
      type: 'submit',
      class: 'button primary',
      'data-role': 'start-training',
      'aria-describedby': 'train-start-problem',
    },
    'Train',
  );
  /** @type {Offered} */
  #offered = { presets: [], algorithms: [], practice: [], corpora: [] };
  /** @type {Values|null} */
  #values = null;
  /** What the caller says is wrong. @type {Problems} */
  #found = {};
  /** What is wrong with the number in the field of the size, which is not among the values then. */
  #badSize = '';
  /** Preset and size that were shown last. */
  #shownSize = '';
  #isBusy = false;
  /** Names of the options in Details. @type {Set<string>} */
  #folded = new Set();

  render() {
    this.#family.ariaLabel = 'Algorithm';
    this.#family.options = FAMILIES;
    offer(
      this.#heldOut,
      SHARES.map(({ value, label }) => ({ value: String(value), label })),
    );
    offer(
      this.#sample,
      SAMPLES.map(({ value, label }) => ({ value: String(value), label })),
    );
    offer(this.#invalid, [
      { value: 'replace', label: 'Replace by U+FFFD' },
      { value: 'skip', label: 'Skip the line' },
    ]);
    const sizes = h('datalist', { id: 'train-sizes' }, ...SIZES.map(n => h('option', { value: String(n) })));
    this.#size.setAttribute('list', sizes.id);
    this.append(
      h(
        'form',
        {
          class: 'train-form',
          noValidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.emit('starttraining');
          },
        },
        h(
          'section',
          { class: 'panel-part' },
          h('h3', {}, 'Corpus'),
          field('Text', this.#source),
          this.#files,
          this.#typed,
          this.#problems.source,
          field('Held out to measure on', this.#heldOut),
        ),
        h(
          'section',
          { class: 'panel-part' },
          h('h3', {}, 'Algorithm'),
          this.#family,
          field('Preset', this.#preset),
          this.#presetWords,
          field('Vocabulary size', this.#size),
          sizes,
          this.#problems.size,
          this.#main,
          this.#fold,
          this.#problems.details,
        ),
        h(
          'section',
          { class: 'panel-part train-go' },
          h('h3', {}, 'Time and peak memory'),
          this.#estimate,
          this.#problems.start,
          this.#start,
          this.#basis,
        ),
      ),
    );
    listen(this.#family, 'valuechange', family => this.#chooseFamily(family));
    for (const fields of [this.#main, this.#details]) listen(fields, 'detailchange', details => this.#set({ details }));
  }

  /**
   * @param {{offered: Offered, values: Values, text: string, problems: Problems, isBusy: boolean}} shown
   */
  show({ offered, values, text, problems, isBusy }) {
    this.#offered = offered;
    this.#values = values;
    const preset = presetOf(offered, values);
    const source = sourceOf(offered, values);
    offer(this.#source, sourceChoices(offered));
    choose(this.#source, source);
    this.#files.hidden = source !== FILES;
    this.#typed.hidden = source !== TEXT;
    writeField(this.#paths, values.paths);
    writeField(this.#column, values.column);
    writeField(this.#text, text);
    choose(this.#heldOut, String(values.heldOut));
    const family = familyOf(algorithmOf(preset));
    this.#family.value = family;
    offer(
      this.#preset,
      presetsOf(offered.presets, family).map(({ name, title }) => ({ value: name, label: title })),
    );
    choose(this.#preset, preset?.name ?? '');
    setText(this.#presetWords, preset?.words ?? '');
    this.#drawSize(preset?.name ?? '', sizeOf(preset, values));
    this.#drawSummary(preset?.options ?? {}, values);
    writeField(this.#name, values.name);
    choose(this.#sample, String(values.sample));
    choose(this.#invalid, values.invalid);
    this.#drawThreads(navigator.hardwareConcurrency || 1, values.threads);
    this.#isBusy = isBusy;
    const details = detailsOf(preset, values);
    const main = details.filter(({ shownFor }) => shownFor?.includes(algorithmOf(preset)));
    const folded = details.filter(detail => !main.includes(detail));
    this.#main.show(main, preset?.options ?? {}, values.details, problems.fields ?? {});
    this.#details.show(folded, preset?.options ?? {}, values.details, problems.fields ?? {});
    this.#folded = new Set(folded.map(({ name }) => name));
    this.#drawProblems(problems);
    setText(this.#start, isBusy ? 'Starting…' : 'Train');
  }

  /**
   * Shows time and memory, with a line for where they come from.
   * @param {import('../../api/schema.d.ts').TrainingForecast|null} estimate null: not known, or not yet
   * @param {string} [words] said in place of an estimate
   */
  showEstimate(estimate, words = '') {
    const rows = [
      ['Time', estimate && estimate.seconds !== null ? about(durationOfSeconds(estimate.seconds)) : DASH],
      ['Peak memory', estimate && estimate.memory_bytes !== null ? about(size(estimate.memory_bytes)) : DASH],
      ['Text', estimate ? size(estimate.text_bytes) : DASH],
    ];
    this.#estimate.replaceChildren(facts(/** @type {[string, string][]} */ (rows)));
    this.#estimated = estimate?.basis ?? words;
    this.#drawProblems(this.#found);
  }

  focusSource() {
    this.#source.focus();
  }

  /** Whether the fields hold nothing that the values lack. */
  get isSound() {
    return !this.#badSize;
  }

  /** A wrong number stays until the preset or the size is another. @param {string} preset @param {number} wanted */
  #drawSize(preset, wanted) {
    const version = `${preset} ${wanted}`;
    if (version !== this.#shownSize) this.#badSize = '';
    this.#shownSize = version;
    if (!this.#badSize) writeField(this.#size, String(wanted || ''));
  }

  /** @param {Object<string, any>} options of the preset @param {Values} values */
  #drawSummary(options, { details }) {
    const rows = optionRows(options).filter(([label]) => ['Alphabet', 'Split'].includes(label));
    const others = otherOptions(details);
    const names = Object.keys(others).sort();
    drawnOnce(this.#summary, [rows, names], () => [
      facts(rows),
      ...(names.length
        ? [
            h('p', { class: 'train-others', 'data-role': 'train-others' }, `Also set: ${names.join(', ')}.`),
            actionButton('Use the preset for these', () => this.#forgetOthers(names)),
          ]
        : []),
    ]);
  }

  /** @param {string[]} names of options */
  #forgetOthers(names) {
    const details = Object.entries(this.#values?.details ?? {}).filter(([name]) => !names.includes(name));
    this.#set({ details: Object.fromEntries(details) });
    this.#fold.querySelector('summary')?.focus();
  }

  /** @param {number} cpus @param {number} chosen */
  #drawThreads(cpus, chosen) {
    const offered = [...new Set([0, 1, 2, 4, 8, 16, 32, 64, chosen])].filter(n => n <= Math.max(cpus, chosen));
    offer(
      this.#threads,
      offered.sort((a, b) => a - b).map(n => ({ value: String(n), label: n ? count(n) : `All (${count(cpus)})` })),
    );
    choose(this.#threads, String(chosen));
  }

  /** @param {Problems} problems */
  #drawProblems(problems) {
    this.#found = problems;
    const {
      source,
      size: ofSize,
      details,
      start,
      fields = {},
    } = this.#badSize ? { ...problems, size: this.#badSize } : problems;
    const isFolded = !this.#fold.open; // its fields and what is wrong with them are not seen
    const ofFolded = Object.entries(fields).filter(([name]) => this.#folded.has(name));
    const folded = isFolded ? ofFolded.map(([, words]) => words).join(' ') : '';
    const shown = { source, size: ofSize, details: [details, folded].filter(Boolean).join(' '), start };
    for (const [place, element] of Object.entries(this.#problems)) {
      const words = shown[/** @type {keyof typeof shown} */ (place)] ?? '';
      element.hidden = !words;
      setText(element, words);
    }
    mark(this.#size, Boolean(ofSize));
    mark(this.#paths, Boolean(source));
    mark(this.#text, Boolean(source));
    this.#start.disabled = this.#isBusy || !this.isSound || Object.keys(problems).length > 0;
    const where = [
      source && 'Text',
      ofSize && 'Vocabulary size',
      shown.details || ofFolded.length ? 'Details' : '',
      ofFolded.length < Object.keys(fields).length ? 'Algorithm' : '',
    ];
    const places = where.filter(Boolean).map(place => `“${place}”`);
    setText(this.#basis, places.length ? `Before you train, correct ${places.join(' and ')}.` : this.#estimated);
  }

  /** @param {string} family */
  #chooseFamily(family) {
    const [first] = presetsOf(this.#offered.presets, family);
    if (first) this.#set({ preset: first.name, size: 0, details: {} });
    else this.#family.value = familyOf(algorithmOf(this.#values && presetOf(this.#offered, this.#values)));
  }

  /** @param {File[]} files */
  #choose(files) {
    this.emit(
      'choosefiles',
      files.map(file => ({ file, path: file.name })),
    );
  }

  #setSize() {
    const own = Number(this.#size.value);
    const usual = this.#values && presetOf(this.#offered, this.#values)?.options.vocab_size;
    const isNumber = this.#size.value !== '' && Number.isInteger(own) && own >= 1 && own <= LARGEST_SIZE;
    this.#badSize = isNumber ? '' : `Write a whole number from 1 to ${count(LARGEST_SIZE)}.`;
    if (isNumber) this.#set({ size: own === usual ? 0 : own });
    else this.#drawProblems(this.#found);
  }

  /** @param {Partial<Values>} values */
  #set(values) {
    this.emit('setupchange', values);
  }
}

/** "about 3.2 s", "< 0.01 s" @param {string} words */
const about = words => (words.startsWith('<') ? words : `about ${words}`);

/**
 * A field that is being typed in keeps what is typed.
 * @param {HTMLInputElement|HTMLTextAreaElement} element @param {string} value
 */
function writeField(element, value) {
  if (element !== document.activeElement && element.value !== value) element.value = value;
}

customElements.define('train-setup', SetupForm);
