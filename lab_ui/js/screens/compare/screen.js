/**
 * Compare: two to eight tokenizers on one text. Their boundaries line up under the text; where all agree it is grey.
 */
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { SampleChips } from '../../app/sample_chips.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { isPresenting, PRESENTING_SCREEN } from '../../app/present.js';
import { specialTokenOptions } from '../../app/special_token_options.js';
import { NO_DIVERGENCES } from '../../text/divergences.js';
import { tokensWords } from '../../text/figures.js';
import { tokenFacts } from '../../text/token_facts.js';
import { spokenText } from '../../text/visible_text.js';
import { h, listen, setText } from '../../ui/dom.js';
import { onResize } from '../../ui/element.js';
import { MenuButton } from '../../ui/menu_button.js';
import { drawLegend, legend } from '../../ui/legend.js';
import { roving } from '../../ui/roving.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { plural } from '../../util/format.js';
import { compareCommands } from './commands.js';
import { legendEntries } from './compare_legend.js';
import { laneOf } from './lanes.js';
import { AgreementPanel } from './panels/agreement.js';
import { CardsPanel } from './panels/cards.js';
import { DivergencesPanel } from './panels/divergences.js';
import { PairPanel } from './panels/pairs.js';
import { Panes, VIEWS } from './panes.js';
import { Presenter } from './presenter/presenter.js';
import { COMPARE, compared, idSetting, toggleHidden } from './settings.js';
import { Spellings } from './spellings.js';

const MOST_LINKED = 400; // tokens of another tokenizer that are outlined with the one that is pointed at
const LOOKS = ['showWhiteSpace', 'ignoreSpaces', 'compare.view', 'compare.laneIds', 'showIds', 'colourBy'];

/**
 * @typedef {import('../../text/session_types.js').Answer & {divergences:
 *   import('../../text/divergences.js').Divergences,
 *   lanes: any[]}} CompareAnswer what the panels get
 */
export default class CompareScreen extends EncodedScreen {
  static settings = COMPARE;

  #panes = new Panes(this.text);
  #presenter = new Presenter();
  /** Whether the presenter is shown in place of all else. */
  #presents = false;
  #work;
  #views = h(new SegmentedControl(), { ariaLabel: 'View' });
  #spaces = h(new ToggleSwitch(), { hook: 'ignore-spaces' });
  #white = new ToggleSwitch();
  #options = new MenuButton();
  #samples = new SampleChips();
  #side = new SidePanel();
  #legend = legend([]);
  #ids = new ToggleSwitch();
  #tabs = new TabList();
  #few;
  /** The answer of the encoding that `#answer` was made of. */
  #source = null;
  /** @type {CompareAnswer|null} */
  #answer = null;
  /** @type {Spellings} */
  #spellings;

