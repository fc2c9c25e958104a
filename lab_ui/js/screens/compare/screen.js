/**
 * Compare: two to eight tokenizers on one text. Their boundaries line up under the text; where all agree it is grey.
 */
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { compactLayout, lanesLayout } from '../../editor/row_layout.js';
import { SampleChips } from '../../app/sample_chips.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { presentable } from '../../app/presentation/presentable.js';
import { NO_DIVERGENCES } from '../../text/divergences.js';
import { tokensWords } from '../../text/figures.js';
import { h, listen } from '../../ui/dom.js';
import { onResize } from '../../ui/element.js';
import { roving } from '../../ui/roving.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { compareCommands } from './commands.js';
import { lanesOf } from './lanes.js';
import { AgreementPanel } from './panels/agreement.js';
import { CardsPanel } from './panels/cards.js';
import { DivergencesPanel } from './panels/divergences.js';
import { LegendPanel } from './panels/legend.js';
import { FewPanel } from './panels/few.js';
import { OptionsPanel } from './panels/options.js';
import { PairPanel } from './panels/pairs.js';
import { PointingPanel } from './panels/pointing.js';
import { Panes } from './panes.js';
import { ComparePresenter } from './presenter.js';
import { COMPARE, compared, toggleHidden } from './settings.js';
import { Spellings } from '../../app/tokenizers/spellings.js';

const LOOKS = [
  'showWhiteSpace',
  'ignoreSpaces',
  'compare.view',
  'compare.laneIds',
  'compare.compact',
  'showIds',
  'colourBy',
];

/** @typedef {import('../../text/session_types.js').Answer} Answer */

class CompareScreen extends EncodedScreen {
  static settings = COMPARE;

