/**
 * Compare: two to eight tokenizers on one text. Their boundaries line up under the text; where all agree it is grey.
 */
import { EncodedScreen } from '../../app/encoded_screen.js';
import { NO_DIVERGENCES } from '../../text/divergences.js';
import { tokenWords } from '../../text/figures.js';
import { tokenFacts } from '../../text/token_facts.js';
import { spokenText } from '../../text/visible_text.js';
import { h, listen, setText } from '../../ui/dom.js';
import { onResize } from '../../ui/element.js';
import { SampleChips } from '../../ui/sample_chips.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { TabList } from '../../ui/tab_list.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { plural } from '../../util/format.js';
import { classesFor } from './agreement.js';
import { compareCommands } from './commands.js';
import { laneOf } from './lanes.js';
import { AgreementPanel } from './panels/agreement.js';
import { CardsPanel } from './panels/cards.js';
import { DivergencesPanel } from './panels/divergences.js';
import { PairPanel } from './panels/pairs.js';
import { Panes, VIEWS } from './panes.js';
import { COMPARE, compared, toggleHidden } from './settings.js';

const MOST_LINKED = 400; // tokens of another tokenizer that are outlined with the one that is pointed at
const LOOKS = ['showWhiteSpace', 'ignoreSpaces', 'compare.view', 'showIds', 'colourBy'];

/**
 * @typedef {import('../../text/session_types.js').Answer & {divergences:
 *   import('../../text/divergences.js').Divergences,
 *   lanes: any[]}} CompareAnswer what the panels get
 */
export default class CompareScreen extends EncodedScreen {
  static settings = COMPARE;

  #panes = new Panes(this.text);
  #views = h(new SegmentedControl(), { ariaLabel: 'View' });
  #spaces = h(new ToggleSwitch(), { hook: 'ignore-spaces' });
  #white = new ToggleSwitch();
  #tabs = new TabList();
  #few;
  /** The answer of the encoding that `#answer` was made of. */
  #source = null;
  /** @type {CompareAnswer|null} */
  #answer = null;

  #cards = new CardsPanel(id => this.#toggle(id));
  #divergences = new DivergencesPanel(this.#panes);
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
    { value: 'vocab', label: 'Vocab', panel: this.#pairs.elements.vocab },
  ];

