/**
 * How a corpus is read: columns of a table, parallel files, steps of cleaning; with the beginnings of its first
 * documents. Another reading is another corpus, so that earlier results stay true.
 * Gets `show`; reports `readagain` (detail: options).
 */
import { h, listen } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { CorpusCleaning } from './corpus_cleaning.js';
import { line, select } from '../../ui/form.js';

const NONE = '';

/** @typedef {import('../../api/schema.d.ts').CorpusDetail} CorpusDetail */

export class CorpusReading extends LabElement {
  cleaning = new CorpusCleaning();
  /** Another reading was chosen. */
  #changed = () => {};

  render() {
    listen(this.cleaning, 'choosesteps', () => this.#changed());
  }

  /** @param {CorpusDetail|null} corpus @param {import('../../api/schema.d.ts').Step[]} [steps] that there are */
  show(corpus, steps = []) {
    this.replaceChildren(...(corpus ? this.#parts(corpus) : []));
    if (corpus) this.cleaning.show(corpus, steps);
  }

  /** @param {CorpusDetail} corpus */
  #parts(corpus) {
    const { columns, sample, problem } = corpus;
    const wanted = {
      text_column: corpus.text_column ?? NONE,
      language_column: corpus.language_column ?? NONE,
      parallel: corpus.is_parallel,
    };
    const apply = h(
      'button',
      { type: 'button', class: 'button framed', disabled: true },
      'Create a corpus with these options',
    );
    apply.addEventListener('click', () =>
      this.emit('readagain', optionsOf(wanted, this.cleaning.steps, columns.length > 0)),
    );
    /** @param {Object<string, string|boolean>} patch */
    const change = patch => {
      Object.assign(wanted, patch);
      apply.disabled = false;
    };
    this.#changed = () => change({});
    /**
     * @param {'text_column'|'language_column'} name @param {string} label
     * @param {{value: string, label: string}[]} options
     */
    const choice = (name, label, options) =>
      line(
        label,
        select(name, value => change({ [name]: value }), options, wanted[name]),
      );
    const own = columns.map(name => ({ value: name, label: name }));
    const parallel = new ToggleSwitch();
    parallel.label = 'Parallel: line N of every file is the same sentence';
    parallel.checked = corpus.is_parallel;
    parallel.addEventListener('valuechange', () => change({ parallel: parallel.checked }));
    // Of other corpora the backend knows how each file is read; cleaning alone can be chosen for them.
    const canChange = !corpus.builtin && corpus.files === corpus.first_files.length;
    const controls = [
      ...(columns.length
        ? [
            choice('text_column', 'Text', own),
            choice('language_column', 'Language', [{ value: NONE, label: 'No column' }, ...own]),
          ]
        : []),
      ...(corpus.files > 1 || corpus.is_parallel ? [parallel] : []),
    ];
    return [
      problem ? h('p', { class: 'warning', role: 'alert' }, problem) : null,
      ...(canChange ? controls : []),
      this.cleaning,
      apply,
      h('p', { class: 'faint' }, 'The files, this corpus and its results stay as they are.'),
      sample.length
        ? h(
            'details',
            { class: 'corpus-sample', open: columns.length > 0 },
            h('summary', {}, 'First documents'),
            h(
              'ol',
              {},
              ...sample.map(({ text, language }) =>
                h('li', {}, language && h('span', { class: 'dim' }, `${language} `), h('bdi', { class: 'mono' }, text)),
              ),
            ),
          )
        : null,
    ].filter(part => part !== null);
  }
}

/**
 * @param {{text_column: string, language_column: string, parallel: boolean}} wanted @param {string[]} cleaning steps
 * @param {boolean} hasColumns an empty language column then says that none is wanted
 */
const optionsOf = ({ text_column: text, language_column: language, parallel }, cleaning, hasColumns) => ({
  ...(text ? { text_column: text } : {}),
  ...(hasColumns ? { language_column: language } : {}),
  ...(parallel ? { parallel } : {}),
  ...(cleaning.length ? { cleaning } : {}),
});

customElements.define('corpus-reading', CorpusReading);
