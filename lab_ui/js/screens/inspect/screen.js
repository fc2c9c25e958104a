/** Inspect: one tokenizer, one text. The editor is the view: what is typed is seen as tokens at once. */
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { SampleChips } from '../../app/sample_chips.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { tokensWords } from '../../text/figures.js';
import { h, listen } from '../../ui/dom.js';
import { SidePanel } from '../../ui/side_panel.js';
import { CodePoints } from './code_points.js';
import { inspectCommands } from './commands.js';
import { AddedTokensPanel } from './panels/added_tokens.js';
import { ByteAlphabetPanel } from './panels/byte_alphabet.js';
import { ChunkPanel } from './panels/chunks.js';
import { ColourPanel } from './panels/colours.js';
import { CostPanel } from './panels/cost.js';
import { CountsPanel } from './panels/counts.js';
import { ExplainPanel } from './panels/explain.js';
import { HowToReadPanel } from './panels/how_to_read.js';
import { LegendPanel } from './panels/legend.js';
import { ListsPanel } from './panels/lists.js';
import { NeighboursPanel } from './panels/neighbours.js';
import { NormalizerPanel } from './panels/normalizer.js';
import { OptionsPanel } from './panels/options.js';
import { StagesPanel } from './panels/stages.js';
import { TokenPanel } from './panels/token.js';
import { unknownWordsOf } from '../../text/unknown_tokens.js';
import { Selection } from './selection.js';
import { INSPECT } from './settings.js';

/**
 * @typedef {import('../../text/session_types.js').Answer} Answer
 * @typedef {import('./selection.js').InspectAnswer} InspectAnswer
 */

export default class InspectScreen extends EncodedScreen {
  static settings = INSPECT;

  #samples = new SampleChips();
  #side = new SidePanel();
  /** The answer of the encoding that `#answer` was made of. @type {Answer|null} */
  #source = null;
  /** @type {InspectAnswer|null} */
  #answer = null;
  /** @type {Selection} */
  #selection;