  #panes = new Panes(this.text);
  /** @type {HTMLElement} */
  #work;
  #options = new OptionsPanel(this.life);
  #samples = new SampleChips();
  #side = new SidePanel();
  #tabs = new TabList();
  #few = new FewPanel();
  /** The answer of the encoding that `#answer` was made of. @type {Answer|null} */
  #source = null;
  /** @type {import('./panes.js').CompareAnswer|null} */
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
  #pointing = new PointingPanel(this.#panes, this.#divergences, () => this.encoding.running);
  #legend = new LegendPanel(this.text, () => this.isActive);
  panels = [
    this.#cards,
    this.#agreement,
    this.#divergences,
    this.#pairs,
    this.#pointing,
    this.#legend,
    this.#options,
    this.#few,
  ];
  #tabPanels = [
    { value: 'divergences', label: 'Divergences', panel: this.#divergences.element },
    { value: 'agreement', label: 'Agreement', panel: this.#agreement.element },
    { value: 'transfer', label: 'Transfer', panel: this.#pairs.elements.transfer },
    { value: 'vocab', label: 'Vocabulary', panel: this.#pairs.elements.vocab },
  ];

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    super.mount(root, context);
    this.#spellings = new Spellings(context, () => this.#respell());
    /** @param {string} name @param {HTMLElement[]} parts */
    const row = (name, ...parts) => h('div', { class: name }, ...parts);
    const jumps = h('div', { class: 'jumps', role: 'toolbar', 'aria-label': 'Divergences and view options' });
    jumps.append(...this.#divergences.tools, this.#options.element);
    roving(jumps, '.jumps > .button, .jumps > menu-button > .button')();
    this.#work = row(
      'compare',
      this.#cards.element,
      row('tools', this.#options.views, h('span', { class: 'grow' }), jumps),
      row('invitation-row', this.#samples, this.#cards.preset),
      row('compare-work', this.#few.element, this.#panes.element, this.#divergences.map, this.#legend.element),
      this.#side,
    );
    root.append(this.#work);
    this.#side.label = 'Where they differ';
    this.#side.body.append(this.#tabs, ...this.#tabPanels.map(({ panel }) => panel));
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
      rows: (lanes, labels) => (this.#isCompact ? compactLayout(lanes) : lanesLayout(lanes, labels)),
    });
    this.#panes.start(this.context);
    this.#panes.report = (type, detail) => this.#onPane(type, detail);
    this.#samples.prompt = 'One text, every tokenizer. Type, or try:';
    this.#samples.start(this.context, this.life);
    followPanelSettings(this.#side, 'compare', settings, this.life);
    this.#tabs.tabs = this.#tabPanels;
    this.#applySwitches();
    listen(this.#tabs, 'valuechange', () => this.#drawTab());
    onResize(this.#panes.element, () => this.isActive && this.#divergences.drawViewport(), this.life);
  }

  destroy() {
    super.destroy();
    this.#spellings.destroy();
    this.#panes.destroy();
  }

  onShow() {
    this.#cards.draw();
    this.#few.draw();
    this.#legend.draw();
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
      text: tokensWords(results[n]),
    }));
    return { element: this.#panes.element, legend, isCurrent: this.encoding.isCurrent };
  }

  get commands() {
    const own = compareCommands(this.context, {
      jump: by => this.#divergences.jump(by),
      toggle: id => this.#toggle(id),
      tabs: this.#tabPanels,
      openTab: tab => this.#openTab(tab),
    });
    return [...own, panelCommand(this.context.settings)];
  }

  wanted() {
    const ids = this.tokenizers;
    return ids.length ? this.wantedOf(ids, ids.length > 1) : null;
  }

  /** @param {Answer} answer */
  lanes(answer) {
    return lanesOf(answer, this.context, this.#spellings);
  }

  /** @param {Answer} answer @returns {import('./panes.js').CompareAnswer|null} */
  answerForPanels(answer) {
    if (this.#source !== answer) {
      this.#source = answer;
      this.#answer = { ...answer, divergences: answer.divergences ?? NO_DIVERGENCES, lanes: this.lanes(answer) };
    }
    return this.#answer;
  }

  /** @param {Answer|null} answer @param {boolean} isSettled */
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
      this.showFacts(String(answer.text), { ...answer.results[0], elapsed_ns: slowest });
    }
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (LOOKS.some(name => changed.has(name))) this.#applySwitches();
  }

  /** @param {string} type @param {any} detail of the event */
  #onPane(type, detail) {
    if (type === 'tokenhover') this.#pointing.hover(detail);
    else if (type === 'tokenpick') this.#pointing.pick(detail);
    else if (type === 'scrolled' && this.isActive) this.#divergences.drawViewport();
    else if (type === 'choose') this.#pointing.goTo(detail);
    else if (type === 'showtext') {
      this.context.settings.set({ 'compare.view': 'aligned' });
      this.#panes.reveal(detail);
    }
  }

  /** More spellings are known: they are written once the text rests. */
  #respell() {
    this.text.respell().then(() => this.#legend.draw());
    this.#divergences.respell();
  }

  /** @param {string} tab */
  #openTab(tab) {
    this.#tabs.value = tab;
    this.#drawTab();
  }

  #drawTab() {
    this.#pairs.draw();
    this.#agreement.draw();
  }

  /** Leaves a tokenizer out of everything but its card, or takes it in again. @param {string} id */
  #toggle(id) {
    const { settings, catalog, status } = this.context;
    const name = catalog.nameOf(id);
    if (!toggleHidden(settings, id)) status.announce(`${name} is the last one that is shown`);
    else status.announce(`${name} is ${settings.get('compare.hidden').includes(id) ? 'hidden' : 'shown'}`);
  }

  get #isCompact() {
    return this.context.settings.get('compare.compact');
  }

  #applySwitches() {
    const { settings, activity } = this.context;
    this.text.whiteSpace = settings.get('showWhiteSpace');
    this.#work.dataset.compact = String(this.#isCompact);
    this.text.labels = settings.get('compare.laneIds') && !this.#isCompact;
    this.text.relayOut();
    this.#panes.view = settings.get('compare.view');
    this.#panes.redraw();
    if (!this.isActive) return;
    activity.track(this.#panes.drawn());
    this.#divergences.drawViewport();
  }
}

export default presentable(CompareScreen, ComparePresenter);
