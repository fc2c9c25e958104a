/** Inspect: one tokenizer, one text. The editor is the view: what is typed is seen as tokens at once. */
import { decode, tokenize } from '../../api/encoding.js';
import { ByteView } from './byte_view.js';
import { IdView } from './id_view.js';
import { SampleChips } from '../../ui/sample_chips.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { TextScreen } from '../../app/text_screen.js';
import { TextScreenHost } from '../../app/text_screen_host.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { TokenDrawer } from './token_drawer.js';
import { TokenTable } from './token_table.js';
import { TokenText } from '../../editor/token_text.js';
import { CodePoints } from './code_points.js';
import { all, h, listen, setText } from '../../ui/dom.js';
import { MUCH_UNKNOWN, addedCount, ownCount, tokenWords, unknownWords } from '../../text/figures.js';
import { count, plural, ratio } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { ADDED, NO_TOKENS, STARTS_INSIDE } from '../../text/token_spans.js';
import { colourOf } from '../../text/token_colour.js';
import { tokenFacts } from '../../text/token_facts.js';
import { spokenText } from '../../text/visible_text.js';
import { wordCount } from '../../text/word_count.js';
import { INSPECT } from './settings.js';
import { Budget } from './panels/cost.js';
import { Changes } from './panels/normalizer.js';
import { Colours } from './panels/colours.js';
import { Cuts } from './panels/chunks.js';
import { Inquiry } from './panels/explain.js';
import { Stages } from './panels/stages.js';
import { Surroundings } from './panels/neighbours.js';

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'table', label: 'Table' },
  { value: 'bytes', label: 'Bytes' },
  { value: 'ids', label: 'IDs' },
];

export default class InspectScreen extends TextScreenHost {
  static settings = INSPECT;

  constructor() {
    super(InspectView);
  }

  get followsActive() {
    return true;
  }
}

class InspectView extends TextScreen {
  #lab;
  #text;
  #facts;
  #stages;
  #drawer = new TokenDrawer();
  #table = new TokenTable();
  #bytes = new ByteView();
  #ids = new IdView();
  #pills = { before: h('div', { class: 'edge-pills' }), after: h('div', { class: 'edge-pills' }) };
  #decoding = new Latest();
  #answer = null;
  #selected = -1;
  #views;
  #colours;
  #switches;
  #inquiry;
  #budget;
  #cuts;
  #changes;
  #around;

