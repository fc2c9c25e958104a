/**
 * Vocabulary: every token of one tokenizer; search, facets, how each is built, which of them no text gives, fewer of
 * them.
 */
import {
  auditVocabulary,
  truncateVocabulary,
  exportAddress,
  searchVocabulary,
  vocabularyToken,
} from '../../api/vocabulary.js';
import { FacetChips } from './facet_chips.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { TabList } from '../../ui/tab_list.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { VocabularySize } from './vocabulary_size.js';
import { VocabularyEntry } from './vocabulary_entry.js';
import { VocabularyOverview } from './vocabulary_overview.js';
import { PAGE, VocabularyTable } from './vocabulary_table.js';
import { closest, h, listen, setText } from '../../ui/dom.js';
import { count, duration, plural, problemWords } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { Screen } from '../../app/screen.js';
import {
  EVERYTHING,
  isNarrow,
  kindWords,
  parametersOf,
  queryOf,
  scriptWords,
  toggled,
} from '../../api/vocabulary_query.js';

const MODES = [
  { value: 'text', label: 'text' },
  { value: 'regex', label: 'regex' },
  { value: 'hex', label: 'hex' },
  { value: 'ids', label: 'ID range' },
];
const HINTS = { text: 'Search the tokens', regex: '^ ?[A-Z]+$', hex: 'e6 97 a5', ids: '1000-1999' };
const TABS = [
  { value: 'entry', label: 'Entry' },
  { value: 'whole', label: 'Overview' },
  { value: 'size', label: 'Size' },
];
const TYPING_MS = 120;
const LARGEST_FIRST = ['length', 'characters', 'merged_into_count'];

