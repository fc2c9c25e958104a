/** Compare: two to eight tokenizers on one text. Cuts line up under the text; where all agree it is grey. */
import { compare } from '../api/encoding.js';
import { compatibility, differenceOf, transfer } from '../api/relations.js';
import { AgreementMatrix } from '../components/agreement_matrix.js';
import { CompareCards } from '../components/compare_cards.js';
import { DivergenceList } from '../components/divergence_list.js';
import { MiniMap } from '../components/mini_map.js';
import { PairReport } from '../components/pair_report.js';
import { SampleChips } from '../components/sample_chips.js';
import { TabList } from '../components/tab_list.js';
import { ToggleSwitch } from '../components/toggle_switch.js';
import { TextScreen } from '../text_screen.js';
import { TokenText } from '../components/token_text/token_text.js';
import { h, icon, listen, setText } from '../lib/dom.js';
import { count, plural } from '../lib/format.js';
import { Latest } from '../lib/latest.js';
import { withoutTrailingSpace } from '../lib/spaces.js';
import { pause } from '../lib/text_work.js';
import { tokenFacts } from '../lib/token_facts.js';
import { spokenText } from '../lib/visible_text.js';

const PRESET = ['bert-base-uncased', 'gpt2'];
const PAIR_WAIT_MS = 400; // reading two vocabularies takes a moment: not for every key
const UP = 'M6 15l6-6 6 6', DOWN = 'M6 9l6 6 6-6';

export class CompareView extends TextScreen {
  #lab; #text; #cards = new CompareCards(); #list = new DivergenceList(); #matrix = new AgreementMatrix(); #map = new MiniMap(); #pair = new PairReport(); #pairs = new Latest(); #apart = null; #tabs = new TabList(); #spaces = h(new ToggleSwitch(), { hook: 'ignore-spaces' }); #white = new ToggleSwitch();
  #answer = null; #kind = null; #current = -1; #position = h('span', { class: 'number dim', 'data-role': 'divergence-position' }); #buttons; #few; #preset;

