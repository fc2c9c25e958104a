/** Growth, hard inputs and the races: the views that measure what encoding and training cost. */
import { beginningLink } from '../../app/lesson_link.js';
import { listen } from '../../ui/dom.js';
import { count, size, whenWords } from '../../util/format.js';
import { CostView, TYPED } from './cost_view.js';
import { RacePanel } from './race_panel.js';
import { OPEN_TEXT } from './settings.js';
import { Seen } from '../../util/seen.js';
/** @import {CostReport, CostSummary, Figure} from '../../api/schema.d.ts' */

/** Kinds of jobs, by view. @type {Record<'growth'|'inputs'|'race'|'trainers', import('../../api/costs.js').Cost>} */
const KINDS = { growth: 'growth', inputs: 'pathological', race: 'race', trainers: 'trainers' };
export const COST_KINDS = Object.values(KINDS);

const TEXTS = [
  { value: 'words', label: 'English words' },
  { value: 'random_letters', label: 'Random letters' },
  { value: 'one_letter', label: 'One letter' },
];
const LENGTHS = [
  { value: '100000', label: '100 kB' },
  { value: '1000000', label: '1 MB' },
  { value: '10000000', label: '10 MB' },
];
/** The tokenizer whose words trainers learn from. */
const TRAINED_AS = 'gpt2';
const MERGES = ['100', '500', '2000', '8000'].map(value => ({ value, label: count(Number(value)) }));
/** @type {Record<keyof typeof KINDS, import('./cost_view.js').Description>} */
const DESCRIPTIONS = {
  growth: {
    title: 'How time grows',
    words: 'One call, from 100 bytes on. An exponent of 1 is linear: twice the text takes twice the time.',
    choices: [
      {
        name: 'axis',
        label: 'Against',
        options: [
          { value: 'bytes', label: 'Text length' },
          { value: 'threads', label: 'Threads' },
          { value: 'vocab_size', label: 'Vocabulary size' },
        ],
      },
      { name: 'input', label: 'Text', options: TEXTS },
      { name: 'max_bytes', label: 'Up to', options: LENGTHS },
    ],
  },
  inputs: {
    title: 'Inputs that break encoders',
    words: '100 kB each of what makes encoders slow. Nothing should be slower than 10 MB/s.',
  },
  race: {
    title: 'Race of algorithms',
    words:
      'Four textbook encoders, the fast one and a readable twin in Python, with the merges of the active tokenizer.',
    choices: [
      { name: 'input', label: 'Text', options: [TEXTS[1], TEXTS[0], TEXTS[2]] },
      { name: 'max_bytes', label: 'Up to', options: LENGTHS },
    ],
  },
  trainers: {
    title: 'Race of training algorithms',
    words:
      'Four BPE trainers, from the naive one to the lab’s own, on growing parts of a text. ' +
      'Word counting is excluded.',
    choices: [
      { name: 'source', label: 'Text', options: [] },
      { name: 'merges', label: 'Merges', options: MERGES, chosen: '500' },
      { name: 'max_bytes', label: 'Up to', options: LENGTHS, chosen: '1000000' },
    ],
  },
};

/**
 * @typedef {import('../../api/costs.js').Cost} Cost
 * @typedef {import('../../api/schema.d.ts').Subject} Subject
 * @typedef {import('./benchmark_state.js').Race} Race
 * @typedef {{title: string, bytes: number, value: string}} RaceText a text to train on; `value`: `practice:NAME` or
 *   `corpus:ID`
 * @typedef {{summary: CostSummary, report: CostReport, letters: string[], figures: Figure[]}} Kept a measurement and
 *   its charts, drawn with these letters for its tokenizers
 * @typedef {Object} Costs what the views need of the screen
 * @property {() => Subject[]} subjects that the setup chooses
 * @property {() => string|null} active the tokenizer of the race
 * @property {() => string} text that is open in Inspect
 * @property {(kind: import('../../api/costs.js').Cost, options: Object) => void} measure
 * @property {(kind: import('../../api/costs.js').Cost, id: number) => void} show an earlier measurement
 * @property {(tokenizer: string) => boolean} isUsable
 * @property {(link: Object<string, string>) => void} watch a lesson
 */
