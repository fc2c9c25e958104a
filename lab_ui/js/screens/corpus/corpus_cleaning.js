/**
 * The steps that clean a corpus while it is read: which, in what order, and what they change in its first documents.
 * Gets `start` and `show`; reports `choosesteps` (detail: the steps, as the backend spells them).
 */
import { previewCleaning } from '../../api/corpora.js';
import { h, setText } from '../../ui/dom.js';
import { contextNodes } from '../../ui/named_text.js';
import { LabElement } from '../../ui/element.js';
import { count, plural, problemWords } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { changeOf } from './cleaning_change.js';

const LIMITS = { min: '1', max: '100000' };

/**
 * @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus
 * @typedef {import('../../api/schema.d.ts').Step} CleaningStep
 * @typedef {import('../../api/schema.d.ts').CleaningPreview} CleaningPreview
 */

export class CorpusCleaning extends LabElement {
  #asking = new Latest();
  /** @type {(corpus: string, steps: string[], signal: AbortSignal) => Promise<CleaningPreview>} */
  #preview = previewCleaning;
  /** @type {(work: Promise<any>) => Promise<any>} */
  #track = work => work;
  #corpus = '';
  /** A row per step. @type {{name: string, box: HTMLInputElement, spelled: () => string, changed: HTMLElement}[]} */
  #rows = [];
  #words = h('p', { class: 'dim', role: 'status', 'data-role': 'cleaning-words' });
  #samples = h('ol', { class: 'cleaning-samples', 'data-role': 'cleaning-samples' });

  /** @param {(work: Promise<any>) => Promise<any>} track */
  start(track) {
    this.#track = track;
  }

  /** @param {Corpus} corpus @param {CleaningStep[]} steps that there are */
  show(corpus, steps) {
    this.#corpus = corpus.id;
    const given = new Map(corpus.cleaning.map(step => [step.split(':')[0], step]));
    const own = steps.filter(({ name }) => given.has(name)).sort(by([...given.keys()]));
    this.#rows = [...own, ...steps.filter(({ name }) => !given.has(name))].map(step =>
      this.#row(step, given.get(step.name)),
    );
    this.replaceChildren(
      h(
        'details',
        { class: 'corpus-sample', open: given.size > 0 },
        h('summary', {}, given.size ? `Cleaning: ${plural(given.size, 'step')}` : 'Cleaning'),
        h('ul', { class: 'cleaning-steps' }, ...this.#rows.map(({ box }) => /** @type {Node} */ (box.closest('li')))),
        this.#words,
        this.#samples,
      ),
    );
    this.#try();
  }

  /** @returns {string[]} the steps that are chosen, in their order */
  get steps() {
    return this.#rows.filter(({ box }) => box.checked).map(({ spelled }) => spelled());
  }

  /** @param {CleaningStep} step @param {string|undefined} given as the corpus has it, with its argument */
  #row({ name, label, help, takes }, given) {
    const onchange = () => {
      this.emit('choosesteps', this.steps);
      this.#try();
    };
    const box = h('input', { type: 'checkbox', checked: given !== undefined, 'data-step': name, onchange });
    const [, min = LIMITS.min, max = LIMITS.max] = /:(\d+)-(\d+)$/.exec(given ?? '') ?? [];
    /** @param {string} value @param {string} words */
    const limit = (value, words) =>
      h('input', { type: 'number', min: '0', value, ariaLabel: words, onchange: () => box.checked && onchange() });
    const limits = takes ? [limit(min, 'Fewest characters'), limit(max, 'Most characters')] : [];
    const changed = h('span', { class: 'faint number' });
    h(
      'li',
      {},
      h('label', { title: help }, box, ' ', label),
      limits.length ? h('span', { class: 'cleaning-limits' }, limits[0], ' to ', limits[1], ' characters') : null,
      changed,
    );
    const spelled = () => (limits.length ? `${name}:${limits.map(({ value }) => value).join('-')}` : name);
    return { name, box, spelled, changed };
  }

  /** Asks what the chosen steps change. */
  #try() {
    const { steps } = this;
    for (const { changed } of this.#rows) setText(changed, '');
    this.#samples.replaceChildren();
    if (!steps.length) {
      this.#asking.stop();
      setText(this.#words, 'No step is chosen: the text is read as it is. Steps apply from top to bottom.');
      return;
    }
    setText(this.#words, 'Trying them on the first documents…');
    const asked = this.#asking.run(signal => this.#preview(this.#corpus, steps, signal));
    this.#track(
      asked.then(
        answer => answer && this.#show(answer),
        error => setText(this.#words, problemWords(error)),
      ),
    );
  }

  /** @param {CleaningPreview} preview */
  #show({ documents, changed, steps, samples }) {
    const counts = new Map(steps.map(({ step, documents }) => [step.split(':')[0], documents]));
    for (const { name, box, changed } of this.#rows)
      setText(changed, box.checked ? plural(counts.get(name) ?? 0, 'document') : '');
    setText(
      this.#words,
      `${count(changed)} of the first ${plural(documents, 'document')} ` +
        `${changed === 1 ? 'differs' : 'differ'} afterwards` +
        (samples.length < changed ? `; ${count(samples.length)} are shown.` : '.'),
    );
    this.#samples.replaceChildren(...samples.map(sampleItem));
  }
}

/** @param {string[]} order @returns {(a: CleaningStep, b: CleaningStep) => number} */
const by = order => (a, b) => order.indexOf(a.name) - order.indexOf(b.name);

/** @param {{before: string, after: string|null}} sample */
function sampleItem({ before, after }) {
  const { start, removed, added, end } = changeOf(before, after ?? '');
  /**
   * @param {string} name @param {'del'|'ins'} tag @param {string} middle
   */
  const line = (name, tag, middle) =>
    h(
      'p',
      {},
      h('span', { class: 'faint' }, name),
      h(
        'bdi',
        { class: 'mono', dir: 'auto' },
        ...contextNodes(start),
        middle ? h(tag, {}, ...contextNodes(middle)) : null,
        ...contextNodes(end),
      ),
    );
  return h(
    'li',
    {},
    after === null ? h('p', {}, h('span', { class: 'faint' }, 'removed'), h('bdi', { class: 'mono' }, before)) : null,
    ...(after === null ? [] : [line('before', 'del', removed), line('after', 'ins', added)]),
  );
}

customElements.define('corpus-cleaning', CorpusCleaning);
