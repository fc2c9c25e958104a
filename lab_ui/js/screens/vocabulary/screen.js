/**
 * Vocabulary: every token of one tokenizer; search, facets, how each is built, which of them no text gives, fewer of
 * them.
 */
import { exportAddress } from '../../api/vocabulary.js';
import { EVERYTHING, isNarrow, toggled } from '../../api/vocabulary_query.js';
import { acceptLink } from '../../app/state/address.js';
import { followPanelSettings } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { h, listen } from '../../ui/dom.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { count, duration, plural, problemWords } from '../../util/format.js';
import { isSameSearch } from './example_searches.js';
import { vocabularyCommands } from './commands.js';
import { FacetRows } from './facet_rows.js';
import { EntryPanel } from './panels/entry.js';
import { OverviewPanel } from './panels/overview.js';
import { RowsPanel } from './panels/rows.js';
import { SizePanel } from './panels/size.js';
import { VocabularySearch } from './vocabulary_search.js';
import { VocabularySource } from './vocabulary_source.js';
import { TABS, kindNotes, ordered, paramsOf, stateOf } from './vocabulary_state.js';

export default class VocabularyScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #source = new VocabularySource();
  #state = stateOf(new URLSearchParams());
  /** @type {import('../../api/schema.d.ts').VocabularyPage|null} */
  #page = null;
  #search = new VocabularySearch();
  #facets = new FacetRows();
  #side = new SidePanel();
  #tabs = new TabList();
  #host = {
    model: () => this.#model,
    query: () => this.#state.query,
    showError: (/** @type {unknown} */ error) => this.#showError(error),
    openEntry: () => {
      this.#showTab('entry');
      this.#entry.element.focusHead();
    },
  };
  #rows = new RowsPanel(this.#source, this.#host);
  #entry = new EntryPanel(this.#source, this.#host);
  #overview = new OverviewPanel(this.#source, () => this.#ask({ keep: true }));
  #size = new SizePanel(this.#source, this.#host);
  #panels = { entry: this.#entry, whole: this.#overview, size: this.#size };

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.#context = context;
    const bodies = Object.entries(this.#panels).map(([name, panel]) =>
      h('div', { class: 'tab-body', id: `vocabulary-${name}` }, panel.element),
    );
    root.append(h('div', { class: 'vocabulary' }, this.#search, this.#facets, this.#rows.element, this.#side));
    this.#side.label = 'Details';
    this.#side.body.append(this.#tabs, ...bodies);
    this.#tabs.tabs = TABS.map(tab => ({
      ...tab,
      panel: /** @type {HTMLElement} */ (this.#panels[tab.value].element.parentElement),
    }));
    for (const panel of [this.#rows, ...Object.values(this.#panels)]) panel.mount(context);
    followPanelSettings(this.#side, 'vocabulary', context.settings, this.life);
    this.#listen();
    context.settings.on(['active'], () => this.#onChoice(), this.life);
    context.catalog.addEventListener('change', () => this.#onChoice(), { signal: this.life });
  }

  #listen() {
    /** @param {Partial<import('../../api/vocabulary_query.js').VocabularyQuery>} patch */
    const change = patch => this.#change({ ...this.#state.query, ...patch });
    /** @param {'kinds'|'scripts'|'verdicts'} list @param {string} name */
    const toggle = (list, name) => change({ [list]: toggled(this.#state.query[list], name) });
    listen(this.#search, 'searchchange', change);
    listen(this.#search, 'clear', () => this.#clear());
    listen(this.#search, 'save', format => this.#export(format));
    listen(this.#search, 'rows', async q => {
      if (q !== null) await change({ q });
      this.#rows.table.focusRows();
    });
    listen(this.#facets, 'example', name => this.#tryExample(name));
    listen(this.#facets, 'kind', kind => toggle('kinds', kind));
    listen(this.#facets, 'script', script => toggle('scripts', script));
    listen(this.#overview.element, 'verdict', verdict => toggle('verdicts', verdict));
    listen(this.#overview.element, 'length', length => change({ length }));
    listen(this.#entry.element, 'holders', q =>
      this.#change({ ...EVERYTHING, mode: 'hex', q: q.match(/../g).join(' ') }),
    );
    listen(this.#rows.table, 'sort', order => this.#change(ordered(this.#state.query, order)));
    listen(this.#rows.table, 'showunused', () => change({ kinds: ['unused'] }));
    for (const part of [this.#rows.table, this.#entry.element]) listen(part, 'opentoken', id => this.#open(id));
    listen(this.#size.element, 'sizechange', size => this.#set({ size }));
    listen(this.#tabs, 'valuechange', tab => this.#set({ tab }));
  }

  /** @param {URLSearchParams} params */
  activate(params) {
    this.#isActive = true;
    const active = params.get('tokenizer');
    if (active) acceptLink(this.#context, { active }, null);
    const isAnother = paramsOf(this.#state).toString() !== params.toString();
    if (isAnother) this.#state = stateOf(params);
    const { token, tab, size } = this.#state;
    if (isAnother) this.#size.element.size = size;
    const isChosen = this.#adopt();
    if (isAnother && !isChosen) this.#ask();
    if (isAnother && token !== null) this.#open(token, tab);
    this.#showTab(tab);
    this.#notes();
  }
  deactivate() {
    this.#isActive = false;
    this.#search.stop();
  }
  destroy() {
    super.destroy();
    this.#source.stop();
  }

  get followsActive() {
    return true;
  }

  get commands() {
    return vocabularyCommands(this.#context.settings, this.#source.examples, {
      search: () => this.focusText(),
      mode: mode => {
        this.#change({ ...this.#state.query, mode });
        this.focusText();
      },
      example: name => this.#tryExample(name),
      clear: () => this.#change(EVERYTHING),
      tab: name => this.#showTab(name),
      save: format => this.#export(format),
    });
  }

  get focusName() {
    return 'the search';
  }

  focusText() {
    this.#search.focusField();
  }

  #onChoice() {
    if (this.#isActive) this.#adopt();
  }

  /** Shows an error, unless another screen is shown now. @param {unknown} error */
  #showError(error) {
    if (this.#isActive) this.#context.status.showError(error);
  }

  /**
   * Takes over the tokenizer that is chosen in the bar; also another one that has the same id now.
   * @returns {boolean} whether it is another one
   */
  #adopt() {
    const id = this.#context.settings.get('active');
    const isFirst = this.#source.of === '';
    if (!id || !this.#source.choose(id, this.#context.catalog.revisionOf(id))) return false;
    const filters = { kinds: [], scripts: [], verdicts: [], length: null };
    if (!isFirst) this.#state = { ...this.#state, token: null, query: { ...this.#state.query, ...filters } };
    // Nothing of another tokenizer stays, should this one have no vocabulary to show.
    this.#page = null;
    this.#rows.clear();
    this.#search.found = '';
    this.#entry.element.show(null);
    this.#context.status.clearError();
    this.#ask();
    if (isNarrow(this.#state.query)) this.#countWhole();
    this.#overview.audit(this.#state.query);
    this.#size.element.restart();
    return true;
  }

  get #model() {
    return this.#context.catalog.entry(this.#source.of)?.stages?.model ?? '';
  }

  /**
   * Changes what is shown, and the address with it.
   * @param {Partial<import('./vocabulary_state.js').VocabularyState>} patch
   */
  #set(patch) {
    this.#state = { ...this.#state, ...patch };
    if (this.#isActive) this.#context.router.replace('vocabulary', paramsOf(this.#state));
  }

  /** @param {import('../../api/vocabulary_query.js').VocabularyQuery} query */
  #change(query) {
    this.#set({ query });
    return this.#ask();
  }

  #clear() {
    const { mode, ignoreCase } = this.#state.query;
    this.#change({ ...EVERYTHING, mode, ignoreCase });
    this.focusText();
  }

  /** The examples and the status line are of the whole vocabulary, also where a part of it is shown first. */
  #countWhole() {
    const draw = () => {
      this.#drawControls();
      this.#notes();
    };
    this.#context.activity.track(this.#source.countWhole().then(draw, error => this.#showError(error)));
  }

  /** Searches by an example; a second press shows everything again. @param {string} name */
  #tryExample(name) {
    const { query } = this.#source.examples.find(each => each.name === name) ?? { query: EVERYTHING };
    this.#change(isSameSearch(query, this.#state.query) ? EVERYTHING : query);
  }

  /** Searches anew. */
  #ask({ keep = false } = {}) {
    this.#drawControls();
    const work = this.#source.search(this.#state.query).then(page => {
      if (!page) return;
      this.#page = page;
      this.#rows.note(page);
      this.#overview.audit(this.#state.query); // it may have failed
      this.#facets.problem = '';
      this.#search.invalid = false;
      this.#draw(page, keep);
    });
    return this.#context.activity.track(work.catch(error => this.#fail(error)));
  }

  /** Shows an invalid search next to its field; the last good answer stays. @param {Error & {code?: string}} error */
  #fail(error) {
    if (error.code !== 'bad_request') {
      this.#showError(error);
      return;
    }
    this.#rows.refuse();
    this.#search.invalid = true;
    this.#facets.problem = problemWords(error);
  }

  /** @param {number} id @param {import('./vocabulary_state.js').Tab} [tab] to show */
  #open(id, tab = 'entry') {
    this.#rows.table.mark(id);
    this.#set({ token: id, tab });
    this.#showTab(tab);
    return this.#entry.open(id);
  }

  /** @param {'csv'|'json'} format */
  #export(format) {
    const { of } = this.#source;
    h('a', {
      href: exportAddress(of, this.#state.query, format),
      download: `${of}-vocabulary.${format}`,
    }).click();
  }

  /** @param {import('./vocabulary_state.js').Tab} name */
  #showTab(name) {
    this.#tabs.value = name;
    if (this.#state.tab !== name) this.#set({ tab: name });
  }

  #drawControls() {
    const { query } = this.#state;
    this.#search.query = query;
    this.#facets.showExamples(this.#source.examples, query);
    this.#rows.drawHead(query);
    if (this.#isActive) this.#context.router.replace('vocabulary', paramsOf(this.#state));
  }

  /** @param {import('../../api/schema.d.ts').VocabularyPage} page @param {boolean} keep */
  #draw(page, keep) {
    const { total, count: all, facets } = page;
    const { query, token } = this.#state;
    this.#drawControls();
    const order = query.order === 'words' && !query.descending ? ', whole words first' : '';
    this.#search.found = isNarrow(query) ? `${count(total)} of ${count(all)}` : `${plural(all, 'token')}${order}`;
    this.#facets.showFacets(facets, query, this.#model);
    this.#rows.show(page, query, keep);
    this.#overview.show(page, query);
    if (token !== null) this.#rows.table.mark(token);
    this.#notes();
  }

  #notes() {
    if (!this.#page || !this.#isActive) return;
    const { catalog, status } = this.#context;
    const kinds = kindNotes(this.#source.whole?.kinds ?? null);
    status.note(`${catalog.nameOf(this.#source.of)}: ${[plural(this.#page.count, 'token'), ...kinds].join(', ')}`);
    status.now(`found in ${duration(this.#page.elapsed_ns)}`);
  }
}