export default class VocabularyScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #query = EVERYTHING;
  #page = null;
  #entry = null;
  #audits = new Map();
  #of = null;
  #revision = null;
  #drawn = '';
  #typing = 0;
  #searching = new Latest();
  #opening = new Latest();
  #auditing = new Latest();
  #auditedOf = null;
  #shrinking = new Latest();
  #search;
  #modes = h(new SegmentedControl(), { ariaLabel: 'Search for' });
  #case = new ToggleSwitch();
  #found = h('span', { class: 'number dim found', 'data-role': 'found' });
  #clear;
  #problem = h('p', { class: 'search-problem warning', role: 'alert', hidden: true, 'data-role': 'search-error' });
  #kinds = new FacetChips();
  #scripts = new FacetChips();
  #table = new VocabularyTable();
  #empty = h('p', { class: 'empty-words dim', hidden: true });
  #tabs = new TabList();
  #panels;
  #detail = new VocabularyEntry();
  #overview = new VocabularyOverview();
  #size = new VocabularySize();

  mount(root, context) {
    this.#context = context;
    this.#search = h('input', {
      type: 'search',
      class: 'search-field mono',
      'aria-label': 'Search the vocabulary',
      'data-role': 'vocabulary-search',
      spellcheck: false,
      autocomplete: 'off',
      oninput: () => this.#onType(),
      onkeydown: event => this.#onSearchKey(event),
    });
    this.#clear = h(
      'button',
      {
        type: 'button',
        class: 'button',
        hidden: true,
        onclick: () => {
          this.#change({ ...EVERYTHING, mode: this.#query.mode, ignoreCase: this.#query.ignoreCase });
          this.focusText();
        },
      },
      'Clear',
    );
    const file = format =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-role': `export-${format}`,
          title: `Save what is found as ${format.toUpperCase()}`,
          onclick: () => this.#export(format),
        },
        format.toUpperCase(),
      );
    this.#panels = { entry: this.#detail, whole: this.#overview, size: this.#size };
    const bodies = Object.entries(this.#panels).map(([name, panel]) =>
      h('div', { class: 'tab-body', id: `vocabulary-${name}` }, panel),
    );
    const element = h(
      'div',
      { class: 'vocabulary' },
      h(
        'div',
        { class: 'tools' },
        h('h1', { class: 'visually-hidden' }, 'Vocabulary'),
        this.#search,
        this.#modes,
        this.#found,
        this.#clear,
        h('span', { class: 'grow' }),
        this.#case,
        h(
          'span',
          { class: 'export', role: 'group', 'aria-label': 'Export' },
          h('span', { class: 'dim' }, 'Export'),
          file('csv'),
          file('json'),
        ),
      ),
      h('div', { class: 'facet-rows' }, this.#problem, this.#kinds, this.#scripts),
      h('div', { class: 'vocabulary-work' }, this.#table, this.#empty),
      h('aside', { class: 'panel', 'aria-label': 'Details' }, this.#tabs, ...bodies),
    );
    root.append(element);
    this.#start();
    context.settings.on(['active'], () => this.#onChoice(), this.life);
    context.catalog.addEventListener('change', () => this.#onChoice(), { signal: this.life });
  }

  #start() {
    this.#modes.options = MODES;
    this.#case.label = 'Ignore case';
    this.#tabs.tabs = TABS.map(tab => ({ ...tab, panel: this.#panels[tab.value].parentElement }));
    this.#table.start({ want: page => this.#want(page) });
    this.#size.text = this.#context.session.text;

    listen(this.#modes, 'valuechange', mode => this.#change({ ...this.#query, mode }));
    listen(this.#case, 'valuechange', ignoreCase => this.#change({ ...this.#query, ignoreCase }));
    listen(this.#kinds, 'facet', kind => this.#change({ ...this.#query, kinds: toggled(this.#query.kinds, kind) }));
    listen(this.#scripts, 'facet', script =>
      this.#change({ ...this.#query, scripts: toggled(this.#query.scripts, script) }),
    );
    listen(this.#overview, 'verdict', verdict =>
      this.#change({ ...this.#query, verdicts: toggled(this.#query.verdicts, verdict) }),
    );
    listen(this.#overview, 'length', length => this.#change({ ...this.#query, length }));
    listen(this.#detail, 'holders', q => this.#change({ ...EVERYTHING, mode: 'hex', q: q.match(/../g).join(' ') }));
    listen(this.#table, 'sort', order =>
      this.#change({
        ...this.#query,
        order,
        descending: order === this.#query.order ? !this.#query.descending : LARGEST_FIRST.includes(order),
      }),
    );
    for (const part of [this.#table, this.#detail]) listen(part, 'opentoken', id => this.#open(id));
    listen(this.#detail, 'trytext', text => {
      this.#context.settings.set({ active: this.#of });
      this.#context.session.setText(text);
      this.#context.router.go('inspect');
    });
    listen(this.#size, 'truncate', detail => this.#shrinkTo(detail));
    this.#table.addEventListener('keydown', event => {
      if (event.key === 'Enter' && closest(event, '[data-row]')) {
        event.preventDefault();
        this.#showTab('entry');
        this.#detail.focusHead();
      }
    });
    this.#showTab('whole');
  }

  activate(params) {
    const of = this.#of;
    this.#isActive = true;
    const isAnother = parametersOf(this.#query) !== params.toString();
    if (isAnother) this.#query = queryOf(params);
    this.#adopt();
    if (isAnother && of === this.#of) this.#ask();
    if (isAnother && this.#query.mode === 'ids' && /^\d+$/.test(this.#query.q)) this.#open(Number(this.#query.q));
    this.#notes();
  }
  deactivate() {
    this.#isActive = false;
    clearTimeout(this.#typing);
  }
  destroy() {
    super.destroy();
    for (const work of [this.#searching, this.#opening, this.#auditing, this.#shrinking]) work.stop();
  }

  get followsActive() {
    return true;
  }

  /** What the keys and the palette can do here. */
  get commands() {
    return [
      { label: 'Search the vocabulary', keys: ['/'], run: () => this.focusText() },
      ...MODES.map(({ value, label }) => ({
        label: `Search by ${label}`,
        run: () => {
          this.#change({ ...this.#query, mode: value });
          this.focusText();
        },
      })),
      { label: 'Clear the search', run: () => this.#change(EVERYTHING) },
      ...TABS.map(({ value, label }) => ({ label: `Show ${label.toLowerCase()}`, run: () => this.#showTab(value) })),
      { label: 'Export as CSV', run: () => this.#export('csv') },
      { label: 'Export as JSON', run: () => this.#export('json') },
    ];
  }

  get focusName() {
    return 'the search';
  }

  focusText() {
    this.#search.focus();
    this.#search.select();
  }

  #onChoice() {
    if (this.#isActive) this.#adopt();
  }

  /** What is wrong is told on the screen that it is about. */
  #tell(error) {
    if (this.#isActive) this.#context.status.showError(error);
  }

  /** Takes over the tokenizer that is chosen in the bar; also another one that has the same id now. */
  #adopt() {
    const id = this.#context.settings.get('active');
    const revision = this.#context.catalog.revisionOf(id);
    if (!id || (id === this.#of && revision === this.#revision)) return;
    const first = this.#of === null;
    this.#of = id;
    this.#revision = revision;
    if (!first) this.#query = { ...this.#query, kinds: [], scripts: [], verdicts: [], length: null };
    // Nothing of another tokenizer stays, should this one have no vocabulary to show.
    this.#page = this.#entry = null;
    this.#drawn = '';
    this.#table.show(0, []);
    setText(this.#found, '');
    this.#detail.show(null);
    this.#context.status.clearError();
    this.#ask();
    this.#audit();
    this.#size.restart();
  }

  get #model() {
    return this.#context.catalog.entry(this.#of)?.stages?.model ?? '';
  }

  /** What is known of how tokens came about: SentencePiece's own files have scores for merges. */
  get #knows() {
    if (this.#page?.tokens.some(token => token.score !== null)) return 'scores';
    return /BPE/.test(this.#model) ? 'merges' : 'plain';
  }

  #onType() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#change({ ...this.#query, q: this.#search.value }), TYPING_MS);
  }

  #onSearchKey(event) {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    clearTimeout(this.#typing);
    if (this.#search.value !== this.#query.q)
      this.#change({ ...this.#query, q: this.#search.value }).then(() => this.#table.focusRows());
    else this.#table.focusRows();
  }

  #change(query) {
    this.#query = query;
    return this.#ask();
  }

  /** Searches anew. */
  #ask({ keep = false } = {}) {
    const of = this.#of;
    const query = this.#query;
    this.#drawControls();
    return this.#context.activity.track(
      this.#searching
        .run(signal => searchVocabulary(of, query, 0, PAGE, signal))
        .then(
          page => {
            if (!page) return;
            this.#page = page;
            if (!this.#audits.has(this.#revision)) this.#audit(); // it may have failed
            this.#problem.hidden = true;
            this.#search.removeAttribute('aria-invalid');
            this.#draw(keep);
          },
          error => this.#fail(error),
        ),
    );
  }

  /** A search that is none is told beside its field; the last good answer stays. */
  #fail(error) {
    if (error.code !== 'bad_request') {
      this.#tell(error);
      return;
    }
    this.#empty.hidden = true; // it is about a search that could be made
    this.#search.setAttribute('aria-invalid', 'true');
    this.#problem.hidden = false;
    setText(this.#problem, problemWords(error));
  }

  #want(page) {
    const of = this.#of;
    const query = this.#query;
    this.#context.activity.track(
      searchVocabulary(of, query, page * PAGE, PAGE).then(
        answer => {
          if (of === this.#of && query === this.#query) this.#table.add(page, answer.tokens);
        },
        error => {
          this.#table.fail(page);
          this.#tell(error);
        },
      ),
    );
  }

  #audit() {
    const of = this.#of;
    const revision = this.#revision;
    if (this.#audits.has(revision)) {
      this.#overview.showAudit(this.#audits.get(revision), this.#query.verdicts);
      return;
    }
    if (this.#auditing.running && this.#auditedOf === revision) return;
    this.#auditedOf = revision;
    this.#overview.showAudit(null, []);
    this.#context.activity.track(
      this.#auditing
        .run(signal => auditVocabulary(of, signal))
        .then(
          audit => {
            if (!audit) return null;
            this.#audits.set(revision, audit);
            return of === this.#of ? this.#ask({ keep: true }) : null;
          },
          error => this.#overview.showAuditProblem(problemWords(error)),
        ),
    );
  }

  #open(id) {
    const of = this.#of;
    this.#table.mark(id);
    this.#showTab('entry');
    return this.#context.activity.track(
      this.#opening
        .run(signal => vocabularyToken(of, id, signal))
        .then(
          detail => {
            if (!detail || of !== this.#of) return;
            this.#entry = detail;
            this.#detail.show(detail, this.#model);
            this.#context.status.announce(
              `token ${id}, ${detail.reachability.verdict}: ${detail.reachability.explanation}`,
            );
          },
          error => this.#tell(error),
        ),
    );
  }

  #shrinkTo({ size, text }) {
    const of = this.#of;
    if (!/BPE|Unigram/.test(this.#model)) {
      this.#size.refuse(
        'This vocabulary cannot be shrunk: only BPE (by rank) and Unigram (by score) order their tokens.',
      );
      return;
    }
    this.#context.activity.track(
      this.#shrinking
        .run(signal => truncateVocabulary(of, size, text, signal))
        .then(
          answer => {
            if (answer && of === this.#of) this.#size.show({ ...answer, text });
          },
          error => {
            if (error.code === 'bad_request') this.#size.refuse(problemWords(error));
            else this.#tell(error);
          },
        ),
    );
  }

  #export(format) {
    const link = h('a', {
      href: exportAddress(this.#of, this.#query, format),
      download: `${this.#of}-vocabulary.${format}`,
    });
    link.click();
  }

  #showTab(name) {
    this.#tabs.value = name;
  }

  #drawControls() {
    const { q, mode, ignoreCase, order, descending } = this.#query;
    if (this.#search.value !== q && document.activeElement !== this.#search) this.#search.value = q;
    if (document.activeElement === this.#search && q === '') this.#search.value = q;
    this.#search.placeholder = HINTS[mode];
    this.#modes.value = mode;
    this.#case.checked = ignoreCase;
    this.#clear.hidden = !isNarrow(this.#query);
    this.#table.setHead(this.#knows, this.#model, order, descending);
    if (this.#isActive) this.#context.router.replace('vocabulary', new URLSearchParams(parametersOf(this.#query)));
  }

  #draw(keep) {
    const { total, count: all, facets, tokens } = this.#page;
    const query = this.#query;
    setText(this.#found, isNarrow(query) ? `${count(total)} of ${count(all)}` : plural(all, 'token'));
    this.#kinds.show(
      'Kind',
      [...facets.kinds].sort((a, b) => b.count - a.count),
      query.kinds,
      kind => kindWords(kind, this.#model),
    );
    this.#scripts.show(
      'Script',
      [...facets.scripts].sort((a, b) => b.count - a.count),
      query.scripts,
      scriptWords,
    );
    // An answer with new facts may be the first to arrive, where it took the place of the one before it.
    const drawn = `${this.#of} ${parametersOf(query)}`;
    this.#table.setHead(this.#knows, this.#model, query.order, query.descending);
    if (keep && drawn === this.#drawn) this.#table.refresh(tokens);
    else this.#table.show(total, tokens);
    this.#drawn = drawn;
    this.#empty.hidden = total > 0;
    setText(
      this.#empty,
      query.q
        ? 'No matching tokens. Try a shorter search, ignore case, or clear filters.'
        : 'No token matches all of these filters.',
    );
    this.#overview.showPage(this.#page, query.length);
    this.#overview.showAudit(this.#audits.get(this.#revision) ?? null, query.verdicts);
    if (this.#entry) this.#table.mark(this.#entry.token.id);
    this.#notes();
  }

  #notes() {
    if (!this.#page || !this.#isActive) return;
    const special = this.#context.catalog.entry(this.#of)?.special_tokens.length ?? 0;
    this.#context.status.note(
      `${this.#context.catalog.nameOf(this.#of)}: ${plural(this.#page.count, 'token')}, ${special} of them special`,
    );
    this.#context.status.now(`found in ${duration(this.#page.elapsed_ns)}`);
  }
}
