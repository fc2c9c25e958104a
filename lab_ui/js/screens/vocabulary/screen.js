/**
 * Vocabulary: every token of one tokenizer; search, facets, how each is built, which of them no text gives, fewer of
 * them.
 */
import { exportAddress } from '../../api/vocabulary.js';
import { EVERYTHING, isNarrow, kindWords, parametersOf, scriptWords, toggled } from '../../api/vocabulary_query.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { closest, h, listen, setText } from '../../ui/dom.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { count, duration, plural, problemWords } from '../../util/format.js';
import { exampleSearches, isSameSearch } from './example_searches.js';
import { FacetChips } from './facet_chips.js';
import { VocabularyEntry } from './vocabulary_entry.js';
import { VocabularyOverview } from './vocabulary_overview.js';
import { MODES, VocabularySearch } from './vocabulary_search.js';
import { VocabularySize } from './vocabulary_size.js';
import { VocabularySource } from './vocabulary_source.js';
import { TABS, folding, kindNotes, ordered, paramsOf, stateOf } from './vocabulary_state.js';
import { VocabularyTable } from './vocabulary_table.js';

const NOT_SHRUNK = 'This vocabulary cannot be shrunk: only BPE (by rank) and Unigram (by score) order their tokens.';
const NOTHING = 'No matching tokens. Try a shorter search, ignore case, or clear filters.';
const NOTHING_LEFT = 'No token matches all of these filters.';

