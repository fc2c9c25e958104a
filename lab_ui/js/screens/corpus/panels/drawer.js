/** The panel on the right: frequent tokens, entries never seen, settings. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { SidePanel } from '../../../ui/side_panel.js';
import { TabList } from '../../../ui/tab_list.js';
import { Seen } from '../../../util/seen.js';
import { DRAWERS } from '../corpus_state.js';
import { FrequentTokens } from '../frequent_tokens.js';
import { NeverSeen } from '../never_seen.js';
import { SettingsPanel } from '../settings_panel.js';
import { showLetters } from '../token_picker.js';

/** @typedef {Pick<typeof import('../../../api/analyses.js'), 'unseenEntries'>} Client */

export class DrawerPanel extends Panel {
  element = new SidePanel();
  #screen;
  #client;
  #settings = new SettingsPanel();
  #tabs = new TabList();
  #letters = { frequent: new SegmentedControl(), unseen: new SegmentedControl() };
  #frequent = new FrequentTokens();
  #unseen = new NeverSeen();
  #drawn = new Seen();

  /** @param {import('../corpus_data.js').Host} screen @param {Client} client */
  constructor(screen, client) {
    super();
    this.#screen = screen;
    this.#client = client;
    const { data } = screen;
    const bodies = {
      frequent: h('div', { class: 'tab-body' }, this.#letters.frequent, this.#frequent),
      unseen: h('div', { class: 'tab-body unseen' }, this.#letters.unseen, this.#unseen),
      settings: h('div', { class: 'tab-body' }, this.#settings),
    };
    this.#unseen.start(error => screen.showError(error));
    this.element.label = 'Tokens and settings';
    this.element.body.append(this.#tabs, ...Object.values(bodies));
    this.#tabs.tabs = DRAWERS.map(tab => ({ ...tab, panel: bodies[tab.value] }));
    listen(this.#tabs, 'valuechange', drawer => screen.set({ drawer }));
    for (const control of Object.values(this.#letters)) listen(control, 'valuechange', id => screen.choose(id));
    listen(this.#frequent, 'choosetoken', token => screen.findToken(token));
    listen(this.#settings, 'settingchange', values => this.context.settings.set(values));
    screen.handle(this.#settings, 'repeatanalysis', () => data.repeat());
    screen.handle(this.#settings, 'removecorpus', () => data.removeCorpus(data.corpus?.id ?? ''));
    screen.handle(this.#settings, 'removeanalysis', () => data.remove(data.analysis?.id ?? 0));
  }

  /** How the corpus is read. */
  get reading() {
    return this.#settings.reading;
  }

  /** @param {{shown: import('../corpus_state.js').Shown|null, state: import('../corpus_state.js').CorpusState}} all */
  onResult({ shown, state: { drawer } }) {
    const { settings } = this.context;
    const { corpus, analysis } = this.#screen.data;
    this.#tabs.value = drawer;
    this.#settings.show({
      corpus,
      analysis,
      sample: settings.get('corpus.sample'),
      reference: settings.get('corpus.reference'),
    });
    const chosen = shown?.chosen ?? null;
    const own = shown?.tokenizers.find(({ id }) => id === chosen?.tokenizer);
    if (this.#drawn.again([shown?.analysis.id, chosen?.tokenizer, own?.letter, drawer])) return;
    for (const control of Object.values(this.#letters)) {
      if (shown) showLetters(control, shown.tokenizers, chosen?.tokenizer ?? null);
      else control.hidden = true;
    }
    if (drawer === 'frequent') this.#frequent.show(chosen, own?.letter ?? 'A');
    if (drawer === 'unseen') this.#screen.try(() => this.#unseen.show(chosen, this.#rowsOf(shown)));
  }

  /** @param {import('../corpus_state.js').Shown|null} shown */
  #rowsOf(shown) {
    const id = shown?.analysis.id ?? 0;
    const tokenizer = shown?.chosen.tokenizer ?? '';
    return (/** @type {number} */ offset, /** @type {number} */ limit) =>
      this.#client.unseenEntries(id, { tokenizer, offset, limit });
  }
}
