/** Results of the other screens in the list: analyses, benchmarks and trainings, each with its report as a file. */
import { isLive, stateWords } from '../../app/training_states.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, h } from '../../ui/dom.js';
import { asSentence, plural, problemWords, ratio, shareOf, whenWords } from '../../util/format.js';
import { labelForm } from './label_form.js';

/**
 * Formats by the end of a file's name: what the button shows, and what it saves.
 * @type {Object<string, [string, string]>}
 */
const FORMATS = {
  html: ['HTML', 'Report (HTML)'],
  md: ['Markdown', 'Report (Markdown)'],
  tex: ['LaTeX', 'Table (LaTeX)'],
  csv: ['CSV', 'Table (CSV)'],
  json: ['JSON', 'Everything (JSON)'],
};

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/schema.d.ts').AnalysisRow} AnalysisLine
 * @typedef {import('../../api/schema.d.ts').BenchmarkSummary} BenchmarkLine
 *
 * @typedef {Object} Result a result of another screen, as a row of the list
 * @property {string} key of the row
 * @property {number} id
 * @property {string} name
 * @property {string} when ISO 8601
 * @property {string} facts
 * @property {{message: string, hint?: string|null}|null} error
 * @property {string} [note] that somebody wrote about it
 */

/** Whether it has ended: a report of one that still changes belongs to Train. @param {Training} training */
export const hasEnded = training => !isLive(training);

/** @param {Training} training @returns {Result} */
export const trainingResult = training => ({
  key: `${training.id} ${training.version}`,
  id: training.id,
  name: training.name,
  when: training.made_at,
  facts: figureWords(training),
  error: training.error,
});

/** @param {AnalysisLine} analysis @param {(id: string) => string} nameOf a tokenizer @returns {Result} */
export const analysisResult = ({ id, title, made_at: when, tokenizers }, nameOf) => ({
  key: String(id),
  id,
  name: title,
  when,
  facts: tokenizers.map(nameOf).join(' · '),
  error: null,
});

/** @param {BenchmarkLine} benchmark @returns {Result} */
export const benchmarkResult = ({ id, title, created_at: when, text_title: text, state, winner }) => ({
  key: `${id} ${state}`,
  id,
  name: title,
  when,
  facts: [text, winner ? `fastest: ${winner}` : '', state === 'done' ? '' : state].filter(Boolean).join(' · '),
  error: null,
});

/**
 * Makes a row of a result.
 * @param {Result} result
 * @param {{kind: string, screen: string, formats: string[], open: () => void, save: (format: string) => void, remove:
 *   () => void, label: (label: {name: string|null, note: string}) => void}} of `screen`: the name of the one that
 *   shows it
 */
export function resultCard({ id, name, when, facts, error, note = '' }, { kind, screen, formats, ...act }) {
  const { button: edit, parts } = labelForm({ name, note }, act.label);
  /** @param {string} text @param {string} label @param {() => void} handler */
  const button = (text, label, handler) => actionButton(text, handler, { 'aria-label': `${label}: ${name}` });
  return h(
    'li',
    { class: 'result', [`data-${kind}`]: String(id) },
    h(
      'div',
      { class: 'result-words' },
      h('h3', {}, h('bdi', {}, name)),
      h('p', { class: 'dim' }, h('bdi', {}, facts)),
      error ? h('p', { class: 'warning' }, h('bdi', {}, problemWords(error))) : null,
    ),
    h('span', { class: 'dim result-when' }, whenWords(when)),
    h(
      'div',
      { class: 'result-files', role: 'group', 'aria-label': 'Save as' },
      ...formats.map(format => button(FORMATS[format][0], FORMATS[format][1], () => act.save(format))),
    ),
    h(
      'div',
      { class: 'result-actions' },
      button('Open', `Open in ${screen}`, act.open),
      edit,
      confirmButton({ label: 'Delete', name, handler: act.remove }),
    ),
    ...parts,
  );
}

/** "Finished · 300 tokens · 2.31 bytes/token on held-out text · 1.2 % unknown" @param {Training} training */
export function figureWords(training) {
  const { vocab_size: vocab, held_out: held, ended } = training;
  const unknown = held?.unknown_rate ?? null;
  return [
    stateWords(training),
    vocab === null ? '' : plural(vocab, 'token'),
    held && held.bytes_per_token !== null ? `${ratio(held.bytes_per_token)} bytes/token on held-out text` : '',
    unknown === null ? '' : `${shareOf(unknown)} unknown`,
    ended ? asSentence(ended) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
