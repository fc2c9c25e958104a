/** The work area: one panel per view of the analysis that is shown, and the tabs that choose among them. */
import { h, listen } from '../../ui/dom.js';
import { FigureGrid } from '../../ui/figure_grid.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { TabList } from '../../ui/tab_list.js';
import { ConcordanceView } from './concordance_view.js';
import { METRICS, TABLE, VIEWS } from './corpus_state.js';
import { FrequencyTable } from './frequency_table.js';
import { LanguageTable } from './language_table.js';
import { lengthTable } from './length_table.js';
import { RobustnessView } from './robustness_view.js';
import { showLetters } from './token_picker.js';

/** Names of figures by view. @type {Object<string, (state: import('./corpus_state.js').CorpusState) => string[]>} */
const FIGURES = {
  overview: () => ['premium', 'zipf', 'coverage', 'lengths', 'rarefaction', 'agreement'],
  frequencies: () => ['frequency', 'zipf_panels', 'coverage_panels'],
  languages: ({ metric }) => (metric === TABLE ? [] : [metric]),
  lengths: () => ['lengths', 'lengths_panels'],
};

/**
 * @typedef {import('./corpus_state.js').Shown} Shown
 *
 * @typedef {{choose: (tokenizer: string) => void, find: (words: string) => void, examples: (token: number) => void,
 *   pick: (point: any) => void, measure: (metric: string) => void, showAll: () => void, fail:
 *   (error: Error) => void, track: (work: Promise<any>) => Promise<any>, word: (word: string) => void, entry: (token:
 *   number) => void}} Acts
 */

