/** The work area: one element per view of the analysis that is shown, and the tabs that choose among them. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { FigureGrid } from '../../../ui/figure_grid.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { TabList } from '../../../ui/tab_list.js';
import { ConcordanceView } from '../concordance_view.js';
import { METRICS, PREMIUM, TABLE, VIEWS } from '../corpus_state.js';
import { FrequencyTable } from '../frequency_table.js';
import { metricsOf, tokenizersOf } from '../language_columns.js';
import { LanguageTable } from '../language_table.js';
import { lengthTable } from '../length_table.js';
import { showLetters } from '../token_picker.js';

/** Names of figures by view. @type {Object<string, (state: import('../corpus_state.js').CorpusState) => string[]>} */
const FIGURES = {
  overview: () => ['premium', 'zipf', 'coverage', 'lengths', 'rarefaction', 'agreement'],
  frequencies: () => ['frequency', 'zipf_panels', 'coverage_panels'],
  languages: ({ metric, asTable }) => (metric === null || metric === TABLE || asTable ? [] : [metric]),
  lengths: () => ['lengths', 'lengths_panels'],
};

/** @typedef {import('../corpus_state.js').Shown} Shown */

export class ViewsPanel extends Panel {
  #screen;
  tabs = new TabList();
  #letters = {
    frequencies: new SegmentedControl(),
    languages: new SegmentedControl(),
    concordance: new SegmentedControl(),
  };
  #concordance = new ConcordanceView();
  /** @type {Object<string, FigureGrid>} */
  #figures = {
    overview: new FigureGrid(),
    frequencies: new FigureGrid(),
    languages: new FigureGrid(),
    lengths: new FigureGrid(),
  };
  #table = new FrequencyTable();
  #metric = new SegmentedControl();
  #form = new SegmentedControl();
  #languages = new LanguageTable();
  #noLanguages = h(
    'p',
    { class: 'dim view-words' },
    'This corpus names no languages. Add one file per language, or choose the column of languages in Settings.',
  );
  #lengths = h('div', { class: 'view-table', tabIndex: 0, role: 'region', ariaLabel: 'Lengths of documents' });
  #views;
  /** What each view shows, so that it is not drawn again. @type {Map<string, string>} */
  #drawn = new Map();

  /** @param {import('../corpus_data.js').Host} screen @param {HTMLElement} robustness a view that draws itself */
  constructor(screen, robustness) {
    super();
    this.#screen = screen;
    this.#views = {
      overview: view('overview', this.#figures.overview),
      frequencies: view('frequencies', this.#table, this.#figures.frequencies),
      languages: view(
        'languages',
        h('div', { class: 'view-tools' }, this.#metric, this.#form, this.#letters.languages),
        this.#figures.languages,
        this.#noLanguages,
        this.#languages,
      ),
      lengths: view('lengths', this.#figures.lengths, this.#lengths),
      robustness: view('robustness', robustness),
      concordance: view('concordance', this.#concordance),
    };
    /** @param {unknown} error */
    const fail = error => screen.showError(error);
    this.#table.start({ fail, lead: this.#letters.frequencies });
    for (const control of Object.values(this.#letters)) listen(control, 'valuechange', id => screen.choose(id));
    for (const grid of Object.values(this.#figures)) listen(grid, 'pointpick', ({ data }) => screen.pick(data));
    this.#figures.overview.more = { premium: 'Show all languages' };
    listen(this.#figures.overview, 'showmore', () => screen.set({ view: 'languages', metric: PREMIUM }));
    this.#metric.ariaLabel = 'Metric of the chart';
    this.#metric.options = METRICS;
    listen(this.#metric, 'valuechange', metric => screen.set({ metric }));
    this.#form.ariaLabel = 'Chart or table';
    this.#form.options = [
      { value: 'chart', label: 'Chart' },
      { value: 'table', label: 'Table' },
    ];
    listen(this.#form, 'valuechange', form => screen.set({ asTable: form === 'table' }));
    listen(this.#table, 'searchtoken', search => screen.set({ search }));
    this.#concordance.start({ fail, track: work => this.context.activity.track(work) }, this.#letters.concordance);
    listen(this.#table, 'choosetoken', token => screen.findToken(token));
    listen(this.#concordance, 'findtoken', token => screen.findToken(token));
    listen(this.#concordance, 'findword', word => screen.set({ word, id: null }));
    listen(this.#concordance, 'openentry', token => screen.openToken(token));
    listen(this.tabs, 'valuechange', name => screen.set({ view: name }));
    this.tabs.classList.add('segmented');
    this.tabs.tabs = VIEWS.map(each => ({ ...each, panel: this.#views[each.value] }));
  }

  /** One per view. @returns {HTMLElement[]} */
  get elements() {
    return Object.values(this.#views);
  }

  /** @param {import('../corpus_state.js').View} name */
  focusSearch(name) {
    if (name === 'concordance') this.#concordance.focusField();
    else this.#table.focusField();
  }

  /** Nothing is shown: the next drawing begins anew. */
  clear() {
    this.#drawn.clear();
    this.#concordance.clear();
  }

  onHide() {
    this.#concordance.stop();
  }

  /** @param {{shown: Shown|null}} all */
  onResult({ shown }) {
    this.tabs.hidden = !shown;
    if (shown) this.#draw(shown);
    else for (const element of this.elements) element.hidden = true;
  }

  /** Draws the view that is chosen. @param {Shown} shown */
  #draw(shown) {
    const { state, analysis, chosen } = shown;
    this.tabs.value = state.view;
    this.#metric.value = state.metric;
    this.#form.value = state.asTable ? 'table' : 'chart';
    const of = [analysis.id, shown.tokenizers.map(({ letter }) => letter).join('')];
    /** @type {Object<string, ((shown: Shown) => void)|undefined>} */
    const drawings = {
      frequencies: this.#drawFrequencies,
      languages: this.#drawLanguages,
      lengths: this.#drawLengths,
    };
    const draw = drawings[state.view];
    this.#once(`figures of ${state.view}`, [...of, state.metric, state.asTable].join(), () => this.#drawFigures(shown));
    if (state.view === 'concordance') this.#drawConcordance(shown);
    /** @type {Object<string, unknown[]|undefined>} */
    const parts = { frequencies: [state.search], languages: [state.metric, state.asTable] };
    const details = parts[state.view] ?? [];
    this.#once(state.view, [...of, chosen.tokenizer, ...details].join('\n'), () => draw?.call(this, shown));
  }

  /** @param {string} name @param {string} version @param {() => void} draw */
  #once(name, version, draw) {
    if (this.#drawn.get(name) === version) return;
    this.#drawn.set(name, version);
    draw();
  }

  /** @param {Shown} shown */
  #drawFigures({ state, figure }) {
    const key = `figures of ${state.view}`;
    const names = FIGURES[state.view]?.(state) ?? [];
    if (!names.length) return;
    const version = this.#drawn.get(key);
    const isCurrent = () => this.#drawn.get(key) === version;
    const read = Promise.all(names.map(figure));
    const grid = this.#figures[state.view];
    grid.wait();
    this.#screen.try(async () => {
      try {
        const found = await read;
        if (isCurrent()) await grid.show(found.filter(Boolean));
      } catch (error) {
        if (!isCurrent()) return;
        this.#drawn.delete(key); // asked for again when it is shown again
        grid.show([]);
        throw error;
      }
    });
  }

  /** @param {Shown} shown */
  #drawFrequencies({ tokenizers, chosen, state: { search }, rows }) {
    showLetters(this.#letters.frequencies, tokenizers, chosen.tokenizer);
    this.#screen.try(() => this.#table.show((offset, limit) => rows(offset, limit, search), search, chosen.types));
  }

  /** @param {Shown} shown */
  #drawConcordance(shown) {
    showLetters(this.#letters.concordance, shown.tokenizers, shown.chosen.tokenizer);
    this.#concordance.show(shown);
  }

  /** @param {Shown} shown */
  #drawLanguages({ analysis, tokenizers, chosen, state: { metric, asTable } }) {
    const hasLanguages = chosen.languages.length > 0;
    const hasAll = hasLanguages && metric === TABLE;
    const isTable = hasAll || (hasLanguages && asTable);
    showLetters(this.#letters.languages, tokenizers, chosen.tokenizer);
    if (!hasAll) this.#letters.languages.hidden = true;
    this.#form.hidden = !hasLanguages || hasAll;
    this.#noLanguages.hidden = hasLanguages;
    this.#metric.hidden = !hasLanguages;
    this.#figures.languages.hidden = !hasLanguages || isTable;
    this.#languages.hidden = !isTable;
    const { reference_language: reference } = analysis.settings;
    if (hasAll) this.#languages.show(metricsOf(chosen.languages, reference));
    else if (isTable) this.#languages.show(tokenizersOf(metric, tokenizers, reference));
  }

  /** @param {Shown} shown */
  #drawLengths({ analysis, tokenizers }) {
    /** @param {string} id */
    const nameOf = id => tokenizers.find(tokenizer => tokenizer.id === id)?.name ?? id;
    this.#lengths.replaceChildren(lengthTable(analysis, nameOf));
  }
}

/** @param {string} name @param {...Node} parts */
const view = (name, ...parts) => h('div', { class: `corpus-view ${name}` }, ...parts);