export class CostViews {
  #costs;
  #views = { growth: new CostView(), inputs: new CostView(), race: new CostView(), trainers: new CostView() };
  races = new RacePanel({ encoding: this.#views.race, training: this.#views.trainers });
  /** What the last drawing got. @type {Shown|null} */
  #shown = null;
  /** What is shown, by view. @type {{[view: string]: Kept|undefined}} */
  #kept = {};
  /**
   * All that is kept, by view, the newest first.
   * @type {{[view: string]: import('../../api/schema.d.ts').CostSummary[]}}
   */
  #all = {};

  /** @param {Costs} costs */
  constructor(costs) {
    this.#costs = costs;
    for (const name of /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS))) {
      const view = this.#views[name];
      view.description = DESCRIPTIONS[name];
      listen(view, 'measurecost', choices => this.#measure(name, choices));
      listen(view, 'watch', () => this.#watch(name));
      listen(view, 'pickcost', id => this.#costs.show(KINDS[name], id));
      listen(view, 'typedchange', () => this.#shown && this.show(this.#shown));
    }
    for (const name of /** @type {const} */ (['growth', 'inputs'])) this.#views[name].classList.add('bench-view', name);
  }

  /** @returns {Record<'growth'|'inputs'|'race', HTMLElement>} */
  get panels() {
    const { growth, inputs } = this.#views;
    return { growth, inputs, race: this.races.element };
  }

  /** Whether a view has charts. @param {import('./benchmark_state.js').BenchmarkState} state */
  hasFigures(state) {
    return Boolean(this.#kept[viewOf(state)]);
  }

  /** What a view measures. @param {import('./benchmark_state.js').BenchmarkState} state @returns {Cost|undefined} */
  kindOf(state) {
    return KINDS[viewOf(state)];
  }

  /**
   * Whether a measurement is shown, with these letters.
   * @param {Cost} kind @param {number} id @param {string[]} letters
   */
  isShown(kind, id, letters) {
    const kept = this.#kept[viewWith(kind)];
    return kept?.summary.id === id && kept.letters.join('') === letters.join('');
  }

  /** The id of the measurement that is shown. @param {Cost} kind @returns {number|null} */
  shownId(kind) {
    return this.#kept[viewWith(kind)]?.summary.id ?? null;
  }

  /**
   * Shows a measurement when it is drawn next.
   * @param {Cost} kind @param {Kept} kept @param {import('../../api/schema.d.ts').CostSummary[]} all of the kind
   */
  take(kind, kept, all) {
    this.#kept[viewWith(kind)] = kept;
    this.#all[viewWith(kind)] = all;
  }

  /**
   * @typedef {{names: string[], active: string, isBusy: boolean, problem: string, race: Race, texts: RaceText[],
   *   openBytes: number}} Shown `names`: of subjects; `openBytes`: of the text in Inspect
   * @param {Shown} shown
   */
  show(shown) {
    this.#shown = shown;
    const { names, active, isBusy, problem, race, texts, openBytes } = shown;
    this.races.race = race;
    this.#offer(texts, openBytes);
    const { growth, inputs, race: encoders, trainers } = this.#views;
    const [own, what] = [`Measures ${names.join(', ')}.`, 'The same words for each algorithm; merges are compared.'];
    growth.show({ ...this.#measured('growth'), what: own, isBusy, problem });
    inputs.show({ ...this.#measured('inputs'), what: own, isBusy, problem });
    encoders.show({ ...this.#measured('race'), what: `Measures ${active}.`, isBusy, problem: '' });
    const missing = trainers.lacksText ? 'Type or paste a text to learn from.' : '';
    trainers.show({ ...this.#measured('trainers'), what, isBusy, problem: missing });
  }

  /** @param {string} view */
  #measured(view) {
    const kept = this.#kept[view];
    return {
      figures: kept?.figures ?? null,
      when: kept ? `Measured ${whenWords(kept.summary.created_at)}` : '',
      shown: String(kept?.summary.id ?? ''),
      canWatch: Boolean(kept && this.#lessonOn(kept.report)),
      kept: (this.#all[view] ?? []).map(({ id, created_at, title, subjects }) => ({
        value: String(id),
        label: `${whenWords(created_at)}: ${title}, ${subjects.join(', ')}`,
      })),
    };
  }

  /** The address of the lesson on a race, at its end. @param {CostReport} report */
  #lessonOn({ race, trainers }) {
    const [lesson, tokenizer] = race ? ['encoders', race.tokenizer] : ['bpe-train', TRAINED_AS];
    const text = race?.beginning ?? trainers?.beginning ?? '';
    if (!text || !this.#costs.isUsable(tokenizer)) return null;
    const place = trainers
      ? { kind: /** @type {const} */ ('merge'), number: trainers.merges, bytes: '' }
      : { kind: /** @type {const} */ ('end') };
    return beginningLink(lesson, tokenizer, { text, isWhole: false }, place);
  }

  /** @param {string} view */
  #watch(view) {
    const kept = this.#kept[view];
    const link = kept && this.#lessonOn(kept.report);
    if (link) this.#costs.watch(link);
  }

  /**
   * Offers the texts that trainers may race on, if they are others than before.
   * @param {RaceText[]} texts @param {number} openBytes
   */
  #offer(texts, openBytes) {
    const options = texts.map(({ value, title, bytes }) => ({ value, label: `${title}, ${size(bytes)}` }));
    if (openBytes) options.push({ value: OPEN_TEXT, label: `Text of Inspect, ${size(openBytes)}` });
    options.push({ value: TYPED, label: 'Text…' });
    if (!this.#offered.again(options)) this.#views.trainers.offer('source', options);
  }
  #offered = new Seen();

  /** @param {keyof typeof KINDS} name @param {Object<string, string>} choices */
  #measure(name, choices) {
    const { max_bytes: most, source, merges, typed, ...rest } = choices;
    const what =
      name === 'trainers'
        ? { source: this.#sourceOf(source, typed), merges: +merges }
        : name === 'race'
          ? { tokenizer: this.#costs.active() }
          : { subjects: this.#costs.subjects() };
    this.#costs.measure(KINDS[name], { ...what, ...rest, ...(most ? { max_bytes: +most } : {}) });
  }

  /**
   * @param {string} source @param {string} typed
   * @returns {import('../../api/trainings.js').TrainingSource}
   */
  #sourceOf(source, typed) {
    if (source === TYPED) return { kind: 'text', name: 'Pasted text', text: typed };
    if (source === OPEN_TEXT) return { kind: 'text', name: 'Text of Inspect', text: this.#costs.text() };
    const [, kind, name] = /^(practice|corpus):(.*)$/.exec(source) ?? [];
    return { kind: /** @type {'practice'|'corpus'} */ (kind), name };
  }
}

/** @param {import('./benchmark_state.js').BenchmarkState} state @returns {keyof typeof KINDS} */
const viewOf = ({ view, race }) =>
  /** @type {keyof typeof KINDS} */ (view === 'race' && race === 'training' ? 'trainers' : view);

/**
 * The different tokenizers of growth or hard inputs, in the order of their curves; the races compare none.
 * @param {import('../../api/schema.d.ts').CostSummary} summary @returns {string[]}
 */
export const tokenizersOfCost = ({ kind, subjects }) =>
  kind === 'growth' || kind === 'pathological'
    ? [...new Set(subjects.map(key => key.slice(0, key.lastIndexOf('/'))))]
    : [];

/** @param {Cost} kind @returns {string} the view that measures it */
const viewWith = kind => Object.entries(KINDS).find(([, measured]) => measured === kind)?.[0] ?? '';
