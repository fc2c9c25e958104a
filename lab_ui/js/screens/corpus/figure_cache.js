/** Figures of analyses and words of metrics, each read once; what failed is read again when it is asked for. */
import { asSentence } from '../../util/format.js';

/** Titles of charts that have no values. @type {Object<string, string|undefined>} */
const TITLES = {
  premium: 'Tokens for the same sentence',
  fertility: 'Tokens per word in each language',
  continued_words: 'Words of several tokens in each language',
  language_bytes: 'Bytes per token in each language',
  language_premium: 'Tokens for the same text in each language',
  language_unknown: 'Unknown tokens in each language',
  zipf: 'Rank and frequency',
  coverage: 'Coverage',
  lengths: 'Lengths of documents',
  rarefaction: 'Growth of the vocabulary',
  agreement: 'Agreement of boundaries',
  zipf_panels: 'Rank and frequency, by tokenizer',
  coverage_panels: 'Coverage, by tokenizer',
  lengths_panels: 'Lengths of documents, by tokenizer',
  frequency: 'The most frequent tokens',
};

export class FigureCache {
  #client;
  /** @type {Map<string, Promise<any>>} */
  #read = new Map();

  /** @param {Pick<typeof import('../../api/analyses.js'), 'listFigures'|'analysisFigure'|'listMetrics'>} client */
  constructor(client) {
    this.#client = client;
  }

  clear() {
    this.#read.clear();
  }

  /**
   * Reads a figure. What the analysis has no values for has a reason instead.
   * @param {number} analysis @param {string[]} letters of its tokenizers @param {string} name
   * @returns {Promise<any>}
   */
  async figure(analysis, letters, name) {
    /** @type {import('../../api/schema.d.ts').FigureEntry[]} */
    const list = await this.#once(`list ${analysis}`, () => this.#client.listFigures(analysis));
    const entry = list.find(figure => figure.name === name);
    const reason = entry ? entry.reason : 'this version of the lab does not draw it';
    if (reason) return { name, title: TITLES[name] ?? name, reason: asSentence(`Not measured: ${reason}`) };
    const key = [analysis, letters.join(''), name].join(' ');
    return this.#once(key, () => this.#client.analysisFigure(analysis, name, letters));
  }

  /**
   * Reads every figure that the analysis has values for.
   * @param {number} analysis @param {string[]} letters of its tokenizers
   */
  async all(analysis, letters) {
    /** @type {import('../../api/schema.d.ts').FigureEntry[]} */
    const list = await this.#once(`list ${analysis}`, () => this.#client.listFigures(analysis));
    const names = list.filter(({ reason }) => !reason).map(({ name }) => name);
    return Promise.all(names.map(name => this.figure(analysis, letters, name)));
  }

  /** @returns {Promise<import('../../api/schema.d.ts').Metric[]>} */
  metrics() {
    return this.#once('metrics', () => this.#client.listMetrics());
  }

  /** @param {string} key @param {() => Promise<any>} ask @returns {Promise<any>} */
  #once(key, ask) {
    const known = this.#read.get(key);
    if (known) return known;
    const asked = ask();
    this.#read.set(key, asked);
    asked.catch(() => this.#read.delete(key));
    return asked;
  }
}