  #cards = new CardsPanel(id => this.#toggle(id));
  #divergences = new DivergencesPanel(this.#panes, () => this.#spellings);
  #agreement = new AgreementPanel(
    () => this.#tabs.value === 'agreement',
    pair => {
      this.#pairs.choose(pair);
      this.#openTab('vocab');
    },
  );
  #pairs = new PairPanel(() => this.#tabs.value);
  panels = [this.#cards, this.#agreement, this.#divergences, this.#pairs];
  #tabPanels = [
    { value: 'divergences', label: 'Divergences', panel: this.#divergences.element },
    { value: 'agreement', label: 'Agreement', panel: this.#agreement.element },
    { value: 'transfer', label: 'Transfer', panel: this.#pairs.elements.transfer },
    { value: 'vocab', label: 'Vocabulary', panel: this.#pairs.elements.vocab },
  ];

  mount(root, context) {
    super.mount(root, context);
    const { settings, dialog } = context;
    this.#spellings = new Spellings(context, () => this.#respell());
    const row = (name, ...parts) => h('div', { class: name }, ...parts);
    const jumps = h('div', { class: 'jumps', role: 'toolbar', 'aria-label': 'Divergences and view options' });
    jumps.append(...this.#divergences.tools, this.#options);
    roving(jumps, '.jumps > .button, .jumps > menu-button > .button')();
    this.#few = h(
      'div',
      { class: 'few', hidden: true },
      h('p', {}),
      h('button', {
        type: 'button',
        class: 'button framed',
        onclick: () => (settings.get('compare.hidden').length ? settings.set({ 'compare.hidden': [] }) : dialog.open()),
      }),
    );
    this.#work = row(
      'compare',
      this.#cards.element,
      row('tools', this.#views, h('span', { class: 'grow' }), jumps),
      row('invitation-row', this.#samples, this.#cards.preset),
      row('compare-work', this.#few, this.#panes.element, this.#divergences.map, this.#legend),
      this.#side,
    );
    root.append(this.#work);
    this.#presenter.mount(root, context);
    this.#presenter.onLeave = () => this.#endPresenting();
    context.router.addEventListener('navigate', event => this.#onNavigate(event), { signal: this.life });
    this.#side.label = 'Where they differ';
    this.#side.body.append(this.#tabs, ...this.#tabPanels.map(({ panel }) => panel));
    this.#options.label = 'View options';
    this.#options.hook = 'view-options';
    this.#options.group('Show', this.#spaces, this.#white, this.#ids);
    this.#options.group('Special tokens', ...specialTokenOptions(context, this.life));
  }

  start() {
    const { session, settings, nonce } = this.context;
    this.text.start({
      kind: 'lanes',
      nonce,
      label: 'Text to compare',
      placeholder: PLACEHOLDER,
      session,
      name: 'compare',
    });
    this.#panes.start(this.context);
    this.#panes.report = (type, detail) => this.#onPane(type, detail);
    this.#samples.prompt = 'One text, every tokenizer. Type, or try:';
    this.#samples.start(this.context, this.life);
    followPanelSettings(this.#side, settings, this.life);
    this.#views.options = VIEWS;
    this.#tabs.tabs = this.#tabPanels;
    this.#spaces.label = 'Ignore which token keeps the space';
    this.#white.label = 'Whitespace';
    this.#white.name = 'Show whitespace';
    this.#ids.label = 'IDs';
    this.#ids.name = 'Show IDs';
    this.#applySwitches();
    listen(this.#spaces, 'valuechange', ignoreSpaces => settings.set({ ignoreSpaces }));
    listen(this.#white, 'valuechange', showWhiteSpace => settings.set({ showWhiteSpace }));
    listen(this.#ids, 'valuechange', shown => settings.set({ [idSetting(settings)]: shown }));
    listen(this.#views, 'valuechange', view => settings.set({ 'compare.view': view }));
    listen(this.#tabs, 'valuechange', () => this.#drawTab());
    onResize(this.#panes.element, () => this.isActive && this.#divergences.drawViewport(), this.life);
  }

  /** Shows the text, or presents it: then all else rests. */
  activate(params, signal) {
    this.#presents = isPresenting(params);
    this.#work.hidden = this.#presents;
    if (this.#presents) this.#presenter.activate(params, signal);
    else super.activate(params, signal);
  }

  deactivate() {
    if (!this.#presents) {
      super.deactivate();
      return;
    }
    this.#presents = false;
    this.#presenter.deactivate();
    const { router } = this.context;
    if (router.screen !== PRESENTING_SCREEN) router.replace(PRESENTING_SCREEN, new URLSearchParams());
  }

  destroy() {
    super.destroy();
    this.#presenter.destroy();
    this.#spellings.destroy();
    this.#panes.destroy();
  }

  onShow() {
    this.#cards.draw();
    this.#drawFew();
    this.#drawLegend();
  }

  get tokenizers() {
    return compared(this.context.settings);
  }

  get exportable() {
    if (this.#presents || !this.#answer || !this.#panes.texts.length) return null;
    const { lanes, results } = this.#answer;
    const legend = lanes.map(({ id, name, letter }, n) => ({
      id,
      letter,
      name,
      text: tokensWords(results[n]),
    }));
    return { element: this.#panes.element, legend, isCurrent: this.encoding.isCurrent };
  }

  get commands() {
    if (this.#presents) return this.#presenter.commands;
    const own = compareCommands(this.context, {
      jump: by => this.#divergences.jump(by),
      toggle: id => this.#toggle(id),
      tabs: this.#tabPanels,
      openTab: tab => this.#openTab(tab),
    });
    return [...own, panelCommand(this.context.settings)];
  }

  focusText() {
    if (this.#presents) this.#presenter.focusText();
    else super.focusText();
  }

  renew() {
    if (this.#presents) this.#presenter.renew();
    else super.renew();
  }

  stop() {
    return this.#presents ? this.#presenter.stop() : super.stop();
  }

  wanted() {
    const ids = this.tokenizers;
    return ids.length ? this.wantedOf(ids, ids.length > 1) : null;
  }

  lanes(answer) {
    const { catalog, settings } = this.context;
    return answer.tokenizers.map((id, n) =>
      laneOf(
        { id, name: catalog.nameOf(id), letter: catalog.letterOf(id) },
        answer,
        n,
        settings.get('ignoreSpaces'),
        this.#spellings,
      ),
    );
  }

  answerForPanels(answer) {
    if (this.#source !== answer) {
      this.#source = answer;
      this.#answer = { ...answer, divergences: answer.divergences ?? NO_DIVERGENCES, lanes: this.lanes(answer) };
    }
    return this.#answer;
  }

  onAnswer(answer, isSettled) {
    if (answer && !isSettled) this.#spellings.retry();
    if (!answer) {
      this.#source = null;
      this.#answer = null;
      if (isSettled) this.#panes.clear();
    } else if (!isSettled) {
      this.#panes.show(this.#answer);
    } else {
      const slowest = Math.max(...answer.results.map(result => result.elapsed_ns));
      this.showFacts(String(answer.text), { ...answer.header, elapsed_ns: slowest });
      this.#drawLegend();
    }
    if (!answer) this.#drawLegend();
  }

  onState(changed) {
    if (LOOKS.some(name => changed.has(name))) this.#applySwitches();
    if (!['chosen', 'compare.hidden', 'entries'].some(name => changed.has(name))) return;
    this.#drawFew();
    this.#drawLegend();
  }

  /** The address of Compare without a presentation was opened: Back, or a link. */
  #onNavigate({ detail: { name, query } }) {
    if (this.#presents && name === PRESENTING_SCREEN && !isPresenting(query)) this.#endPresenting(false);
  }

  /** Shows what was there before the presentation. @param {boolean} [goesBack] to the screen it was begun on */
  #endPresenting(goesBack = true) {
    const { router } = this.context;
    const { from } = this.#presenter;
    this.deactivate();
    router.replace(PRESENTING_SCREEN, new URLSearchParams());
    if (goesBack && from) router.go(from);
    else {
      this.activate(new URLSearchParams(), this.life);
      this.#presenter.returnFocus();
    }
  }

  #onPane(type, detail) {
    if (type === 'tokenhover') this.#onHover(detail);
    else if (type === 'tokenpick') this.#onPick(detail);
    else if (type === 'scrolled' && this.isActive) this.#divergences.drawViewport();
    else if (type === 'choose' && detail >= 0 && this.#answer) this.#divergences.goToAny(detail);
    else if (type === 'showtext') {
      this.context.settings.set({ 'compare.view': 'aligned' });
      this.#panes.reveal(detail);
    }
  }

  /** More spellings are known: they are written once the text rests. */
  #respell() {
    this.text.respell().then(() => this.#drawLegend());
    this.#divergences.respell();
  }

  #openTab(tab) {
    this.#tabs.value = tab;
    this.#drawTab();
  }

  #drawTab() {
    this.#pairs.draw();
    this.#agreement.draw();
  }

  /** Leaves a tokenizer out of everything but its card, or takes it in again. */
  #toggle(id) {
    const { settings, catalog, status } = this.context;
    const name = catalog.nameOf(id);
    if (!toggleHidden(settings, id)) status.announce(`${name} is the last one that is shown`);
    else status.announce(`${name} is ${settings.get('compare.hidden').includes(id) ? 'hidden' : 'shown'}`);
  }

  #drawFew() {
    const { settings } = this.context;
    const [text, button] = this.#few.children;
    const hidden = settings.get('compare.hidden');
    this.#few.hidden = this.tokenizers.length >= 2;
    setText(text, hidden.length ? 'Select at least two tokenizers to compare.' : 'Add a second tokenizer to compare.');
    setText(button, settings.get('chosen').length > 1 ? 'Show all' : 'Add tokenizer');
  }

  /** What the marks mean that occur in the window, and how boundaries are compared. */
  #drawLegend() {
    const { settings, status } = this.context;
    const answer = this.#answer;
    const entries = answer
      ? legendEntries({
          view: settings.get('compare.view'),
          lanes: answer.lanes,
          results: answer.results,
          differs: answer.divergences.length > 0,
          ...this.#marks(),
        })
      : [];
    drawLegend(this.#legend, entries);
    const isMoved = settings.get('ignoreSpaces') && Boolean(answer?.text.length);
    if (this.isActive) status.note(isMoved ? 'Boundaries next to a space count as one' : '');
  }

  /** The marks that are written in the lanes. "##" is one in a WordPiece vocabulary alone. */
  #marks() {
    const marks = new Set();
    const boundaries = new Set();
    this.text.writtenMarks.forEach((lane, n) => {
      const { id } = this.#answer.lanes[n] ?? {};
      const continues = this.context.catalog.entry(id)?.family === 'WordPiece';
      for (const { text, mark } of lane.labels) {
        if (continues && mark && text.startsWith('##')) marks.add('##');
        for (const sign of ['·', '↵']) if (text.includes(sign)) marks.add(sign);
      }
      for (const boundary of lane.boundaries) boundaries.add(boundary);
    });
    return { marks, boundaries };
  }

  /** A token is pointed at: its stretch of the text, and every token of the others that holds a part of it. */
  #onHover(found) {
    const answer = this.#answer;
    if (!found || !answer || this.encoding.running) {
      this.#panes.mark([]);
      this.#panes.ranges = answer ? this.#divergences.ranges : [];
      this.context.status.now('');
      return;
    }
    const { tokens } = answer.lanes[found.lane];
    const from = tokens.start16.at(found.token);
    const to = tokens.end16.at(found.token);
    const linked = lane => lane.tokens.overlapping(from, to, MOST_LINKED).map(i => [i, 'linked']);
    this.#panes.mark(answer.lanes.map((lane, n) => new Map(n === found.lane ? [[found.token, 'on']] : linked(lane))));
    this.#panes.ranges = [...this.#divergences.ranges, { from, to, className: 'hovered' }];
    this.context.status.now(this.#sentence(found));
  }

  #onPick(found) {
    if (!this.#answer) return;
    const { lanes, divergences } = this.#answer;
    const { tokens } = lanes[found.lane];
    const number = divergences.firstEndingAfter(tokens.start16.at(found.token));
    this.context.status.announce(this.#sentence(found));
    if (this.#divergences.isShown(number) && divergences.start16.at(number) < tokens.end16.at(found.token))
      this.#divergences.go(number);
  }

  #sentence({ lane, token }) {
    const { lanes, text } = this.#answer;
    const { name, tokens } = lanes[lane];
    const facts = tokenFacts(tokens, token, /** @type {any} */ (text));
    const description = `${spokenText(facts.source)}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
    return `${name}: token ${token + 1} of ${tokens.length}: ${description}`;
  }

  #applySwitches() {
    const { settings, activity } = this.context;
    this.#spaces.checked = settings.get('ignoreSpaces');
    this.#white.checked = settings.get('showWhiteSpace');
    this.text.whiteSpace = settings.get('showWhiteSpace');
    this.text.labels = settings.get('compare.laneIds');
    this.#ids.checked = settings.get(idSetting(settings));
    this.#views.value = settings.get('compare.view');
    this.#panes.view = settings.get('compare.view');
    this.#panes.redraw();
    this.#drawLegend();
    if (!this.isActive) return;
    activity.track(this.#panes.drawn());
    this.#divergences.drawViewport();
  }
}
