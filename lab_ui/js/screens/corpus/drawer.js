/** The panel on the right: frequent tokens, entries never seen, settings. */
import { h, listen } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { DRAWERS } from './corpus_state.js';
import { FrequentTokens } from './frequent_tokens.js';
import { NeverSeen } from './never_seen.js';
import { SettingsPanel } from './settings_panel.js';
import { showLetters } from './token_picker.js';

/**
 * @typedef {{choose: (tokenizer: string) => void, examples: (token: number) => void, show: (drawer: string) => void,
 *   fail: (error: Error) => void, track: (work: Promise<any>) => Promise<any>}} Acts
 */
export class CorpusDrawer {
  side = new SidePanel();
  settings = new SettingsPanel();
  #acts;
  #tabs = new TabList();
  #letters = { frequent: new SegmentedControl(), unseen: new SegmentedControl() };
  #frequent = new FrequentTokens();
  #unseen = new NeverSeen();
  #drawn = '';

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
    const panels = {
      frequent: h('div', { class: 'tab-body' }, this.#letters.frequent, this.#frequent),
      unseen: h('div', { class: 'tab-body unseen' }, this.#letters.unseen, this.#unseen),
      settings: h('div', { class: 'tab-body' }, this.settings),
    };
    this.#unseen.start(acts.fail);
    this.side.label = 'Tokens and settings';
    this.side.body.append(this.#tabs, ...Object.values(panels));
    this.#tabs.tabs = DRAWERS.map(tab => ({ ...tab, panel: panels[tab.value] }));
    listen(this.#tabs, 'valuechange', acts.show);
    for (const control of Object.values(this.#letters)) listen(control, 'valuechange', acts.choose);
    listen(this.#frequent, 'choosetoken', acts.examples);
  }

  /**
   * @param {import('./corpus_state.js').Shown|null} shown null: no analysis
   * @param {import('./corpus_state.js').Drawer} drawer
   * @param {(offset: number, limit: number) => Promise<any>} unseen reads entries that do not occur
   */
  draw(shown, drawer, unseen) {
    this.#tabs.value = drawer;
    const chosen = shown?.chosen ?? null;
    const own = shown?.tokenizers.find(({ id }) => id === chosen?.tokenizer);
    const version = [shown?.analysis.id, chosen?.tokenizer, own?.letter, drawer].join('\n');
    if (version === this.#drawn) return;
    this.#drawn = version;
    for (const control of Object.values(this.#letters)) {
      if (shown) showLetters(control, shown.tokenizers, chosen?.tokenizer ?? null);
      else control.hidden = true;
    }
    if (drawer === 'frequent') this.#frequent.show(chosen, own?.letter ?? 'A');
    if (drawer === 'unseen') this.#acts.track(this.#unseen.show(chosen, unseen).catch(this.#acts.fail));
  }
}
