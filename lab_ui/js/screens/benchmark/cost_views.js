/** Growth, hard inputs and the race: the three views that measure what encoding costs. Their results are not kept. */
import { listen } from '../../ui/dom.js';
import { CostView } from './cost_view.js';

/** Kinds of jobs, by view. @type {Record<'growth'|'inputs'|'race', import('../../api/costs.js').Cost>} */
const KINDS = { growth: 'growth', inputs: 'pathological', race: 'race' };
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
};

/**
 * @typedef {import('../../api/benchmarks.js').Subject} Subject
 * @typedef {Object} Costs what the views need of the screen
 * @property {() => Subject[]} subjects that the setup chooses
 * @property {() => string|null} active the tokenizer of the race
 * @property {(kind: import('../../api/costs.js').Cost, options: Object) => Promise<any[]|null>} measure returns charts;
 *   null: it was stopped
 */
export class CostViews {
  #costs;
  #views = { growth: new CostView(), inputs: new CostView(), race: new CostView() };
  /** @type {Object<string, any[]|undefined>} charts by view */
  #figures = {};

  /** @param {Costs} costs */
  constructor(costs) {
    this.#costs = costs;
    for (const name of /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS))) {
      const view = this.#views[name];
      view.classList.add('bench-view', name);
      view.description = DESCRIPTIONS[name];
      listen(view, 'measurecost', choices => this.#measure(name, choices));
    }
  }

  get panels() {
    return this.#views;
  }

  /** @param {{names: string[], active: string, isBusy: boolean, problem: string}} shown names of subjects */
  show({ names, active, isBusy, problem }) {
    for (const [name, view] of Object.entries(this.#views))
      view.show({
        figures: this.#figures[name] ?? null,
        tokenizers: name === 'race' ? [active] : names,
        isBusy,
        problem: name === 'race' ? '' : problem,
      });
  }

  /** @param {keyof typeof KINDS} name @param {Object<string, string>} choices */
  async #measure(name, choices) {
    const { max_bytes: most, ...rest } = choices;
    const what = name === 'race' ? { tokenizer: this.#costs.active() } : { subjects: this.#costs.subjects() };
    const figures = await this.#costs.measure(KINDS[name], { ...what, ...rest, ...(most ? { max_bytes: +most } : {}) });
    if (figures) this.#figures[name] = figures;
  }
}
