/** The results of the other screens, a section for each of them with the newest. Gets `show`. */
import { analysisFile, listAnalyses, removeAnalysis } from '../../api/analyses.js';
import { benchmarkFile, listBenchmarks, removeBenchmark } from '../../api/benchmarks.js';
import { listTrainings, removeTraining, trainingReport } from '../../api/trainings.js';
import { h, setText, update } from '../../ui/dom.js';
import { count } from '../../util/format.js';
import { analysisResult, benchmarkResult, hasEnded, resultCard, trainingResult } from './result_card.js';

const MOST = 50; // rows; the screen that made them has all

/**
 * @typedef {import('./result_card.js').Result} Result
 * @typedef {Object} Section
 * @property {import('../../api/reports.js').ResultKind} kind
 * @property {string} title
 * @property {string} screen name of the screen that shows them
 * @property {string[]} formats
 * @property {(signal: AbortSignal) => Promise<any[]>} list
 * @property {(id: number, format: any, chosen: string[]) => Promise<{name: string, data: Blob}>} file `chosen`: the
 *   tokenizers in use
 * @property {(id: number) => Promise<unknown>} remove
 * @property {(id: number) => [string, Object<string, string>]} linkTo
 * @property {(listed: any[], nameOf: (id: string) => string) => Result[]} results
 */

/** @type {Section[]} */
export const SECTIONS = [
  {
    kind: 'analysis',
    title: 'Analyses',
    screen: 'Corpus',
    formats: ['html', 'md', 'tex', 'csv', 'json'],
    list: listAnalyses,
    file: (id, format) => analysisFile(id, format),
    remove: removeAnalysis,
    linkTo: id => ['corpus', { analysis: String(id) }],
    results: (listed, nameOf) => listed.map(each => analysisResult(each, nameOf)),
  },
  {
    kind: 'benchmark',
    title: 'Benchmarks',
    screen: 'Benchmark',
    formats: ['html', 'md', 'tex', 'csv', 'json'],
    list: listBenchmarks,
    file: (id, format) => benchmarkFile(id, format),
    remove: removeBenchmark,
    linkTo: id => ['benchmark', { run: String(id) }],
    results: listed => listed.map(benchmarkResult),
  },
  {
    kind: 'training',
    title: 'Trainings',
    screen: 'Train',
    formats: ['html', 'md', 'tex', 'csv', 'json'],
    list: listTrainings,
    file: trainingReport,
    remove: removeTraining,
    linkTo: id => ['train', { training: String(id) }],
    results: listed => listed.filter(hasEnded).map(trainingResult),
  },
];

export class ResultsSection {
  #of;
  #heading;
  #list = h('ul', { class: 'results' });
  #more = h('p', { class: 'dim', hidden: true });

  /**
   * @param {{kind: string, title: string, screen: string, formats: string[], open: (id: number) => void, save:
   *   (id: number, format: string) => void, remove: (id: number) => void, label: (id: number, label: {name:
   *   string|null, note: string}) => void}} of `kind`: of the data attribute; `screen`: the name of that screen
   */
  constructor(of) {
    this.#of = of;
    const id = `reports-${of.kind}`;
    this.#heading = h('h2', { id });
    this.element = h(
      'section',
      { class: 'reports-section', 'aria-labelledby': id, hidden: true },
      this.#heading,
      this.#list,
      this.#more,
    );
  }

  /** @param {Result[]} results the newest first */
  show(results) {
    const { title, screen, open, save, remove, label } = this.#of;
    this.element.hidden = results.length === 0;
    setText(this.#heading, `${title} (${count(results.length)})`);
    this.#more.hidden = results.length <= MOST;
    setText(this.#more, `The newest ${count(MOST)} are listed. ${screen} has all.`);
    update(
      this.#list,
      results.slice(0, MOST),
      ({ key, name, note }) => JSON.stringify([key, name, note]),
      result =>
        resultCard(result, {
          ...this.#of,
          open: () => open(result.id),
          save: format => save(result.id, format),
          remove: () => remove(result.id),
          label: made => label(result.id, made),
        }),
      () => {},
    );
  }
}
