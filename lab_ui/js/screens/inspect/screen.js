/** Inspect: one tokenizer, one text. The editor is the view: what is typed is seen as tokens at once. */
import { EncodedScreen } from '../../app/encoded_screen.js';
import { tokenWords } from '../../text/figures.js';
import { ADDED, STARTS_INSIDE } from '../../text/token_spans.js';
import { h, listen } from '../../ui/dom.js';
import { SampleChips } from '../../ui/sample_chips.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { CodePoints } from './code_points.js';
import { inspectCommands } from './commands.js';
import { AddedTokensPanel } from './panels/added_tokens.js';
import { ChunkPanel } from './panels/chunks.js';
import { ColourPanel } from './panels/colours.js';
import { CostPanel } from './panels/cost.js';
import { CountsPanel } from './panels/counts.js';
import { ExplainPanel } from './panels/explain.js';
import { ListsPanel } from './panels/lists.js';
import { NeighboursPanel } from './panels/neighbours.js';
import { NormalizerPanel } from './panels/normalizer.js';
import { StagesPanel } from './panels/stages.js';
import { TokenPanel } from './panels/token.js';
import { INSPECT } from './settings.js';

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'table', label: 'Table' },
  { value: 'bytes', label: 'Bytes' },
  { value: 'ids', label: 'IDs' },
];
const MOST_LOOKED_AT = 2000; // tokens

/**
 * @typedef {Object} InspectAnswer what the panels get
 * @property {string|import('../../text/text_slice.js').TextSlice} text
 * @property {number} version of the text
 * @property {string} tokenizer @property {import('../../text/token_spans.js').TokenSpans} tokens @property {any} result
 * @property {(pos: number) => number} pointsAt the place of a UTF-16 position in code points
 * @property {(() => Promise<boolean[]|null>)|undefined} roundTrip
 */
export default class InspectScreen extends EncodedScreen {
  static settings = INSPECT;

  #views = h(new SegmentedControl(), { ariaLabel: 'View' });
  #switches = { showIds: new ToggleSwitch(), showWhiteSpace: new ToggleSwitch() };
  /** The answer of the encoding that `#answer` was made of. */
  #source = null;
  /** @type {InspectAnswer|null} */
  #answer = null;
  #selected = -1;

  #choose = token => this.#select(token, { isSaid: true });
  #goTo = token => this.#select(token, { isSaid: true, isRevealed: true });
  #counts = new CountsPanel();
  #cost = new CostPanel();
  #stages = new StagesPanel(this.text);
  #normalizer = new NormalizerPanel(this.text);
  #chunks = new ChunkPanel(this.text, () => this.encoding.isCurrent);
  #colours = new ColourPanel(() => this.#recolour());
  #added = new AddedTokensPanel(this.text, this.#choose);
  #lists = new ListsPanel(this.#choose);
  #explain = new ExplainPanel(() => this.text.focusText());
  #token = new TokenPanel(answer => this.#shade(answer));
  #neighbours = new NeighboursPanel(this.#goTo, this.#token.element, ...this.#explain.elements);
  panels = [
    this.#colours,
    this.#counts,
    this.#cost,
    this.#chunks,
    this.#added,
    this.#stages,
    this.#normalizer,
    this.#lists,
    this.#explain,
    this.#token,
    this.#neighbours,
  ];