  /** @param {number} token */
  #choose = token => this.#selection.select(token, { isSaid: true });
  /** @param {number} token */
  #goTo = token => this.#selection.goTo(token);
  #counts = new CountsPanel(token => this.#goTo(token));
  #alphabet = new ByteAlphabetPanel();
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
  #reading = new HowToReadPanel(answer => this.#shade(answer));
  #legend = new LegendPanel(this.text, answer => this.#shade(answer));
  #options = new OptionsPanel(this.life, [
    this.#normalizer.element,
    this.#chunks.element,
    this.#cost.toggle,
    this.#colours.element,
  ]);
  #work = h('div', { class: 'inspect-text' }, this.text, this.#legend.element);
  #aboutToken = h('div', { class: 'about-token', hidden: true }, ...this.#neighbours.elements);
  panels = [
    this.#colours,
    this.#counts,
    this.#alphabet,
    this.#cost,
    this.#chunks,
    this.#added,
    this.#stages,
    this.#normalizer,
    this.#lists,
    this.#explain,
    this.#token,
    this.#neighbours,
    this.#reading,
    this.#legend,
    this.#options,
  ];

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    super.mount(root, context);
    this.#selection = new Selection(
      {
        text: this.text,
        panels: this.panels,
        added: this.#added,
        sentence: token => this.#token.sentence(token),
        about: this.#aboutToken,
      },
      context.status,
      () => this.encoding.running,
    );
    /** @param {string} name @param {(Node|string)[]} parts */
    const row = (name, ...parts) => h('div', { class: name }, ...parts);
    root.append(
      row(
        'inspect',
        h(
          'div',
          {},
          h(
            'section',
            { class: 'facts', 'aria-label': 'Counts' },
            this.#counts.element,
            row('facts-tools', this.#cost.element, this.#stages.toggle, this.#options.element),
          ),
        ),
        this.#stages.element,
        row('notes', this.#alphabet.element, this.#counts.warning, this.#colours.legend),
        this.#samples,
        row('inspect-work', this.#work, ...this.#lists.elements),
        this.#chunks.dialog,
        this.#side,
      ),
    );
    this.#side.label = 'Token';
    this.#side.body.append(this.#reading.element, this.#aboutToken);
  }

  start() {
    const { session, settings, nonce } = this.context;
    this.text.start({
      kind: 'marks',
      nonce,
      label: 'Text to tokenize',
      placeholder: PLACEHOLDER,
      session,
      name: 'inspect',
    });
    this.#samples.prompt = 'Each colour is one token. Type, or try:';
    this.#samples.start(this.context, this.life);
    followPanelSettings(this.#side, 'inspect', settings, this.life);
    this.#applySwitches();
    listen(this.text, 'caretmove', pos => this.#selection.onCaret(pos));
    listen(this.text, 'tokenpick', ({ token }) => this.#choose(token));
    listen(this.text, 'tokenhover', found => this.#selection.onHover(found));
    listen(this.#token.element, 'step', by => this.#selection.step(by));
    listen(this.#token.element, 'deselect', () => this.#selection.clear());
    /** @param {Event} event */
    const onEdit = event => event instanceof CustomEvent && event.detail.isNewText && this.#onNewText();
    this.#work.addEventListener('mousedown', event => this.#onPressBelow(event));
    session.addEventListener('edit', onEdit, { signal: this.life });
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
    const text = tokensWords(result);
    const legend = [{ id, letter: catalog.letterOf(id), name: catalog.nameOf(id), text }];
    return { element: this.text, legend, isCurrent: this.encoding.isCurrent };
  }

  get commands() {
    const { settings } = this.context;
    const own = inspectCommands(settings, {
      step: by => this.#selection.step(by),
      explain: side => this.#explain.ask(side),
      openChunks: () => this.#chunks.open(),
      chooseNextColour: () => this.#colours.chooseNext(),
      goToNext: kind => this.#counts.goToNext(kind),
    });
    return [...own, panelCommand(settings)];
  }

  /** Esc closes what is open when nothing runs; outside of the text it ends the selection of a token. */
  stop() {
    return (
      super.stop() || this.#stages.close() || (!this.text.contains(document.activeElement) && this.#selection.clear())
    );
  }

  /** A press below a short text is a press at its end. @param {MouseEvent} event */
  #onPressBelow(event) {
    if (event.target !== this.#work) return;
    event.preventDefault();
    this.text.moveCaret(Number.POSITIVE_INFINITY);
    this.text.focusText();
  }

  #onNewText() {
    this.#legend.forget();
    this.#selection.select(-1);
  }

  wanted() {
    const active = this.context.settings.get('active');
    return active ? this.wantedOf([active], false) : null;
  }

  /** @param {Answer} answer */
  lanes(answer) {
    const { text } = answer;
    const [tokenizer] = answer.tokenizers;
    const [tokens] = answer.tokens;
    const { catalog } = this.context;
    const letter = catalog.letterOf(tokenizer);
    const idWords = unknownWordsOf(tokens, catalog.entry(tokenizer));
    return [{ id: tokenizer, letter, tokens, shade: this.#shade({ tokenizer, tokens, text }), idWords }];
  }

  /** @param {Answer} answer @returns {InspectAnswer|null} */
  answerForPanels(answer) {
    if (this.#source === answer) return this.#answer;
    const {
      text,
      tokenizers: [tokenizer],
      tokens: [tokens],
      results: [result],
      roundTrip,
    } = answer;
    /** @type {CodePoints|null} */
    let points = null;
    /** @param {number} pos UTF-16 */
    const pointsAt = pos => {
      points ??= new CodePoints(String(text));
      return points.at(pos);
    };
    this.#source = answer;
    this.#answer = { text, version: this.context.session.version, tokenizer, tokens, result, pointsAt, roundTrip };
    this.#selection.answer = this.#answer;
    return this.#answer;
  }

  /** @param {Answer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    if (!answer) this.#source = this.#answer = null;
    this.#selection.answer = answer && this.#answer;
    if (!isSettled) this.#selection.follow();
    else if (!answer || !this.#answer) this.#selection.select(-1);
    else {
      this.showFacts(String(answer.text), this.#answer.result);
      this.#selection.renew();
    }
  }

  onDrop() {
    this.#added.clear();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (['showIds', 'showWhiteSpace', 'inspect.view'].some(name => changed.has(name))) this.#applySwitches();
  }

  /** @param {import('./selection.js').Shaded} answer */
  #shade({ tokenizer, tokens, text }) {
    return this.#colours.shade(tokenizer, tokens, text);
  }

  #recolour() {
    if (!this.#source) return;
    this.redraw(this.#source);
    this.#selection.renew();
  }

  #applySwitches() {
    const { settings } = this.context;
    const view = settings.get('inspect.view');
    this.text.labels = settings.get('showIds');
    this.text.whiteSpace = settings.get('showWhiteSpace');
    this.#work.hidden = view !== 'text';
    if (view === 'text') this.text.resume();
  }
}