  /** @param {import('../../app/text_screen_host.js').TextHost} lab */
  constructor(lab) {
    super(lab, new TokenText());
    this.#lab = lab;
    this.#text = this.text;
    this.#facts = factsRow();
    this.#inquiry = new Inquiry(lab, this.text);
    this.#stages = new Stages(lab, this.text);
    this.#budget = new Budget(lab);
    this.#cuts = new Cuts(lab, this.text, () => !this.running);
    this.#changes = new Changes(lab, this.text);
    this.#around = new Surroundings(lab, token => this.#select(token, { say: true, reveal: true }));
    this.#views = h(new SegmentedControl(), { ariaLabel: 'View' });
    this.#colours = new Colours(lab, () => this.#recolour());
    this.#switches = { showIds: new ToggleSwitch(), showWhiteSpace: new ToggleSwitch(), showMeter: new ToggleSwitch() };
    this.element = h(
      'div',
      { class: 'inspect' },
      h(
        'div',
        {},
        h(
          'section',
          { class: 'facts', 'aria-label': 'Counts' },
          ...Object.values(this.#facts)
            .filter(fact => fact.number)
            .map(fact => fact.element),
          h('span', { class: 'grow' }),
          this.#budget.element,
          this.#switches.showMeter,
        ),
      ),
      this.#stages.element,
      h(
        'div',
        { class: 'tools' },
        this.#views,
        this.#switches.showIds,
        this.#switches.showWhiteSpace,
        this.#changes.element,
        this.#cuts.element,
        h('span', { class: 'grow' }),
        this.#colours.element,
      ),
      h('div', { class: 'notes' }, this.#facts.warning.element, this.#colours.legend),
      h('div', { class: 'inspect-work' }, this.#text, this.#table, this.#bytes, this.#ids),
      h('div', { class: 'samples-row' }, new SampleChips()),
      this.#cuts.dialog,
      h(
        'aside',
        { class: 'panel', 'aria-label': 'Token' },
        ...this.#around.around(this.#drawer, ...this.#inquiry.elements),
      ),
    );
    listen(lab.state, 'change', detail => this.#onState(detail));
  }

  /** Called once, when the screen is first shown, with the element in the page. */
  start() {
    const { state, nonce } = this.#lab;
    this.#text.start({ kind: 'marks', nonce, label: 'Text to tokenize', text: state.text });
    this.#views.options = VIEWS;
    this.#switches.showIds.label = 'IDs';
    this.#switches.showWhiteSpace.label = 'Whitespace';
    this.#switches.showMeter.label = 'Context and cost';
    this.#table.start({
      entryOf: id => this.#lab.vocabulary.known(this.#answer?.tokenizer, id),
      want: ids => this.#learn(ids),
    });
    this.#inquiry.start();
    this.#budget.start();
    this.#cuts.start();
    this.#changes.start();
    this.#around.start();
    this.#applySwitches();

    for (const [name, control] of Object.entries(this.#switches))
      listen(control, 'valuechange', detail => state.set({ [name]: detail }));
    listen(this.#views, 'valuechange', detail => state.set({ inspectView: detail }));
    this.#text.addEventListener('textchange', () => this.edited());
    listen(this.#text, 'caretmove', detail => this.#onCaret(detail));
    listen(this.#text, 'tokenpick', detail => this.#select(detail.token, { say: true }));
    listen(this.#text, 'tokenhover', detail => this.#onHover(detail));
    listen(this.#drawer, 'step', detail => this.step(detail));
    for (const list of [this.#table, this.#bytes])
      listen(list, 'choose', detail => this.#select(detail, { say: true, from: list }));
    listen(this.#ids, 'decode', detail => this.#decode(detail));
    listen(this.#ids, 'copyids', async ({ text, words }) => this.#lab.showNow(await this.#lab.copyText(text, words)));
    listen(this.#ids, 'usetext', detail => {
      this.#lab.setText(detail);
      state.set({ inspectView: 'text' });
    });
  }

  get heads() {
    const { tokenizer: id, result } = this.#answer;
    const { state } = this.#lab;
    return [{ id, letter: state.letterOf(id), name: state.nameOf(id), words: `${tokenWords(result)} tokens` }];
  }

  get pictured() {
    return this.#lab.state.inspectView === 'text' && this.#answer ? this.#text : null;
  }

  /** @returns {import('../../app/command.js').Command[]} what this screen can do */
  get commands() {
    const { state } = this.#lab;
    const turn = view => state.set({ inspectView: state.inspectView === view ? 'text' : view });
    return [
      { label: 'Previous token', keys: ['ArrowLeft'], run: () => this.step(-1) },
      { label: 'Next token', keys: ['ArrowRight'], run: () => this.step(1) },
      {
        label: 'Why does the token end here?',
        keys: ['y'],
        also: 'cut explain reason boundary',
        run: () => this.#inquiry.ask('end'),
      },
      {
        label: 'Why does the token start here?',
        also: 'cut explain reason boundary',
        run: () => this.#inquiry.ask('start'),
      },
      { label: 'Toggle IDs', keys: ['i'], run: () => state.set({ showIds: !state.showIds }) },
      {
        label: 'Toggle whitespace',
        keys: ['w'],
        also: 'spaces',
        run: () => state.set({ showWhiteSpace: !state.showWhiteSpace }),
      },
      {
        label: 'Next colour mode',
        keys: ['c'],
        also: 'position id rank script length grey colours',
        run: () => this.#colours.turn(),
      },
      {
        label: 'Toggle context and cost',
        also: 'window cost budget meter',
        run: () => state.set({ showMeter: !state.showMeter }),
      },
      { label: 'Split the text into chunks of N tokens', also: 'chunk split pieces', run: () => this.#cuts.open() },
      {
        label: 'Toggle normalizer changes',
        keys: ['l'],
        also: 'normalizer changes normalized',
        run: () => state.set({ showChanges: !state.showChanges }),
      },
      {
        label: 'Toggle marks every N tokens',
        keys: ['m'],
        also: 'chunk split pieces cuts',
        run: () => state.set({ showCuts: !state.showCuts }),
      },
      { label: 'Toggle byte view', keys: ['b'], run: () => turn('bytes') },
      { label: 'Toggle table view', keys: ['t'], run: () => turn('table') },
      { label: 'Toggle ID view (decode IDs)', run: () => turn('ids') },
    ];
  }

  /** Esc closes what is open when nothing runs. */
  stop() {
    return super.stop() || this.#stages.close();
  }

  step(by) {
    if (!this.#answer) return;
    const next = Math.min(this.#answer.tokens.length - 1, Math.max(0, this.#selected + by));
    this.#select(next, { say: true, reveal: true });
  }

  wanted() {
    const { active, encodeOptions } = this.#lab.state;
    return active ? { tokenizers: [active], options: { ...encodeOptions, ignoreSpaces: null } } : null;
  }

  async ask({ tokenizers, options }, text, signal) {
    const { result, tokens } = await tokenize(tokenizers[0], text, options, signal);
    return { results: [result], tokens: [tokens], header: result };
  }

  lanes(answer) {
    const {
      tokenizers: [id],
      tokens: [tokens],
      text,
    } = answer;
    return [{ id, letter: this.#lab.state.letterOf(id), tokens, shade: this.#colours.shade(id, tokens, text) }];
  }

  draw(answer) {
    this.#colours.retry();
    const {
      text,
      tokenizers: [tokenizer],
      tokens: [tokens],
      results: [result],
    } = answer;
    let points = null;
    this.#answer = {
      text,
      tokenizer,
      tokens,
      result,
      pointsAt: pos => (points ??= new CodePoints(String(text))).at(pos),
    };
    this.#drawFacts(result);
    this.#cuts.take(this.#answer);
    this.#budget.follow(this.#answer);
    this.#drawPills(tokens, tokenizer);
    const { caret } = this.#text;
    this.#selected = caret || this.#selected >= 0 ? tokens.at(caret) : interesting(tokens);
    this.#markSelected();
  }

  drawLater(answer) {
    const {
      results: [result],
    } = answer;
    const whole = String(answer.text);
    this.#lab.activity.track(Promise.all([this.#drawWords(result, whole), this.#around.follow(this.#answer)]));
    this.#drawStrip();
    if (result.round_trip === null && answer.roundTrip) this.#measureRoundTrip(answer.roundTrip, result);
    this.#stages.follow(this.#answer);
    this.#cuts.count();
    this.#changes.follow(this.#answer);
    this.#lab.showSource(this.#text, whole, result);
    this.#drawOtherView();
    this.#select(this.#selected, {});
  }

  wait(others = false) {
    this.#answer = null;
    if (others) this.#takePills();
    for (const { number } of Object.values(this.#facts)) if (number) setText(number, '–');
    delete this.#facts.tokens.number.dataset.count;
    this.#facts.addedTokens.element.hidden = true;
    setText(this.#facts.unknowns.words, 'unknown');
    this.#facts.unknowns.element.classList.remove('warning');
    this.#facts.warning.element.hidden = true;
    this.#budget.follow(null);
    this.#cuts.take(null);
    this.#selected = -1;
    this.#markSelected();
  }

  forget() {
    this.wait();
    this.#drawStrip();
    this.#stages.follow(null);
    this.#cuts.count();
    this.#changes.follow(null);
    this.#around.follow(null);
    this.#select(-1, {});
    this.#drawOtherView();
  }

  takeTokens() {
    super.takeTokens();
    this.#takePills();
  }

  #takePills() {
    for (const place of Object.values(this.#pills)) place.replaceChildren();
    this.#text.edges = this.#pills;
  }

  /** Of a long text it is not known with the tokens: all of it has to be decoded. */
  #measureRoundTrip(ask, result) {
    this.#lab.activity.track(
      ask().then(
        exact => {
          if (!exact) return;
          result.round_trip = exact[0];
          if (this.#answer?.result === result) this.#drawStrip();
        },
        () => {},
      ),
    ); // the text was closed or is encoded anew: then it is asked again
  }

  #drawFacts(result) {
    const { tokenizer, bytes_per_token: bytes, unknown_count: unknown, split_character_count: split } = result;
    const own = ownCount(result);
    const added = addedCount(result);
    const { tokens, addedTokens, bytesPerToken, characters, unknowns, warning } = this.#facts;
    tokens.number.dataset.tokenizer = tokenizer;
    tokens.number.dataset.count = String(own);
    setText(tokens.number, count(own));
    setText(tokens.words, own === 1 ? 'token' : 'tokens');
    addedTokens.element.hidden = !added;
    setText(addedTokens.number, `+ ${count(added)}`);
    setText(bytesPerToken.number, ratio(bytes));
    setText(characters.number, count(split));
    setText(characters.words, split === 1 ? 'character split' : 'characters split');
    const [number, ...words] = unknown ? unknownWords(result).split(' ') : ['0', 'unknown'];
    setText(unknowns.number, number);
    setText(unknowns.words, words.join(' '));
    unknowns.element.classList.toggle('warning', unknown > 0);
    warning.element.hidden = !(result.unknown_rate > MUCH_UNKNOWN);
  }

  async #drawWords(result, text) {
    const { tokensPerWord } = this.#facts;
    const words = await wordCount(text);
    if (this.#answer?.result !== result) return;
    setText(tokensPerWord.number, words ? ratio(result.text_token_count / words) : '–');
    tokensPerWord.element.title =
      words === null ? 'Not measured: this script puts no space between words' : 'Words are separated by whitespace';
  }

  #drawStrip() {
    const entry = this.#lab.state.entry(this.#lab.state.active);
    if (entry)
      this.#stages.strip.show(
        entry.stages,
        this.#answer?.tokenizer === entry.id ? this.#answer.result : null,
        entry.lossy,
      );
  }

  /** Tokens without text stand before and after it. */
  async #drawPills(tokens, tokenizer) {
    const { leading, trailing } = tokens;
    const { before, after } = this.#pills;
    if (!leading.length && !trailing.length && !before.firstChild && !after.firstChild) return;
    await this.#learn(
      [...leading, ...trailing].map(i => tokens.ids.at(i)),
      tokenizer,
    );
    if (this.#answer?.tokens !== tokens) return;
    const pill = i =>
      h(
        'button',
        {
          type: 'button',
          class: 'pill',
          'data-role': 'token',
          'data-id': tokens.ids.at(i),
          'data-start': tokens.start8.at(i),
          'data-end': tokens.end8.at(i),
          'data-token': i,
          title: `Added by the postprocessor, id ${tokens.ids.at(i)}`,
          onclick: () => this.#select(i, { say: true }),
        },
        this.#lab.vocabulary.known(tokenizer, tokens.ids.at(i))?.text ?? String(tokens.ids.at(i)),
        h('small', { class: 'number' }, String(tokens.ids.at(i))),
      );
    before.replaceChildren(...leading.map(pill));
    after.replaceChildren(...trailing.map(pill));
    this.#text.edges = this.#pills;
    this.#markSelected();
  }

  #drawOtherView() {
    const { inspectView } = this.#lab.state;
    const { tokens = NO_TOKENS, text = '' } = this.#answer ?? {};
    if (inspectView === 'table') this.#table.show(tokens, String(text));
    if (inspectView === 'bytes') this.#bytes.show(tokens, String(text));
    if (inspectView === 'ids') this.#ids.show(tokens.ids.all());
  }

  /** Chooses a token: outline, drawer, and where asked for the live region. */
  #select(token, { say = false, reveal = false, from = null }) {
    const answer = this.#answer;
    this.#selected = answer && token < answer.tokens.length ? token : -1;
    this.#markSelected();
    this.#inquiry.show(answer, this.#selected);
    this.#around.show(answer, this.#selected);
    if (!answer || this.#selected < 0) {
      this.#drawer.show(null);
      return;
    }
    if (reveal && !answer.tokens.has(token, ADDED)) this.#text.reveal(this.#text.placeOf(0, token).from);
    if (from !== this.#table && this.#lab.state.inspectView === 'table') this.#table.chosen = token;
    if (from !== this.#bytes && this.#lab.state.inspectView === 'bytes') this.#bytes.chosen = token;
    this.#drawDrawer(token);
    if (say) this.#lab.announce(this.#sentence(token));
  }

  #markSelected() {
    this.#text.mark([new Map([[this.#selected, 'on']])]);
    for (const pill of all(this.element, '.pill[data-token]'))
      pill.ariaPressed = String(Number(pill.dataset.token) === this.#selected);
  }

  async #drawDrawer(token) {
    const { tokens, text, pointsAt, tokenizer } = this.#answer;
    const shade = this.#colours.shade(tokenizer, tokens, text);
    const facts = tokenFacts(tokens, token, text);
    const entry = () => this.#lab.vocabulary.known(tokenizer, facts.id);
    /** @type {[number, number]} */
    const spanChar = [pointsAt(facts.span16[0]), pointsAt(facts.span16[1])];
    const shown = {
      facts,
      total: tokens.length,
      spanChar,
      mergeCount: this.#lab.state.entry(tokenizer)?.merge_count ?? null,
      colour: i => colourOf(shade(i)),
    };
    this.#drawer.show({ ...shown, entry: entry() });
    if (entry()) return;
    await this.#learn([facts.id], tokenizer);
    if (this.#selected === token && this.#answer.tokens === tokens) this.#drawer.show({ ...shown, entry: entry() });
  }

  /** @returns {Promise<boolean>} false: nothing could be learned, and it is said */
  async #learn(ids, tokenizer = this.#answer.tokenizer) {
    if (!ids.length) return true;
    try {
      await this.#lab.activity.track(this.#lab.vocabulary.entries(tokenizer, ids));
      return true;
    } catch (error) {
      if (this.shown) this.#lab.showError(error);
      return false;
    }
  }

  #sentence(token) {
    const { tokens, text, tokenizer } = this.#answer;
    const facts = tokenFacts(tokens, token, text);
    const name = this.#lab.vocabulary.known(tokenizer, facts.id)?.text;
    const words = facts.added ? (name ?? 'added token') : spokenText(facts.source);
    const split = facts.characters.find(character => character.owners.length > 1);
    const part = split ? `part ${split.owners.indexOf(token) + 1} of ` : '';
    return `token ${token + 1} of ${tokens.length}: ${part}${words}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
  }

  #onCaret(pos) {
    const { tokens } = this.#answer ?? {};
    if (!tokens || this.running) return;
    const at = tokens.at(pos);
    const before = tokens.at(Math.max(0, pos - 1));
    // Between two tokens the caret belongs to the one it stands behind only at the end of the text.
    this.#select(pos >= this.#answer.text.length ? before : at, { say: true });
  }

  #onHover(found) {
    this.#lab.showNow(found && this.#answer && !this.running ? this.#sentence(found.token) : '');
    const marks = new Map([[this.#selected, 'on']]);
    if (found && found.token !== this.#selected) marks.set(found.token, 'linked');
    this.#text.mark([marks]);
  }

  async #decode(ids) {
    if (!ids) {
      this.#decoding.stop();
      return;
    }
    const { active } = this.#lab.state;
    try {
      const answer = await this.#decoding.run(signal => decode(active, ids, signal));
      if (answer) this.#ids.decoded = answer;
    } catch (error) {
      this.#ids.decoded = { message: error.message, hint: error.hint };
    }
  }

  #onState(changed) {
    if (!this.started) return;
    if (['showIds', 'showWhiteSpace', 'inspectView'].some(name => changed.has(name))) this.#applySwitches();
    if (changed.has('text') && this.shown) this.#text.text = this.#lab.state.text;
    if (['active', 'addSpecialTokens', 'specials', 'text'].some(name => changed.has(name))) {
      this.#drawStrip();
      this.renew();
    }
    if (changed.has('entries')) this.#drawStrip();
    if (changed.has('colourBy')) this.#recolour();
    else if (changed.has('active')) this.#colours.apply();
    if (['showMeter', 'contextSize', 'price'].some(name => changed.has(name))) this.#applyBudget();
    if (changed.has('showCuts') || changed.has('cutEvery')) this.#cuts.apply();
    if (['showChanges', 'active', 'entries'].some(name => changed.has(name))) this.#changes.apply();
  }

  #recolour() {
    this.#colours.apply();
    const answer = this.#answer;
    if (!answer) return;
    this.#text.showTokens(this.lanes({ tokenizers: [answer.tokenizer], tokens: [answer.tokens], text: answer.text }));
    this.#select(this.#selected, {});
    this.#lab.activity.track(this.#text.drawn());
  }

  #applyBudget() {
    this.#switches.showMeter.checked = this.#lab.state.showMeter;
    this.#switches.showMeter.quiet = this.#lab.state.showMeter;
    this.#budget.draw();
  }

  #applySwitches() {
    const { state } = this.#lab;
    const view = state.inspectView;
    this.#switches.showIds.checked = state.showIds;
    this.#switches.showWhiteSpace.checked = state.showWhiteSpace;
    this.#views.value = view;
    this.#colours.apply();
    this.#applyBudget();
    this.#text.labels = state.showIds;
    this.#text.whiteSpace = state.showWhiteSpace;
    const panes = { text: this.#text, table: this.#table, bytes: this.#bytes, ids: this.#ids };
    for (const [name, pane] of Object.entries(panes)) pane.hidden = name !== view;
    if (view === 'text') this.#text.resume();
    this.#drawOtherView();
    if (view === 'table') this.#table.chosen = this.#selected;
    if (view === 'bytes') this.#bytes.chosen = this.#selected;
  }
}

/** The token worth looking at first: a part of a split character, or simply the first one with text. */
function interesting(tokens) {
  for (let k = 0; k < Math.min(tokens.placedCount, 2000); k++)
    if (tokens.has(tokens.placed(k), STARTS_INSIDE)) return tokens.placed(k);
  return tokens.placedCount ? tokens.placed(0) : 0;
}

function factsRow() {
  const fact = (words, properties = {}) => {
    const number = h('b', { class: 'number', ...properties }, '–');
    const label = h('span', {}, words);
    return { element: h('span', { class: 'fact' }, number, ' ', label), number, words: label };
  };
  return {
    tokens: fact('tokens', { class: 'number big', 'data-role': 'count' }),
    addedTokens: fact('added'),
    bytesPerToken: fact('bytes/token'),
    tokensPerWord: fact('tokens/word'),
    characters: fact('characters split'),
    unknowns: fact('unknown'),
    warning: {
      element: h(
        'span',
        { class: 'warning', hidden: true },
        'More than 5 % unknown: compression looks better than it is',
      ),
    },
  };
}
