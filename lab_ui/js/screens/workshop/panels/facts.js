/** The figures of the draft against its base: tokens of the text, of a corpus, vocabulary, embedding. */
import { h, setText } from '../../../ui/dom.js';
import { DASH, count, growth, ratio } from '../../../util/format.js';

const MILLION = 1e6;

/** @typedef {import('../../../api/schema.d.ts').Edited} Edited */
/** @typedef {import('../../../api/schema.d.ts').Measured} Measured */
/** @typedef {import('../../../text/figures.js').Result} Result */
/** @typedef {{done: Edited|null, measured: Measured|null, results: Result[]}} Shown `results`: of the text */

export class FactsPanel {
  #main = h('b', { class: 'big', 'data-role': 'change' });
  #about = h('span', { class: 'dim' });
  #bytes = fact('bytes per token');
  #vocab = fact('vocabulary');
  #rows = fact('embedding');
  #width = h('input', {
    type: 'number',
    min: 1,
    value: 768,
    'aria-label': 'Width of the embedding',
    onchange: () => this.#draw(),
  });
  /** @type {Shown} */
  #shown = { done: null, measured: null, results: [] };
  element = h(
    'section',
    { class: 'workshop-facts', 'aria-label': 'Figures' },
    h('p', { class: 'workshop-main' }, this.#main, this.#about),
    this.#bytes.element,
    this.#vocab.element,
    this.#rows.element,
  );

  constructor() {
    this.#rows.element.lastElementChild?.append(', width ', this.#width);
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.#draw();
  }

  #draw() {
    const { done, measured, results } = this.#shown;
    const [a, b] = results;
    const before = measured ? measured.total.before : a?.count;
    const after = measured ? measured.total.after : b?.count;
    const bytes = measured ? measured.total.bytes : a?.text_bytes;
    const share = before && after !== undefined ? after / before - 1 : null;
    const where = measured ? `${measured.title}${measured.is_trained_on ? ', trained on' : ''}` : 'this text';
    setText(this.#main, share === null ? (before === undefined ? DASH : count(before)) : growth(share));
    this.#main.dataset.better = String(share !== null && share < 0);
    this.#main.dataset.worse = String(share !== null && share > 0);
    setText(this.#about, `tokens on ${where}${share === null ? '' : `: ${count(after)}, was ${count(before)}`}`);
    /** @param {number|undefined} tokens */
    const perToken = tokens => bytes && tokens && ratio(bytes / tokens);
    this.#bytes.show(perToken(after ?? before), after === undefined ? null : perToken(before));
    this.#vocab.show(done && count(done.vocab_size), done && count(done.vocab_size_before));
    const width = Math.max(1, Number(this.#width.value) || 1);
    /** @param {number} rows */
    const embedding = rows => `${ratio((rows * width) / MILLION, 1)} M`;
    this.#rows.show(done && embedding(done.rows), done && embedding(done.rows_before));
  }
}

/** @param {string} name */
function fact(name) {
  const now = h('b', {}, DASH);
  const was = h('span', { class: 'dim' });
  return {
    element: h('p', { class: 'workshop-fact' }, now, was, h('span', { class: 'dim' }, name)),
    /** @param {string|null|undefined|0} value @param {string|null|undefined|0} before */
    show(value, before) {
      setText(now, value || DASH);
      setText(was, before ? `was ${before}` : '');
    },
  };
}
