/** Compare: two to eight tokenizers on one text. Cuts line up under the text; where all agree it is grey. */
import { compare, tokenize } from '../../api/encoding.js';
import { retokenize, tokenizerDiff, vocabularyOverlap } from '../../api/relations.js';
import { AgreementMatrix } from './agreement_matrix.js';
import { CompareCards } from './compare_cards.js';
import { DivergenceList } from './divergence_list.js';
import { MiniMap } from './mini_map.js';
import { PairReport } from './pair_report.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { SampleChips } from '../../ui/sample_chips.js';
import { TabList } from '../../ui/tab_list.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { TextScreen } from '../../app/text_screen.js';
import { TextScreenHost } from '../../app/text_screen_host.js';
import { FIRST_CHOICE } from '../../app/shared_settings.js';
import { TokenText } from '../../editor/token_text.js';
import { classAt, classesFor, countClasses } from './agreement.js';
import { shortened } from '../../text/clusters.js';
import { NO_DIVERGENCES } from '../../text/divergences.js';
import { h, listen, setText } from '../../ui/dom.js';
import { icon } from '../../ui/icons.js';
import { tokenWords } from '../../text/figures.js';
import { count, plural, problemWords } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { withoutTrailingSpace } from './spaces.js';
import { delay } from '../../text/timing.js';
import { Panes, VIEWS } from './panes.js';
import { COMPARE, compared } from './settings.js';
import { tokenFacts } from '../../text/token_facts.js';
import { spokenText } from '../../text/visible_text.js';

const MOST_SPOKEN = 60; // UTF-16 units
const PAIR_WAIT_MS = 400; // reading two vocabularies takes a moment: not for every key
const COLOURS = { g0: 'var(--g0)', g1: 'var(--g1)', d0: 'var(--lane-0)', d1: 'var(--lane-1)' };
const UP = 'M6 15l6-6 6 6';
const DOWN = 'M6 9l6 6 6-6';

export default class CompareScreen extends TextScreenHost {
  static settings = COMPARE;
  #settings;

  constructor() {
    super(CompareView);
  }

  mount(root, context) {
    this.#settings = context.settings;
    super.mount(root, context);
  }

  get tokenizers() {
    return compared(this.#settings);
  }
}

class CompareView extends TextScreen {
  #lab;
  #text;
  #cards = new CompareCards();
  #list = new DivergenceList();
  #matrix = new AgreementMatrix();
  #map = new MiniMap();
  #reports = { transfer: new PairReport(), vocab: new PairReport() };
  #pairs = new Latest();
  #apart = null;
  #tabs = new TabList();
  #panes;
  #views;
  #counted = new Map();
  #spaces = h(new ToggleSwitch(), { hook: 'ignore-spaces' });
  #white = new ToggleSwitch();
  #answer = null;
  #kind = null;
  #current = -1;
  #position = h('span', { class: 'number dim', 'data-role': 'divergence-position' });
  #buttons;
  #few;
  #preset;

