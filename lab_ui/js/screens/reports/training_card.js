/** One training in the list: its figures, and its report as a file. */
import { isLive, stateWords } from '../../app/training_states.js';
import { h } from '../../ui/dom.js';
import { asSentence, count, plural, problemWords, ratio, shareOf, whenWords } from '../../util/format.js';

/** @type {[import('../../api/trainings.js').ReportFormat, string][]} */
const FORMATS = [
  ['html', 'Report (HTML)'],
  ['md', 'Report (Markdown)'],
  ['csv', 'All steps (CSV)'],
  ['json', 'Everything (JSON)'],
];

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/trainings.js').ReportFormat} ReportFormat
 */

/** Whether it has ended: a report of one that still changes belongs to Train. @param {Training} training */
export const hasEnded = training => !isLive(training);

/**
 * Makes a card of a training that has ended.
 * @param {Training} training @param {{open: () => void, save: (format: ReportFormat) => void}} actions
 */
export function trainingCard(training, { open, save }) {
  const { id, name, made_at: madeAt, error } = training;
  const button = (/** @type {string} */ words, /** @type {() => void} */ act) =>
    h('button', { type: 'button', class: 'button framed', 'aria-label': `${words}: ${name}`, onclick: act }, words);
  return h(
    'li',
    { class: 'session', 'data-training': String(id) },
    h(
      'div',
      { class: 'session-head' },
      h('h3', {}, h('bdi', {}, name)),
      h('span', { class: 'dim' }, whenWords(madeAt)),
      h('span', { class: 'grow' }),
      button('Open in Train', open),
      ...FORMATS.map(([format, words]) => button(words, () => save(format))),
    ),
    h('p', { class: 'dim' }, figureWords(training)),
    error ? h('p', { class: 'warning' }, h('bdi', {}, problemWords(error))) : null,
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

/** @param {number} trainings */
export const headingWords = trainings => `Trainings (${count(trainings)})`;