export default class VocabularyScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #source = new VocabularySource();
  #state = stateOf(new URLSearchParams());
  /** @type {import('../../api/vocabulary.js').VocabularyPage|null} */
  #page = null;
  #drawn = '';
  #examples = exampleSearches([]);
  /** How many tokens of the whole vocabulary are of each kind; null: not known yet. */
  #kindsOfAll = null;
  #search = new VocabularySearch();
  #problem = h('p', { class: 'search-problem warning', role: 'alert', hidden: true, 'data-role': 'search-error' });
  #try = new FacetChips();
  #kinds = new FacetChips();
  #scripts = new FacetChips();
  #table = new VocabularyTable();
  #empty = h('p', { class: 'empty-words dim', hidden: true });
  #side = new SidePanel();
  #tabs = new TabList();
  #detail = new VocabularyEntry();
  #overview = new VocabularyOverview();
  #size = new VocabularySize();
  #panels = { entry: this.#detail, whole: this.#overview, size: this.#size };

  mount(root, context) {
    this.#context = context;
    const bodies = Object.entries(this.#panels).map(([name, panel]) =>
      h('div', { class: 'tab-body', id: `vocabulary-${name}` }, panel),
    );
    root.append(
      h(
        'div',
        { class: 'vocabulary' },
        this.#search,
        h('div', { class: 'facet-rows' }, this.#problem, this.#try, this.#kinds, this.#scripts),
        h('div', { class: 'vocabulary-work' }, this.#table, this.#empty),
        this.#side,
      ),
    );
    this.#side.label = 'Details';
    this.#side.body.append(this.#tabs, ...bodies);
    this.#tabs.tabs = TABS.map(tab => ({ ...tab, panel: this.#panels[tab.value].parentElement }));
    this.#table.start({ load: page => this.#load(page) });
    this.#size.text = context.session.text;
    followPanelSettings(this.#side, context.settings, this.life);
    this.#listen();
    context.settings.on(['active'], () => this.#onChoice(), this.life);
    context.catalog.addEventListener('change', () => this.#onChoice(), { signal: this.life });
  }

  #listen() {
    const change = patch => this.#change({ ...this.#state.query, ...patch });
    const toggle = (list, name) => change({ [list]: toggled(this.#state.query[list], name) });
    listen(this.#search, 'searchchange', change);
    listen(this.#search, 'clear', () => this.#clear());
    listen(this.#search, 'save', format => this.#export(format));
    listen(this.#search, 'rows', async q => {
      if (q !== null) await change({ q });
      this.#table.focusRows();
    });
    listen(this.#try, 'facet', name => this.#tryExample(name));
    listen(this.#kinds, 'facet', kind => toggle('kinds', kind));
    listen(this.#scripts, 'facet', script => toggle('scripts', script));
    listen(this.#overview, 'verdict', verdict => toggle('verdicts', verdict));
    listen(this.#overview, 'length', length => change({ length }));
    listen(this.#detail, 'holders', q => this.#change({ ...EVERYTHING, mode: 'hex', q: q.match(/../g).join(' ') }));
    listen(this.#table, 'sort', order => this.#change(ordered(this.#state.query, order)));
    listen(this.#table, 'showunused', () => change({ kinds: ['unused'] }));
    for (const part of [this.#table, this.#detail]) listen(part, 'opentoken', id => this.#open(id));
    listen(this.#detail, 'trytext', text => {
      this.#context.settings.set({ active: this.#source.of });
      this.#context.session.setText(text);
      this.#context.router.go('inspect');
    });
    listen(this.#size, 'truncate', detail => this.#shrinkTo(detail));
    listen(this.#size, 'sizechange', size => this.#set({ size }));
    listen(this.#tabs, 'valuechange', tab => this.#set({ tab }));
    this.#table.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !closest(event, '[data-row]')) return;
      event.preventDefault();
      this.#showTab('entry');
      this.#detail.focusHead();
    });
  }

  activate(params) {
    this.#isActive = true;
    const isAnother = paramsOf(this.#state).toString() !== params.toString();
    if (isAnother) this.#state = stateOf(params);
    const { token, tab, size } = this.#state;
    if (isAnother) this.#size.size = size;
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

  /** What the keys and the palette can do here. */
  get commands() {
    return [
      { label: 'Search the vocabulary', keys: ['/'], run: () => this.focusText() },
      ...MODES.map(({ value: mode, label }) => ({
        label: `Search by ${label}`,
        run: () => {
          this.#change({ ...this.#state.query, mode: /** @type {any} */ (mode) });
          this.focusText();
        },
      })),
      ...this.#examples.map(({ name, label }) => ({
        label: `Example search: ${label}`,
        run: () => this.#tryExample(name),
      })),
      { label: 'Clear the search', run: () => this.#change(EVERYTHING) },
      ...TABS.map(({ value, label }) => ({ label: `Show ${label.toLowerCase()}`, run: () => this.#showTab(value) })),
      panelCommand(this.#context.settings),
      { label: 'Export as CSV', run: () => this.#export('csv') },
      { label: 'Export as JSON', run: () => this.#export('json') },
    ];
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

  /** Shows an error, unless another screen is shown now. */
  #showError(error) {
    if (this.#isActive) this.#context.status.showError(error);
  }

  /**
   * Takes over the tokenizer that is chosen in the bar; also another one that has the same id now.
   * @returns {boolean} whether it is another one
   */
  #adopt() {
    const id = this.#context.settings.get('active');
    const isFirst = this.#source.of === null;
    if (!id || !this.#source.choose(id, this.#context.catalog.revisionOf(id))) return false;
    const filters = { kinds: [], scripts: [], verdicts: [], length: null };
    if (!isFirst) this.#state = { ...this.#state, token: null, query: { ...this.#state.query, ...filters } };
    // Nothing of another tokenizer stays, should this one have no vocabulary to show.
    this.#page = null;
    this.#drawn = '';
    this.#examples = exampleSearches([]);
    this.#kindsOfAll = null;
    this.#table.show({ rows: 0, unused: 0 }, []);
    this.#search.found = '';
    this.#detail.show(null);
    this.#context.status.clearError();
    this.#ask();
    if (isNarrow(this.#state.query)) this.#countWhole();
    this.#audit();
    this.#size.restart();
    return true;
  }

  get #model() {
    return this.#context.catalog.entry(this.#source.of)?.stages?.model ?? '';
  }

  /** What is known of how tokens came about: SentencePiece's own files have scores for merges. */
  get #knows() {
    if (this.#page?.tokens.some(token => token.score !== null)) return 'scores';
    return /BPE/.test(this.#model) ? 'merges' : 'plain';
  }

  /**
   * Changes what is shown, and the address with it.
   * @param {Partial<import('./vocabulary_state.js').VocabularyState>} patch
   */
  #set(patch) {
    this.#state = { ...this.#state, ...patch };
    if (this.#isActive) this.#context.router.replace('vocabulary', paramsOf(this.#state));
  }

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
    const draw = facets => {
      if (!facets) return;
      this.#takeWhole(facets);
      this.#drawControls();
      this.#notes();
    };
    this.#context.activity.track(this.#source.facets().then(draw, error => this.#showError(error)));
  }

  #takeWhole({ scripts, kinds }) {
    this.#examples = exampleSearches(scripts);
    this.#kindsOfAll = kinds;
  }

  /** Searches by an example; a second press shows everything again. */
  #tryExample(name) {
    const { query } = this.#examples.find(each => each.name === name) ?? { query: EVERYTHING };
    this.#change(isSameSearch(query, this.#state.query) ? EVERYTHING : query);
  }

  /** Searches anew. */
  #ask({ keep = false } = {}) {
    this.#drawControls();
    const work = this.#source.search(this.#state.query).then(page => {
      if (!page) return;
      this.#page = page;
      this.#audit(); // it may have failed
      this.#problem.hidden = true;
      this.#search.invalid = false;
      this.#draw(keep);
    });
    return this.#context.activity.track(work.catch(error => this.#fail(error)));
  }

  /** Shows an invalid search next to its field; the last good answer stays. */
  #fail(error) {
    if (error.code !== 'bad_request') {
      this.#showError(error);
      return;
    }
    this.#empty.hidden = true; // it is about a search that could be made
    this.#search.invalid = true;
    this.#problem.hidden = false;
    setText(this.#problem, problemWords(error));
  }

  async #load(page) {
    try {
      return await this.#context.activity.track(this.#source.rows(this.#state.query, page));
    } catch (error) {
      this.#showError(error);
      throw error;
    }
  }

  #audit() {
    this.#overview.showAudit(this.#source.audit, this.#state.query.verdicts);
    this.#context.activity.track(
      this.#source.askAudit().then(
        isNew => (isNew ? this.#ask({ keep: true }) : null),
        error => this.#overview.showAuditProblem(problemWords(error)),
      ),
    );
  }

  /** @param {number} id @param {import('./vocabulary_state.js').Tab} [tab] to show */
  #open(id, tab = 'entry') {
    this.#table.mark(id);
    this.#set({ token: id, tab });
    this.#showTab(tab);
    const show = detail => {
      if (!detail) return;
      this.#detail.show(detail, this.#model);
      const { verdict, explanation } = detail.reachability;
      this.#context.status.announce(`token ${id}, ${verdict}: ${explanation}`);
    };
    return this.#context.activity.track(this.#source.token(id).then(show, error => this.#showError(error)));
  }

  #shrinkTo({ size, text }) {
    if (!/BPE|Unigram/.test(this.#model)) {
      this.#size.refuse(NOT_SHRUNK);
      return;
    }
    const refuse = error => {
      if (error.code === 'bad_request') this.#size.refuse(problemWords(error));
      else this.#showError(error);
    };
    const show = answer => answer && this.#size.show({ ...answer, text });
    this.#context.activity.track(this.#source.truncate(size, text).then(show, refuse));
  }

  #export(format) {
    const { of } = this.#source;
    h('a', {
      href: exportAddress(of, this.#state.query, format),
      download: `${of}-vocabulary.${format}`,
    }).click();
  }

  #showTab(name) {
    this.#tabs.value = name;
    if (this.#state.tab !== name) this.#set({ tab: name });
  }

  #drawControls() {
    const { query } = this.#state;
    this.#search.query = query;
    this.#try.show(
      'Try',
      this.#examples.map(({ name }) => ({ name, count: null })),
      this.#examples.filter(example => isSameSearch(example.query, query)).map(({ name }) => name),
      name => this.#examples.find(example => example.name === name)?.label ?? name,
    );
    this.#table.setHead(this.#knows, this.#model, query.order, query.descending);
    if (this.#isActive) this.#context.router.replace('vocabulary', paramsOf(this.#state));
  }

  #draw(keep) {
    const { total, count: all, facets, tokens } = this.#page;
    const { query, token } = this.#state;
    const byCount = list => [...list].sort((a, b) => b.count - a.count);
    if (!isNarrow(query)) this.#takeWhole(facets);
    this.#drawControls();
    const order = query.order === 'words' && !query.descending ? ', whole words first' : '';
    this.#search.found = isNarrow(query) ? `${count(total)} of ${count(all)}` : `${plural(all, 'token')}${order}`;
    this.#kinds.show('Kind', byCount(facets.kinds), query.kinds, kind => kindWords(kind, this.#model));
    this.#scripts.show('Script', byCount(facets.scripts), query.scripts, scriptWords);
    // An answer with new facts may be the first to arrive, where it took the place of the one before it.
    const drawn = `${this.#source.of} ${parametersOf(query)}`;
    if (keep && drawn === this.#drawn) this.#table.refresh(tokens);
    else this.#table.show(folding(query, this.#page), tokens);
    this.#drawn = drawn;
    this.#empty.hidden = total > 0;
    setText(this.#empty, query.q ? NOTHING : NOTHING_LEFT);
    this.#overview.showPage(this.#page, query.length);
    this.#overview.showAudit(this.#source.audit, query.verdicts);
    if (token !== null) this.#table.mark(token);
    this.#notes();
  }

  #notes() {
    if (!this.#page || !this.#isActive) return;
    const { catalog, status } = this.#context;
    const kinds = kindNotes(this.#kindsOfAll);
    status.note(`${catalog.nameOf(this.#source.of)}: ${[plural(this.#page.count, 'token'), ...kinds].join(', ')}`);
    status.now(`found in ${duration(this.#page.elapsed_ns)}`);
  }
}