  mount(root, context) {
    super.mount(root, context);
    const row = (name, ...parts) => h('div', { class: name }, ...parts);
    const grow = () => h('span', { class: 'grow' });
    root.append(
      row(
        'inspect',
        h(
          'div',
          {},
          h(
            'section',
            { class: 'facts', 'aria-label': 'Counts' },
            ...this.#counts.elements,
            grow(),
            this.#cost.element,
            this.#cost.toggle,
          ),
        ),
        this.#stages.element,
        row(
          'tools',
          this.#views,
          ...Object.values(this.#switches),
          this.#normalizer.element,
          this.#chunks.element,
          grow(),
          this.#colours.element,
        ),
        row('notes', this.#counts.warning, this.#colours.legend),
        row('inspect-work', this.text, ...this.#lists.elements),
        row('samples-row', new SampleChips()),
        this.#chunks.dialog,
        h('aside', { class: 'panel', 'aria-label': 'Token' }, ...this.#neighbours.elements),
      ),
    );
  }

  start() {
    const { session, settings, nonce } = this.context;
    this.text.start({ kind: 'marks', nonce, label: 'Text to tokenize', session, name: 'inspect' });
    this.#views.options = VIEWS;
    this.#switches.showIds.label = 'IDs';
    this.#switches.showIds.name = 'Show token IDs';
    this.#switches.showWhiteSpace.label = 'Whitespace';
    this.#switches.showWhiteSpace.name = 'Show whitespace';
    this.#applySwitches();
    for (const [name, control] of Object.entries(this.#switches))
      listen(control, 'valuechange', shown => settings.set({ [name]: shown }));
    listen(this.#views, 'valuechange', view => settings.set({ 'inspect.view': view }));
    listen(this.text, 'caretmove', pos => this.#onCaret(pos));
    listen(this.text, 'tokenpick', ({ token }) => this.#choose(token));
    listen(this.text, 'tokenhover', found => this.#onHover(found));
    listen(this.#token.element, 'step', by => this.step(by));
  }

  get holdsInput() {
    return this.#lists.holdsInput;
  }

  get followsActive() {
    return true;
  }

  get exportable() {
    const { settings, catalog } = this.context;
    if (settings.get('inspect.view') !== 'text' || !this.#answer) return null;
    const { tokenizer: id, result } = this.#answer;
    const words = `${tokenWords(result)} tokens`;
    return { element: this.text, legend: [{ id, letter: catalog.letterOf(id), name: catalog.nameOf(id), words }] };
  }

  get commands() {
    return inspectCommands(this.context.settings, {
      step: by => this.step(by),
      explain: side => this.#explain.ask(side),
      openChunks: () => this.#chunks.open(),
      chooseNextColour: () => this.#colours.chooseNext(),
    });
  }

  /** Esc closes what is open when nothing runs. */
  stop() {
    return super.stop() || this.#stages.close();
  }

  /** @param {number} by tokens */
  step(by) {
    if (!this.#answer) return;
    this.#goTo(Math.min(this.#answer.tokens.length - 1, Math.max(0, this.#selected + by)));
  }

  wanted() {
    const active = this.context.settings.get('active');
    return active ? this.wantedOf([active], false) : null;
  }

  lanes(answer) {
    const { text } = answer;
    const [tokenizer] = answer.tokenizers;
    const [tokens] = answer.tokens;
    const letter = this.context.catalog.letterOf(tokenizer);
    return [{ id: tokenizer, letter, tokens, shade: this.#shade({ tokenizer, tokens, text }) }];
  }

  answerForPanels(answer) {
    if (this.#source === answer) return this.#answer;
    const {
      text,
      tokenizers: [tokenizer],
      tokens: [tokens],
      results: [result],
      roundTrip,
    } = answer;
    let points = null;
    const pointsAt = pos => {
      points ??= new CodePoints(String(text));
      return points.at(pos);
    };
    this.#source = answer;
    this.#answer = { text, version: this.context.session.version, tokenizer, tokens, result, pointsAt, roundTrip };
    return this.#answer;
  }

  onAnswer(answer, isSettled) {
    if (!answer) {
      this.#source = null;
      this.#answer = null;
      if (isSettled) this.#select(-1);
      else this.#outline(-1);
      return;
    }
    if (!isSettled) {
      const { tokens } = this.#answer;
      const { caret } = this.text;
      this.#outline(caret || this.#selected >= 0 ? tokens.at(caret) : interesting(tokens));
      return;
    }
    this.showFacts(String(answer.text), this.#answer.result);
    this.#select(this.#selected);
  }

  onDrop() {
    this.#added.clear();
  }

  onState(changed) {
    if (['showIds', 'showWhiteSpace', 'inspect.view'].some(name => changed.has(name))) this.#applySwitches();
  }

  #shade({ tokenizer, tokens, text }) {
    return this.#colours.shade(tokenizer, tokens, text);
  }

  /** Chooses a token: outline, panels, and if asked for the live region. */
  #select(token, { isSaid = false, isRevealed = false } = {}) {
    const answer = this.#answer;
    const isThere = answer !== null && token >= 0 && token < answer.tokens.length;
    this.#outline(isThere ? token : -1);
    for (const panel of this.panels) panel.onSelection(this.#selected);
    if (!isThere) return;
    if (isRevealed && !answer.tokens.has(token, ADDED)) this.text.reveal(this.text.placeOf(0, token).from);
    if (isSaid) this.context.status.announce(this.#token.sentence(token));
  }

  #outline(token) {
    this.#selected = token;
    this.text.mark([new Map([[token, 'on']])]);
    this.#added.onSelection(token);
  }

  #onCaret(pos) {
    if (!this.#answer || this.encoding.running) return;
    const { tokens, text } = this.#answer;
    // Between two tokens the caret belongs to the one after it, but for the end of the text.
    this.#choose(tokens.at(pos >= text.length ? Math.max(0, pos - 1) : pos));
  }

  #onHover(found) {
    const isKnown = found && this.#answer && !this.encoding.running;
    this.context.status.now(isKnown ? this.#token.sentence(found.token) : '');
    const marks = new Map([[this.#selected, 'on']]);
    if (found && found.token !== this.#selected) marks.set(found.token, 'linked');
    this.text.mark([marks]);
  }

  #recolour() {
    if (!this.#source) return;
    this.redraw(this.#source);
    this.#select(this.#selected);
  }

  #applySwitches() {
    const { settings } = this.context;
    const view = settings.get('inspect.view');
    for (const [name, control] of Object.entries(this.#switches)) control.checked = settings.get(name);
    this.#views.value = view;
    this.text.labels = settings.get('showIds');
    this.text.whiteSpace = settings.get('showWhiteSpace');
    this.text.hidden = view !== 'text';
    if (view === 'text') this.text.resume();
  }
}

/** The token worth looking at first: a part of a split character, or the first one with text. */
function interesting(tokens) {
  for (let k = 0; k < Math.min(tokens.placedCount, MOST_LOOKED_AT); k++)
    if (tokens.has(tokens.placed(k), STARTS_INSIDE)) return tokens.placed(k);
  return tokens.placedCount ? tokens.placed(0) : 0;
}