  /** @param {import('../../app/text_screen_host.js').TextHost} lab */
  constructor(lab) {
    super(lab, new TokenText());
    this.#lab = lab;
    this.#text = this.text;
    this.#panes = new Panes(lab, this.text);
    this.#views = h(new SegmentedControl(), { ariaLabel: 'View' });
    this.#buttons = {
      p: this.#button('Previous divergence (p)', UP, 'p', () => this.jump(-1)),
      n: this.#button('Next divergence (n)', DOWN, 'n', () => this.jump(1)),
    };
    this.#preset = h(
      'button',
      {
        type: 'button',
        class: 'small-chip',
        title: 'Compare these two',
        'data-role': 'preset',
        onclick: () => lab.usePreset(FIRST_CHOICE),
      },
      'BERT and GPT-2',
    );
    this.#few = h(
      'div',
      { class: 'few', hidden: true },
      h('p', {}),
      h('button', {
        type: 'button',
        class: 'button framed',
        onclick: () => (lab.state.hidden.length ? lab.state.set({ hidden: [] }) : lab.openAddTokenizer()),
      }),
    );
    const divergences = h('div', { class: 'tab-panel' }, this.#list);
    const agreement = h('div', { class: 'tab-panel' }, this.#matrix);
    const transfers = h('div', { class: 'tab-panel' }, this.#reports.transfer);
    const vocab = h('div', { class: 'tab-panel' }, this.#reports.vocab);
    this.element = h(
      'div',
      { class: 'compare' },
      this.#cards,
      h(
        'div',
        { class: 'tools' },
        this.#views,
        this.#spaces,
        this.#white,
        h('span', { class: 'grow' }),
        this.#position,
        this.#buttons.p,
        this.#buttons.n,
      ),
      h('div', { class: 'compare-work' }, this.#few, this.#panes.element, this.#map),
      h('div', { class: 'samples-row' }, new SampleChips(), this.#preset),
      h(
        'aside',
        { class: 'panel', 'aria-label': 'Where they differ' },
        this.#tabs,
        divergences,
        agreement,
        transfers,
        vocab,
      ),
    );
    this.panels = [
      { value: 'divergences', label: 'Divergences', panel: divergences },
      { value: 'agreement', label: 'Agreement', panel: agreement },
      { value: 'transfer', label: 'Transfer', panel: transfers },
      { value: 'vocab', label: 'Vocab', panel: vocab },
    ];
    listen(lab.state, 'change', detail => this.#onState(detail));
  }

  /** Called once, when the screen is first shown, with the element in the page. */
  start() {
    const { state, nonce } = this.#lab;
    this.#text.start({ kind: 'lanes', nonce, label: 'Text to compare', text: state.text });
    this.#panes.start();
    this.#panes.report = (type, detail) => this.#onPane(type, detail);
    this.#views.options = VIEWS;
    this.#tabs.tabs = this.panels;
    this.#spaces.label = 'Ignore which token keeps the space';
    this.#white.label = 'Whitespace';
    this.#applySwitches();

    listen(this.#spaces, 'valuechange', detail => state.set({ ignoreSpaces: detail }));
    listen(this.#white, 'valuechange', detail => state.set({ showWhiteSpace: detail }));
    listen(this.#views, 'valuechange', detail => state.set({ compareView: detail }));
    listen(this.#cards, 'baseline', detail => state.set({ baseline: detail }));
    listen(this.#cards, 'togglelane', detail => this.#toggle(detail));
    this.#text.addEventListener('textchange', () => this.edited());
    listen(this.#tabs, 'valuechange', () => {
      this.#drawPair();
      this.#drawAgreement();
    });
    for (const report of Object.values(this.#reports)) listen(report, 'pair', detail => this.#choosePair(detail));
    listen(this.#matrix, 'pair', detail => {
      this.#choosePair(detail);
      this.#openTab('vocab');
    });
    listen(this.#list, 'choose', detail => this.#go(detail));
    listen(this.#list, 'kind', detail => this.#filter(detail));
    listen(this.#map, 'jump', detail => this.#panes.reveal(Math.round(detail * this.#text.view.state.doc.length)));
    new ResizeObserver(() => this.#drawMapFrame()).observe(this.#panes.element);
  }

  #onPane(type, detail) {
    if (type === 'tokenhover') this.#onHover(detail);
    else if (type === 'tokenpick') this.#onPick(detail);
    else if (type === 'scrolled') this.#drawMapFrame();
    else if (type === 'choose' && detail >= 0 && this.#answer) {
      if (!this.#answer.numbers.includes(detail)) this.#filter(null);
      this.#go(detail);
    } else if (type === 'showtext') {
      this.#lab.state.set({ compareView: 'aligned' });
      this.#panes.reveal(detail);
    }
  }

  drawAround() {
    this.#drawCards();
  }

  /** Both panels speak of the same two. */
  #choosePair(pair) {
    this.#setChoices();
    for (const report of Object.values(this.#reports)) report.pair = pair;
    this.#drawPair();
  }

  #setChoices() {
    const { state } = this.#lab;
    for (const report of Object.values(this.#reports))
      report.choices = state.chosen.map(id => ({ id, name: state.nameOf(id) }));
  }

  #openTab(name) {
    this.#tabs.value = name;
    this.#drawPair();
    this.#drawAgreement();
  }

  /**
   * What two of the tokenizers have in common, or ids of one as ids of the other; asked for only while it is looked at.
   */
  #drawPair() {
    const { state } = this.#lab;
    const shown = this.#tabs.value;
    const panel = this.#reports[shown];
    if (!panel) return;
    this.#setChoices();
    const [a, b] = panel.pair;
    const nameOf = id => state.nameOf(id);
    this.#pairs.stop();
    if (state.chosen.length < 2) {
      panel.wait('Two tokenizers are needed.');
      return;
    }
    panel.wait('Comparing…');
    this.#lab.activity.track(
      (async () => {
        try {
          const { text, specials } = state;
          const answers = await this.#pairs.run(async signal => {
            await delay(PAIR_WAIT_MS, signal);
            return Promise.all([
              vocabularyOverlap(a, b, text, specials, signal),
              shown === 'vocab' ? this.#difference(a, b, signal) : retokenize(a, b, text, specials, signal),
            ]);
          });
          if (!answers) return;
          const [report, second] = answers;
          if (shown === 'vocab')
            panel.showVocabulary({ report, difference: second, nameOf, letterOf: id => state.letterOf(id) });
          else panel.showTransfer({ report, transfer: second, nameOf });
        } catch (error) {
          panel.wait(problemWords(error));
        }
      })(),
    );
  }

  /** What sets two tokenizers apart does not depend on the text: the answer is kept for the pair that is looked at. */
  async #difference(a, b, signal) {
    const { entries } = this.#lab.state;
    const kept = this.#apart;
    if (kept?.a === a && kept.b === b && kept.entries === entries) return kept.answer;
    const answer = await tokenizerDiff(a, b, signal);
    this.#apart = { a, b, entries, answer };
    return answer;
  }

  get pictured() {
    return this.#answer && this.#panes.texts.length ? this.#panes.element : null;
  }

  get heads() {
    const { lanes, results } = this.#answer;
    return lanes.map(({ id, name, letter }, n) => ({ id, letter, name, words: `${tokenWords(results[n])} tokens` }));
  }

  get commands() {
    const { state } = this.#lab;
    return [
      { label: 'Next divergence', keys: ['n', 'F8'], run: () => this.jump(1) },
      { label: 'Previous divergence', keys: ['p', 'Shift+F8'], run: () => this.jump(-1) },
      ...state.chosen.map(id => ({
        label: `Hide or show ${state.nameOf(id)}`,
        keys: [state.letterOf(id).toLowerCase()],
        also: 'tokenizer lane toggle',
        run: () => this.#toggle(id),
      })),
      ...this.panels.map(({ value, label }) => ({
        label: `Show ${{ vocab: 'vocabulary overlap and difference', transfer: 'transfer of ids and embeddings' }[value] ?? label.toLowerCase()}`,
        also: 'tab panel compatibility pair',
        run: () => this.#openTab(value),
      })),
      ...VIEWS.map(({ value, label }) => ({
        label: `Compare: ${label.toLowerCase()}`,
        also: 'view lanes columns',
        run: () => state.set({ compareView: value }),
      })),
      { label: 'Toggle IDs (side by side)', keys: ['i'], run: () => state.set({ showIds: !state.showIds }) },
      {
        label: 'Toggle whitespace',
        keys: ['w'],
        also: 'spaces',
        run: () => state.set({ showWhiteSpace: !state.showWhiteSpace }),
      },
      {
        label: 'Ignore or count which token keeps the space',
        run: () => state.set({ ignoreSpaces: !state.ignoreSpaces }),
      },
    ];
  }

  /** The next divergence of the kind that is shown, or the one before, from the current one. */
  jump(by) {
    const numbers = this.#answer?.numbers;
    if (!numbers?.length) return;
    const at = numbers.indexOf(this.#current);
    const next = at < 0 ? (by > 0 ? 0 : numbers.length - 1) : (at + by + numbers.length) % numbers.length;
    this.#go(numbers[next]);
  }

  wanted() {
    const { compared, encodeOptions } = this.#lab.state;
    this.#drawFew();
    if (!compared.length) return null;
    return {
      tokenizers: compared,
      options: compared.length > 1 ? encodeOptions : { ...encodeOptions, ignoreSpaces: null },
    };
  }

  /** One tokenizer alone is shown as it is: there is nothing it could differ from. */
  async ask({ tokenizers, options }, text, signal) {
    if (tokenizers.length > 1) return compare(tokenizers, text, options, signal);
    const { result, tokens } = await tokenize(tokenizers[0], text, options, signal);
    return { header: result, results: [result], tokens: [tokens], agreement: [[1]], divergences: NO_DIVERGENCES };
  }

  lanes(answer) {
    return answer.tokenizers.map((id, n) => this.#lane(id, answer, n));
  }

  #drawFew() {
    const { chosen, compared, hidden } = this.#lab.state;
    const [words, button] = this.#few.children;
    this.#few.hidden = compared.length >= 2;
    setText(words, hidden.length ? 'Select at least two tokenizers to compare.' : 'Add a second tokenizer to compare.');
    setText(button, chosen.length > 1 ? 'Show all' : 'Add tokenizer');
  }

  /** Leaves a tokenizer out of everything but its card, or takes it in again. */
  #toggle(id) {
    const { state } = this.#lab;
    const name = state.nameOf(id);
    if (!state.toggleHidden(id)) this.#lab.announce(`${name} is the last one that is shown`);
    else this.#lab.announce(`${name} is ${state.hidden.includes(id) ? 'hidden' : 'shown'}`);
  }

  async draw(answer) {
    this.#answer = {
      ...answer,
      divergences: answer.divergences ?? NO_DIVERGENCES,
      chosen: answer.tokenizers,
      lanes: this.lanes(answer),
      numbers: [],
    };
    this.#current = -1;
    this.#panes.ranges = [];
    this.#panes.show(this.#answer);
    this.#count(answer);
    this.#drawCards();
    await this.#learnAdded();
  }

  drawLater(answer) {
    const { text, results, header } = answer;
    this.#drawAgreement();
    this.#drawList();
    const slowest = Math.max(...results.map(result => result.elapsed_ns));
    this.#lab.showSource(this.#text, String(text), { ...header, elapsed_ns: slowest });
    this.#drawMapFrame();
    this.#drawPair();
  }

  /** What a card still says of a tokenizer that is hidden later: its count of this text with these switches. */
  #count({ tokenizers, results }) {
    tokenizers.forEach((id, n) => this.#counted.set(id, { version: this.#countVersion(id), result: results[n] }));
  }

  #countVersion(id) {
    const { state } = this.#lab;
    const { textVersion, addSpecialTokens, specials } = state;
    return `${textVersion} ${addSpecialTokens} ${specials} ${state.revisionOf(id)}`;
  }

  /** Shares of pairs, and in how many tokenizers the cuts are: only while it is looked at. */
  #drawAgreement() {
    const answer = this.#answer;
    const { state } = this.#lab;
    if (!answer || this.#tabs.value !== 'agreement') return;
    const { lanes, tokens } = answer;
    this.#matrix.clear();
    this.#lab.activity.track(
      countClasses(tokens, String(answer.text), state.ignoreSpaces).then(counts => {
        if (counts && this.#answer === answer)
          this.#matrix.show(lanes, answer.agreement ?? [[1]], { counts, classes: classesFor(lanes.length) });
      }),
    );
  }

  /**
   * Grey where all agree; where they differ the tokenizer's own two shades, by turns. The cut at its start says who has
   * it.
   */
  #lane(id, { tokens, divergences, text }, n) {
    const { state } = this.#lab;
    const spans = tokens[n];
    const ignore = state.ignoreSpaces;
    const slice = (from, to) => text.slice(from, to);
    if (!divergences?.length)
      return {
        id,
        name: state.nameOf(id),
        letter: state.letterOf(id),
        tokens: spans,
        shade: i => `g${spans.turn(i, 2)}`,
        colour: i => `var(--g${spans.turn(i, 2)})`,
      };
    const cut = remembered(i => `cut-${classAt(tokens, n, i, text, ignore)}`);
    const shade = remembered(i => {
      const from = spans.start16.at(i);
      const to = spans.end16.at(i);
      const counts = ignore ? withoutTrailingSpace(from, to, slice) : { from, to };
      return `${counts.to > counts.from && divergences.touches(counts.from, counts.to) ? 'd' : 'g'}${spans.turn(i, 2)}`;
    });
    return {
      id,
      name: state.nameOf(id),
      letter: state.letterOf(id),
      tokens: spans,
      shade,
      cut,
      colour: i => COLOURS[shade(i)],
    };
  }

  /** What the colours mean, and whose spans went through a normalizer. */
  #drawLegend() {
    const { state } = this.#lab;
    const changing = state.compared.filter(id => state.entry(id)?.lossy);
    const notes = changing.map(id => `${state.letterOf(id)} changes the text: aligned through its normalizer.`);
    const many = state.compared.length;
    const some = classesFor(many).includes('some') ? ', dots in some' : '';
    const colours =
      state.compareView === 'side'
        ? 'Every token has the colour it has in Inspect.'
        : 'Grey: all agree. Colour: they differ.';
    const cuts =
      many > 2 && state.compareView === 'aligned'
        ? [`Cuts: a line in all, dashes in most${some}, a wedge in one.`]
        : [];
    if (this.shown) this.#lab.setNote([...(many > 1 ? [colours] : []), ...cuts, ...notes].join(' '));
  }

  #drawCards() {
    const { state } = this.#lab;
    const answer = this.#answer;
    const baseline = state.compared.includes(state.baseline) ? state.baseline : state.compared[0];
    this.#drawLegend();
    this.#preset.hidden =
      FIRST_CHOICE.every(id => state.chosen.includes(id)) || !FIRST_CHOICE.every(id => state.entry(id));
    this.#cards.cards = state.chosen.map(id => {
      const entry = state.entry(id);
      const n = answer ? answer.chosen.indexOf(id) : -1;
      const tokens = n < 0 ? null : answer.tokens[n];
      const added = tokens
        ? [...tokens.leading, ...tokens.trailing].map(
            i => this.#lab.vocabulary.known(id, tokens.ids.at(i))?.text ?? '…',
          )
        : [];
      return {
        id,
        name: state.nameOf(id),
        letter: state.letterOf(id),
        family: entry?.family ?? '',
        vocabSize: entry?.vocab_size ?? null,
        baseline: id === baseline,
        hidden: state.hidden.includes(id),
        result: n < 0 ? this.#earlier(id) : answer.results[n],
        added,
      };
    });
  }

  #earlier(id) {
    const { version, result } = this.#counted.get(id) ?? {};
    return this.#lab.state.hidden.includes(id) && version === this.#countVersion(id) ? result : null;
  }

  async #learnAdded() {
    const { chosen, tokens } = this.#answer;
    try {
      await Promise.all(
        chosen.map((id, n) => {
          const ids = [...tokens[n].leading, ...tokens[n].trailing].map(i => tokens[n].ids.at(i));
          return ids.length ? this.#lab.vocabulary.entries(id, ids) : null;
        }),
      );
    } catch (error) {
      this.#lab.showError(error);
    }
    this.#drawCards();
  }

  #drawList() {
    const answer = this.#answer;
    const { divergences } = answer;
    const ofKind = divergences.kinds.map(() => 0);
    for (const kind of divergences.kind.all()) ofKind[kind]++;
    const kindCounts = new Map(divergences.kinds.map((name, kind) => [name, ofKind[kind]]));
    if (this.#kind && !kindCounts.get(this.#kind)) this.#kind = null;
    const wanted = this.#kind === null ? -1 : divergences.kinds.indexOf(this.#kind);
    answer.numbers = divergences.numbersOf(wanted);
    this.#list.show({
      divergences,
      numbers: answer.numbers,
      kind: this.#kind,
      kindCounts,
      text: answer.text,
      lanes: answer.lanes,
    });
    const places = list => (wanted < 0 ? list.all() : answer.numbers.map(n => list.at(n)));
    this.#map.show(places(divergences.start16), places(divergences.end16), answer.text.length);
    this.#drawPosition();
  }

  #drawPosition() {
    const numbers = this.#answer?.numbers ?? [];
    const at = numbers.indexOf(this.#current);
    // Where nothing is compared there is no number of divergences, and it is not 0.
    if (!this.#answer || this.#answer.lanes.length < 2) setText(this.#position, '');
    else
      setText(
        this.#position,
        at < 0 ? plural(numbers.length, 'divergence') : `${count(at + 1)} of ${count(numbers.length)}`,
      );
    for (const button of Object.values(this.#buttons)) button.disabled = !numbers.length;
  }

  #drawMapFrame() {
    if (this.shown && this.#answer) this.#map.shown = this.#panes.shown;
  }

  #filter(kind) {
    this.#kind = kind;
    if (this.#answer) this.#drawList();
    this.#lab.announce(`${plural(this.#answer?.numbers.length ?? 0, 'divergence')} shown`);
  }

  #go(number) {
    if (!this.#answer) return;
    const { divergences, text, lanes } = this.#answer;
    const from = divergences.start16.at(number);
    const to = divergences.end16.at(number);
    this.#current = number;
    this.#panes.ranges = [{ from, to, className: 'current' }];
    this.#panes.go(number, from);
    this.#list.chosen = number;
    this.#drawPosition();
    const counts = lanes.map(({ name }, column) => `${name} ${divergences.count(number, column)}`).join(', ');
    this.#lab.announce(
      `divergence ${this.#position.textContent}: ${spokenText(shortened(text.slice(from, to), MOST_SPOKEN))}, ${divergences.kinds[divergences.kind.at(number)]}; tokens: ${counts}`,
    );
  }

  /** A token is pointed at: its stretch of the text, and every token of the others that holds a part of it. */
  #onHover(found) {
    const answer = this.#answer;
    if (!found || !answer || this.running) {
      this.#panes.mark([]);
      this.#setRanges(null);
      this.#lab.showNow('');
      return;
    }
    const { tokens } = answer.lanes[found.lane];
    const from = tokens.start16.at(found.token);
    const to = tokens.end16.at(found.token);
    this.#panes.mark(
      answer.lanes.map(
        (lane, n) =>
          new Map(
            n === found.lane ? [[found.token, 'on']] : lane.tokens.overlapping(from, to, 400).map(i => [i, 'linked']),
          ),
      ),
    );
    this.#setRanges({ from, to, className: 'hovered' });
    this.#lab.showNow(this.#sentence(found));
  }

  #onPick(found) {
    const answer = this.#answer;
    if (!answer) return;
    const { tokens } = answer.lanes[found.lane];
    const number = answer.divergences.firstEndingAfter(tokens.start16.at(found.token));
    this.#lab.announce(this.#sentence(found));
    if (answer.numbers.includes(number) && answer.divergences.start16.at(number) < tokens.end16.at(found.token))
      this.#go(number);
  }

  #setRanges(hovered) {
    const { divergences } = this.#answer ?? {};
    const ranges = [];
    if (this.#current >= 0)
      ranges.push({
        from: divergences.start16.at(this.#current),
        to: divergences.end16.at(this.#current),
        className: 'current',
      });
    if (hovered) ranges.push(hovered);
    this.#panes.ranges = ranges;
  }

  #sentence({ lane, token }) {
    const { lanes, text } = this.#answer;
    const { name, tokens } = lanes[lane];
    const facts = tokenFacts(tokens, token, text);
    return `${name}: token ${token + 1} of ${tokens.length}: ${spokenText(facts.source)}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
  }

  wait() {
    this.#answer = null;
    this.#current = -1;
    this.#panes.ranges = [];
    this.#panes.mark([]);
    this.#drawCards();
    this.#drawPosition();
  }

  forget() {
    this.wait();
    this.#panes.clear();
    this.#matrix.clear();
    this.#pairs.stop();
    for (const report of Object.values(this.#reports)) report.wait('');
    this.#list.clear();
    this.#map.show([], [], 1);
    this.#map.shown = { from: 0, to: 0 };
    this.#drawPosition();
  }

  #onState(changed) {
    if (!this.started) return;
    if (['showWhiteSpace', 'ignoreSpaces', 'compareView', 'showIds', 'colourBy'].some(name => changed.has(name)))
      this.#applySwitches();
    if (changed.has('text') && this.shown) this.#text.text = this.#lab.state.text;
    if (['baseline', 'chosen', 'hidden'].some(name => changed.has(name))) this.#drawCards();
    if (['chosen', 'hidden', 'addSpecialTokens', 'specials', 'ignoreSpaces', 'text'].some(name => changed.has(name))) {
      this.renew();
    }
  }

  #applySwitches() {
    const { state } = this.#lab;
    this.#spaces.checked = state.ignoreSpaces;
    this.#white.checked = state.showWhiteSpace;
    this.#text.whiteSpace = state.showWhiteSpace;
    this.#views.value = state.compareView;
    this.#panes.view = state.compareView;
    this.#panes.redraw();
    this.#drawLegend();
    if (this.shown) this.#lab.activity.track(this.#panes.drawn());
    this.#drawMapFrame();
  }

  #button(label, path, key, onclick) {
    return h(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-label': label,
        title: label,
        'data-role': key === 'n' ? 'next-divergence' : 'previous-divergence',
        onclick,
      },
      icon(path),
      h('kbd', { 'aria-hidden': 'true' }, key),
    );
  }
}

/** What is said of a token is asked for at every drawing of an answer. @param {(token: number) => string} say */
function remembered(say) {
  const known = new Map();
  return i => {
    if (!known.has(i)) known.set(i, say(i));
    return known.get(i);
  };
}