export class CorpusViews {
  #acts;
  tabs = new TabList();
  #letters = {
    frequencies: new SegmentedControl(),
    languages: new SegmentedControl(),
    concordance: new SegmentedControl(),
  };
  robustness = new RobustnessView();
  concordance = new ConcordanceView();
  #figures = {
    overview: new FigureGrid(),
    frequencies: new FigureGrid(),
    languages: new FigureGrid(),
    lengths: new FigureGrid(),
  };
  #table = new FrequencyTable();
  #metric = new SegmentedControl();
  #languages = new LanguageTable();
  #noLanguages = h(
    'p',
    { class: 'dim view-words' },
    'This corpus names no languages. Add one file per language, or choose the column of languages in Settings.',
  );
  #lengths = h('div', { class: 'view-table', tabIndex: 0, role: 'region', ariaLabel: 'Lengths of documents' });
  panels = {
    overview: h('div', { class: 'corpus-view overview' }, this.#figures.overview),
    frequencies: h('div', { class: 'corpus-view frequencies' }, this.#table, this.#figures.frequencies),
    languages: h(
      'div',
      { class: 'corpus-view languages' },
      h('div', { class: 'view-tools' }, this.#metric, this.#letters.languages),
      this.#figures.languages,
      this.#noLanguages,
      this.#languages,
    ),
    lengths: h('div', { class: 'corpus-view lengths' }, this.#figures.lengths, this.#lengths),
    robustness: h('div', { class: 'corpus-view robustness' }, this.robustness),
    concordance: h('div', { class: 'corpus-view concordance' }, this.concordance),
  };
  /** What each view shows, so that it is not drawn again. @type {Map<string, string>} */
  #drawn = new Map();

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
    this.#table.start({ fail: acts.fail, lead: this.#letters.frequencies });
    for (const control of Object.values(this.#letters)) listen(control, 'valuechange', acts.choose);
    for (const grid of Object.values(this.#figures)) listen(grid, 'pointpick', acts.pick);
    this.#figures.overview.more = { premium: 'Show all languages' };
    listen(this.#figures.overview, 'showmore', acts.showAll);
    this.#metric.ariaLabel = 'Metric of the chart';
    this.#metric.options = METRICS;
    listen(this.#metric, 'valuechange', acts.measure);
    listen(this.#table, 'searchtoken', acts.find);
    listen(this.#table, 'choosetoken', acts.examples);
    this.concordance.start(acts, this.#letters.concordance);
    listen(this.concordance, 'findtoken', acts.examples);
    listen(this.concordance, 'findword', acts.word);
    listen(this.concordance, 'openentry', acts.entry);
    this.tabs.classList.add('segmented');
    this.tabs.tabs = VIEWS.map(view => ({ ...view, panel: this.panels[view.value] }));
  }

  /** The panels, to be put into the page. @returns {HTMLElement[]} */
  get elements() {
    return Object.values(this.panels);
  }

  /** @param {import('./corpus_state.js').View} view */
  focusSearch(view) {
    if (view === 'concordance') this.concordance.focusField();
    else this.#table.focusField();
  }

  /** Nothing is shown: the next drawing begins anew. */
  clear() {
    this.#drawn.clear();
    this.concordance.clear();
  }

  /** Draws the view that is chosen. @param {Shown} shown */
  draw(shown) {
    const { state, analysis, chosen } = shown;
    this.tabs.value = state.view;
    this.#metric.value = state.metric;
    const of = [analysis.id, shown.tokenizers.map(({ letter }) => letter).join('')];
    const draw = {
      frequencies: this.#drawFrequencies,
      languages: this.#drawLanguages,
      lengths: this.#drawLengths,
    }[state.view];
    this.#once(`figures of ${state.view}`, [...of, state.metric].join(), () => this.#drawFigures(shown));
    if (state.view === 'concordance') this.#drawConcordance(shown);
    const details = { frequencies: [state.search], languages: [state.metric] }[state.view] ?? [];
    this.#once(state.view, [...of, chosen.tokenizer, ...details].join('\n'), () => draw?.call(this, shown));
  }

  /** @param {string} name @param {string} version @param {() => void} draw */
  #once(name, version, draw) {
    if (this.#drawn.get(name) === version) return;
    this.#drawn.set(name, version);
    draw();
  }

  /** @param {Shown} shown */
  #drawFigures({ analysis, state, figure }) {
    const { view } = state;
    const names = FIGURES[view]?.(state) ?? [];
    if (!names.length) return;
    const version = this.#drawn.get(`figures of ${view}`);
    const isCurrent = () => this.#drawn.get(`figures of ${view}`) === version;
    const read = Promise.all(names.map(figure));
    const grid = this.#figures[view];
    grid.wait();
    this.#acts.track(
      read.then(
        found => {
          if (!isCurrent() || !analysis) return null;
          return grid.show(found.filter(Boolean));
        },
        error => {
          if (!isCurrent()) return;
          this.#drawn.delete(`figures of ${view}`); // asked for again when it is shown again
          grid.show([]);
          this.#acts.fail(error);
        },
      ),
    );
  }

  /** @param {Shown} shown */
  #drawFrequencies({ tokenizers, chosen, state: { search }, rows }) {
    showLetters(this.#letters.frequencies, tokenizers, chosen.tokenizer);
    const work = this.#table.show((offset, limit) => rows(offset, limit, search), search, chosen.types);
    this.#acts.track(work.catch(this.#acts.fail));
  }

  /** @param {Shown} shown */
  #drawConcordance(shown) {
    showLetters(this.#letters.concordance, shown.tokenizers, shown.chosen.tokenizer);
    this.concordance.show(shown);
  }

  /** @param {Shown} shown */
  #drawLanguages({ analysis, tokenizers, chosen, state: { metric } }) {
    const hasLanguages = chosen.languages.length > 0;
    const isTable = hasLanguages && metric === TABLE;
    showLetters(this.#letters.languages, tokenizers, chosen.tokenizer);
    if (!isTable) this.#letters.languages.hidden = true;
    this.#noLanguages.hidden = hasLanguages;
    this.#metric.hidden = !hasLanguages;
    this.#figures.languages.hidden = !hasLanguages || isTable;
    this.#languages.hidden = !isTable;
    if (isTable) this.#languages.show(chosen.languages, analysis.settings.reference_language);
  }

  /** @param {Shown} shown */
  #drawLengths({ analysis, tokenizers }) {
    const nameOf = id => tokenizers.find(tokenizer => tokenizer.id === id)?.name ?? id;
    this.#lengths.replaceChildren(lengthTable(analysis, nameOf));
  }
}