  mount(root, context) {
    super.mount(root, context);
    const { settings, dialog } = context;
    const row = (name, ...parts) => h('div', { class: name }, ...parts);
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
    root.append(
      row(
        'compare',
        this.#cards.element,
        row('tools', this.#views, this.#spaces, this.#white, h('span', { class: 'grow' }), ...this.#divergences.tools),
        row('compare-work', this.#few, this.#panes.element, this.#divergences.map),
        row('samples-row', new SampleChips(), this.#cards.preset),
        h(
          'aside',
          { class: 'panel', 'aria-label': 'Where they differ' },
          this.#tabs,
          ...this.#tabPanels.map(({ panel }) => panel),
        ),
      ),
    );
  }

  start() {
    const { session, settings, nonce } = this.context;
    this.text.start({ kind: 'lanes', nonce, label: 'Text to compare', session, name: 'compare' });
    this.#panes.start(this.context);
    this.#panes.report = (type, detail) => this.#onPane(type, detail);
    this.#views.options = VIEWS;
    this.#tabs.tabs = this.#tabPanels;
    this.#spaces.label = 'Ignore which token keeps the space';
    this.#white.label = 'Whitespace';
    this.#white.name = 'Show whitespace';
    this.#applySwitches();
    listen(this.#spaces, 'valuechange', ignoreSpaces => settings.set({ ignoreSpaces }));
    listen(this.#white, 'valuechange', showWhiteSpace => settings.set({ showWhiteSpace }));
    listen(this.#views, 'valuechange', view => settings.set({ 'compare.view': view }));
    listen(this.#tabs, 'valuechange', () => this.#drawTab());
    onResize(this.#panes.element, () => this.isActive && this.#divergences.drawViewport(), this.life);
  }

  destroy() {
    super.destroy();
    this.#panes.destroy();
  }

  onShow() {
    this.#cards.draw();
    this.#drawLegend();
  }

  get tokenizers() {
    return compared(this.context.settings);
  }

  get exportable() {
    if (!this.#answer || !this.#panes.texts.length) return null;
    const { lanes, results } = this.#answer;
    const legend = lanes.map(({ id, name, letter }, n) => ({
      id,
      letter,
      name,
      words: `${tokenWords(results[n])} tokens`,
    }));
    return { element: this.#panes.element, legend };
  }

  get commands() {
    return compareCommands(this.context, {
      jump: by => this.#divergences.jump(by),
      toggle: id => this.#toggle(id),
      tabs: this.#tabPanels,
      openTab: tab => this.#openTab(tab),
    });
  }

  wanted() {
    const ids = compared(this.context.settings);
    this.#drawFew(ids);
    return ids.length ? this.wantedOf(ids, ids.length > 1) : null;
  }

  lanes(answer) {
    const { catalog, settings } = this.context;
    return answer.tokenizers.map((id, n) =>
      laneOf({ id, name: catalog.nameOf(id), letter: catalog.letterOf(id) }, answer, n, settings.get('ignoreSpaces')),
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
    if (!answer) {
      this.#source = null;
      this.#answer = null;
      if (isSettled) this.#panes.clear();
    } else if (!isSettled) {
      this.#panes.show(this.#answer);
    } else {
      const slowest = Math.max(...answer.results.map(result => result.elapsed_ns));
      this.showFacts(String(answer.text), { ...answer.header, elapsed_ns: slowest });
    }
  }

  onState(changed) {
    if (LOOKS.some(name => changed.has(name))) this.#applySwitches();
    if (['chosen', 'compare.hidden', 'entries'].some(name => changed.has(name))) this.#drawLegend();
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

  #drawFew(ids) {
    const { settings } = this.context;
    const [words, button] = this.#few.children;
    const hidden = settings.get('compare.hidden');
    this.#few.hidden = ids.length >= 2;
    setText(words, hidden.length ? 'Select at least two tokenizers to compare.' : 'Add a second tokenizer to compare.');
    setText(button, settings.get('chosen').length > 1 ? 'Show all' : 'Add tokenizer');
  }

  /** What the colours mean, and whose spans went through a normalizer. */
  #drawLegend() {
    const { settings, catalog, status } = this.context;
    const ids = compared(settings);
    const view = settings.get('compare.view');
    const some = classesFor(ids.length).includes('some') ? ', dots in some' : '';
    const colours =
      view === 'side' ? 'Every token has the colour it has in Inspect.' : 'Grey: all agree. Colour: they differ.';
    const changing = ids.filter(id => catalog.entry(id)?.lossy);
    const notes = [
      ...(ids.length > 1 ? [colours] : []),
      ...(ids.length > 2 && view === 'aligned'
        ? [`Boundaries: a line in all, dashes in most${some}, a wedge in one.`]
        : []),
      ...changing.map(id => `${catalog.letterOf(id)} changes the text: aligned through its normalizer.`),
    ];
    if (this.isActive) status.note(notes.join(' '));
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
    const words = `${spokenText(facts.source)}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
    return `${name}: token ${token + 1} of ${tokens.length}: ${words}`;
  }

  #applySwitches() {
    const { settings, activity } = this.context;
    this.#spaces.checked = settings.get('ignoreSpaces');
    this.#white.checked = settings.get('showWhiteSpace');
    this.text.whiteSpace = settings.get('showWhiteSpace');
    this.#views.value = settings.get('compare.view');
    this.#panes.view = settings.get('compare.view');
    this.#panes.redraw();
    this.#drawLegend();
    if (!this.isActive) return;
    activity.track(this.#panes.drawn());
    this.#divergences.drawViewport();
  }
}
