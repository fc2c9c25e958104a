/** The panel on the right, with its tabs: setup or the training that is shown, its log, all trainings. Gets `tab`. */
import { h } from '../../../ui/dom.js';
import { SidePanel } from '../../../ui/side_panel.js';
import { TabList } from '../../../ui/tab_list.js';
import { TABS } from '../train_state.js';
import { LogList } from './log_list.js';
import { PastTrainings } from './past_trainings.js';
import { SetupForm } from './setup_form.js';
import { TrainingCard } from './training_card.js';

export class TrainPanel {
  side = new SidePanel();
  tabs = new TabList();
  form = new SetupForm();
  card = new TrainingCard();
  log = new LogList();
  past = new PastTrainings();

  constructor() {
    const panels = {
      setup: h('div', { class: 'train-tab', id: 'train-panel-setup' }, this.card, this.form),
      log: h('div', { class: 'train-tab', id: 'train-panel-log' }, this.log),
      past: h('div', { class: 'train-tab', id: 'train-panel-past' }, this.past),
    };
    this.side.label = 'Setup, log and trainings';
    this.tabs.tabs = TABS.map(tab => ({ ...tab, panel: panels[tab.value] }));
    this.side.body.append(this.tabs, ...Object.values(panels));
  }

  /** @param {import('../train_state.js').Tab} tab @param {boolean} hasForm the setup is that of the next training */
  show(tab, hasForm) {
    this.tabs.value = tab;
    this.form.hidden = !hasForm;
    this.card.hidden = hasForm;
  }
}