  /** @param {import('../lab.js').Lab} lab */
  constructor(lab) {
    super(lab, new TokenText());
    this.#lab = lab;
    this.#text = this.text;
    this.#buttons = { p: this.#button('Previous divergence (p)', UP, 'p', () => this.jump(-1)), n: this.#button('Next divergence (n)', DOWN, 'n', () => this.jump(1)) };
    this.#preset = h('button', { type: 'button', class: 'button framed', 'data-role': 'preset', onclick: () => lab.usePreset(PRESET) }, 'BERT and GPT-2');
    this.#few = h('div', { class: 'few', hidden: true }, h('p', {}, 'Comparing takes two tokenizers or more.'), h('button', { type: 'button', class: 'button framed', onclick: () => lab.openAddTokenizer() }, 'Add tokenizer'));
    const divergences = h('div', { class: 'tab-panel' }, this.#list), agreement = h('div', { class: 'tab-panel' }, this.#matrix), pair = h('div', { class: 'tab-panel' }, this.#pair);
    this.element = h('div', { class: 'compare' }, this.#cards,
      h('div', { class: 'tools' }, this.#spaces, this.#white, this.#preset, h('span', { class: 'grow' }), this.#position, this.#buttons.p, this.#buttons.n),
      h('div', { class: 'compare-work' }, this.#text, this.#map, this.#few), h('div', { class: 'samples-row' }, new SampleChips()),
      h('aside', { class: 'panel', 'aria-label': 'Where they differ' }, this.#tabs, divergences, agreement, pair));
    this.panels = [{ value: 'divergences', label: 'Divergences', panel: divergences }, { value: 'agreement', label: 'Agreement', panel: agreement }, { value: 'pair', label: 'Pair', panel: pair }];
    listen(lab.state, 'change', detail => this.#onState(detail));
  }

  /** Called once, when the screen is first shown, with the element in the page. */
  start() {
    const { state, nonce } = this.#lab;
    this.#text.start({ kind: 'lanes', nonce, label: 'Text to compare', text: state.text });
    this.#tabs.tabs = this.panels;
    this.#spaces.label = 'Ignore which token keeps the space';
    this.#white.label = 'white space';
    this.#applySwitches();

    listen(this.#spaces, 'change', detail => state.set({ ignoreSpaces: detail }));
    listen(this.#white, 'change', detail => state.set({ showWhiteSpace: detail }));
    listen(this.#cards, 'baseline', detail => state.set({ baseline: detail }));
    this.#text.addEventListener('textchange', () => this.edited());
    listen(this.#text, 'tokenhover', detail => this.#onHover(detail));
    listen(this.#text, 'tokenpick', detail => this.#onPick(detail));
    this.#text.addEventListener('scrolled', () => this.#drawMapFrame());
    listen(this.#tabs, 'change', () => this.#drawPair());
    this.#pair.addEventListener('pair', () => this.#drawPair());
    listen(this.#list, 'choose', detail => this.#go(detail));
    listen(this.#list, 'kind', detail => this.#filter(detail));
    listen(this.#map, 'jump', detail => this.#text.reveal(Math.round(detail * this.#text.view.state.doc.length)));
    new ResizeObserver(() => this.#drawMapFrame()).observe(this.#text);
  }

  drawAround() { this.#drawCards(); }

  /** What two of the tokenizers have in common; asked for only while it is looked at. */
  #drawPair() {
    const { state } = this.#lab;
    if (this.#tabs.value !== 'pair') return;
    this.#pair.choices = state.chosen.map(id => ({ id, name: state.nameOf(id) }));
    const [a, b] = this.#pair.pair;
    if (state.chosen.length < 2) { this.#pair.wait('Two tokenizers are needed.'); return; }
    this.#pair.wait('Comparing…');
    this.#lab.activity.track((async () => {
      try {
        const answers = await this.#pairs.run(async signal => {
          await pause(PAIR_WAIT_MS, signal);
          return Promise.all([compatibility(a, b, state.text, signal), this.#difference(a, b, signal), transfer(a, b, state.text, signal)]);
        });
        if (answers) this.#pair.show({ report: answers[0], difference: answers[1], transfer: answers[2], nameOf: id => state.nameOf(id) });
      } catch (error) {
        this.#pair.wait(`${error.message} ${error.hint ?? ''}`);
      }
    })());
  }

  /** What sets two tokenizers apart does not depend on the text: the answer is kept for the pair that is looked at. */
  async #difference(a, b, signal) {
    const { entries } = this.#lab.state, kept = this.#apart;
    if (kept?.a === a && kept.b === b && kept.entries === entries) return kept.answer;
    const answer = await differenceOf(a, b, signal);
    this.#apart = { a, b, entries, answer };
    return answer;
  }

  get commands() {
    const { state } = this.#lab;
    return [
      { label: 'Next divergence', keys: ['n', 'F8'], run: () => this.jump(1) },
      { label: 'Previous divergence', keys: ['p', 'Shift+F8'], run: () => this.jump(-1) },
      { label: 'Show or hide white space', keys: ['w'], also: 'spaces', run: () => state.set({ showWhiteSpace: !state.showWhiteSpace }) },
      { label: 'Ignore or count which token keeps the space', run: () => state.set({ ignoreSpaces: !state.ignoreSpaces }) },
    ];
  }

  /** The next divergence of the kind that is shown, or the one before, from the current one. */
  jump(by) {
    const numbers = this.#answer?.numbers;
    if (!numbers?.length) return;
    const at = numbers.indexOf(this.#current), next = at < 0 ? (by > 0 ? 0 : numbers.length - 1) : (at + by + numbers.length) % numbers.length;
    this.#go(numbers[next]);
  }

  wanted() {
    const { chosen, encodeOptions } = this.#lab.state;
    this.#few.hidden = chosen.length >= 2;
    return chosen.length >= 2 ? { tokenizers: chosen, options: encodeOptions } : null;
  }

  ask({ tokenizers, options }, text, signal) { return compare(tokenizers, text, options, signal); }

  lanes(answer) { return answer.tokenizers.map((id, n) => this.#lane(id, answer, n)); }

  async draw(answer) {
    this.#answer = { ...answer, chosen: answer.tokenizers, lanes: this.lanes(answer), numbers: [] };
    this.#current = -1;
    this.#text.ranges = [];
    this.#drawCards();
    await this.#learnAdded();
  }

  drawLater(answer) {
    const { text, results, header, agreement } = answer;
    this.#matrix.show(this.#answer.lanes, agreement);
    this.#drawList();
    const slowest = Math.max(...results.map(result => result.elapsed_ns));
    this.#lab.showSource(this.#text, String(text), { ...header, elapsed_ns: slowest });
    this.#drawMapFrame();
    this.#drawPair();
  }

  /** Grey where all agree; where they differ the tokenizer's own two shades, by turns. */
  #lane(id, { tokens, divergences, text }, n) {
    const { state } = this.#lab, spans = tokens[n], ignore = state.ignoreSpaces, slice = (from, to) => text.slice(from, to);
    const shade = i => {
      const from = spans.start16[i], to = spans.end16[i], counts = ignore ? withoutTrailingSpace(from, to, slice) : { from, to };
      return `${counts.to > counts.from && divergences.touches(counts.from, counts.to) ? 'd' : 'g'}${i % 2}`;
    };
    return { id, name: state.nameOf(id), letter: state.letterOf(id), tokens: spans, shade };
  }

  /** What the colours mean, and whose spans went through a normalizer. */
  #drawLegend() {
    const { state } = this.#lab, changing = state.chosen.filter(id => state.entry(id)?.lossy);
    const notes = changing.map(id => `${state.letterOf(id)} changes the text: aligned through its normalizer.`);
    if (this.shown) this.#lab.setNote(['Grey: all agree. Colour: they differ.', ...notes].join(' '));
  }

  #drawCards() {
    const { state } = this.#lab, answer = this.#answer;
    this.#drawLegend();
    this.#preset.hidden = PRESET.every(id => state.chosen.includes(id)) || !PRESET.every(id => state.entry(id));
    this.#cards.cards = state.chosen.map(id => {
      const entry = state.entry(id), n = answer ? answer.chosen.indexOf(id) : -1, tokens = n < 0 ? null : answer.tokens[n];
      const added = tokens ? [...tokens.leading, ...tokens.trailing].map(i => this.#lab.vocabulary.known(id, tokens.ids[i])?.text ?? '…') : [];
      return { id, name: state.nameOf(id), letter: state.letterOf(id), family: entry?.family ?? '', vocabSize: entry?.vocab_size ?? null, baseline: id === state.baseline, result: n < 0 ? null : answer.results[n], added };
    });
  }

  async #learnAdded() {
    const { chosen, tokens } = this.#answer;
    try {
      await Promise.all(chosen.map((id, n) => {
        const ids = [...tokens[n].leading, ...tokens[n].trailing].map(i => tokens[n].ids[i]);
        return ids.length ? this.#lab.vocabulary.entries(id, ids) : null;
      }));
    } catch (error) {
      this.#lab.showError(error);
    }
    this.#drawCards();
  }

  #drawList() {
    const answer = this.#answer, { divergences } = answer, kindCounts = new Map(divergences.kinds.map(name => [name, 0]));
    for (const kind of divergences.kind) kindCounts.set(divergences.kinds[kind], kindCounts.get(divergences.kinds[kind]) + 1);
    if (this.#kind && !kindCounts.get(this.#kind)) this.#kind = null;
    const wanted = this.#kind === null ? -1 : divergences.kinds.indexOf(this.#kind);
    answer.numbers = Array.from({ length: divergences.length }, (_, n) => n).filter(n => wanted < 0 || divergences.kind[n] === wanted);
    this.#list.show({ divergences, numbers: answer.numbers, kind: this.#kind, kindCounts, text: answer.text, lanes: answer.lanes });
    this.#map.show(answer.numbers.map(n => divergences.start16[n]), answer.numbers.map(n => divergences.end16[n]), answer.text.length);
    this.#drawPosition();
  }

  #drawPosition() {
    const numbers = this.#answer?.numbers ?? [], at = numbers.indexOf(this.#current);
    setText(this.#position, at < 0 ? plural(numbers.length, 'divergence') : `${count(at + 1)} of ${count(numbers.length)}`);
    for (const button of Object.values(this.#buttons)) button.disabled = !numbers.length;
  }

  #drawMapFrame() { if (this.shown && this.#answer) this.#map.shown = this.#text.shown; }

  #filter(kind) {
    this.#kind = kind;
    if (this.#answer) this.#drawList();
    this.#lab.announce(`${plural(this.#answer?.numbers.length ?? 0, 'divergence')} shown`);
  }

  #go(number) {
    const { divergences, text, lanes } = this.#answer, from = divergences.start16[number], to = divergences.end16[number];
    this.#current = number;
    this.#text.ranges = [{ from, to, className: 'current' }];
    this.#text.reveal(from);
    this.#list.chosen = number;
    this.#drawPosition();
    const counts = lanes.map(({ name }, column) => `${name} ${divergences.count(number, column)}`).join(', ');
    this.#lab.announce(`divergence ${this.#position.textContent}: ${spokenText(text.slice(from, Math.min(to, from + 60)))}, ${divergences.kinds[divergences.kind[number]]}; tokens: ${counts}`);
  }

  /** A token is pointed at: its stretch of the text, and every token of the others that holds a part of it. */
  #onHover(found) {
    const answer = this.#answer;
    if (!found || !answer || this.running) {
      this.#text.mark([]);
      this.#setRanges(null);
      this.#lab.showNow('');
      return;
    }
    const { tokens } = answer.lanes[found.lane], from = tokens.start16[found.token], to = tokens.end16[found.token];
    this.#text.mark(answer.lanes.map((lane, n) => new Map(n === found.lane ? [[found.token, 'on']] : lane.tokens.overlapping(from, to, 400).map(i => [i, 'linked']))));
    this.#setRanges({ from, to, className: 'hovered' });
    this.#lab.showNow(this.#sentence(found));
  }

  #onPick(found) {
    const answer = this.#answer;
    if (!answer) return;
    const { tokens } = answer.lanes[found.lane], number = answer.divergences.firstEndingAfter(tokens.start16[found.token]);
    this.#lab.announce(this.#sentence(found));
    if (answer.numbers.includes(number) && answer.divergences.start16[number] < tokens.end16[found.token]) this.#go(number);
  }

  #setRanges(hovered) {
    const { divergences } = this.#answer ?? {}, ranges = [];
    if (this.#current >= 0) ranges.push({ from: divergences.start16[this.#current], to: divergences.end16[this.#current], className: 'current' });
    if (hovered) ranges.push(hovered);
    this.#text.ranges = ranges;
  }

  #sentence({ lane, token }) {
    const { lanes, text } = this.#answer, { name, tokens } = lanes[lane], facts = tokenFacts(tokens, token, text);
    return `${name}: token ${token + 1} of ${tokens.length}: ${spokenText(facts.source)}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
  }

  clear() {
    this.#answer = null;
    this.#current = -1;
    this.#text.ranges = [];
    this.#text.setTokens([]);
    this.#drawCards();
    this.#list.clear();
    this.#map.show([], [], 1);
    this.#drawPosition();
  }

  #onState(changed) {
    if (!this.started) return;
    if (['showWhiteSpace', 'ignoreSpaces'].some(name => changed.has(name))) this.#applySwitches();
    if (changed.has('text') && this.shown) this.#text.text = this.#lab.state.text;
    if (changed.has('baseline') || changed.has('chosen')) this.#drawCards();
    if (['chosen', 'addSpecialTokens', 'specials', 'ignoreSpaces', 'text'].some(name => changed.has(name))) {
      this.renew();
    }
  }

  #applySwitches() {
    const { state } = this.#lab;
    this.#spaces.checked = state.ignoreSpaces;
    this.#white.checked = state.showWhiteSpace;
    this.#text.whiteSpace = state.showWhiteSpace;
  }

  #button(label, path, key, onclick) {
    return h('button', { type: 'button', class: 'button', 'aria-label': label, title: label, 'data-role': key === 'n' ? 'next-divergence' : 'previous-divergence', onclick }, icon(path), h('kbd', { 'aria-hidden': 'true' }, key));
  }
}
