/** The panel on the right, with its tabs: setup or the training that is shown, its log, all trainings. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { SidePanel } from '../../../ui/side_panel.js';
import { TabList } from '../../../ui/tab_list.js';
import { LogList } from '../log_list.js';
import { PastTrainings } from '../past_trainings.js';
import { TABS } from '../train_state.js';
import { TrainingCard } from '../training_card.js';

/**
 * @typedef {Pick<typeof import('../../../api/trainings.js'), 'trainingFile'|'trainingFormats'|'trainingReport'>} Client
 */
export class SidePart extends Panel {
  element = new SidePanel();
  #screen;
  #client;
  #setup;
  #tabs = new TabList();
  #card = new TrainingCard();
  #log = new LogList();
  #past = new PastTrainings();
  /** @type {number|null} */
  #asked = null;
  /** Of the training that was asked about last. @type {{id: number, formats: any[]}|null} */
  #formats = null;

  /**
   * @param {import('../train_data.js').Host} screen @param {Client} client @param {import('./setup.js').SetupPanel}
   *   setup
   */
  constructor(screen, client, setup) {
    super();
    this.#screen = screen;
    this.#client = client;
    this.#setup = setup;
    const panels = {
      setup: h('div', { class: 'train-tab', id: 'train-panel-setup' }, this.#card, setup.element),
      log: h('div', { class: 'train-tab', id: 'train-panel-log' }, this.#log),
      past: h('div', { class: 'train-tab', id: 'train-panel-past' }, this.#past),
    };
    this.element.label = 'Setup, log and trainings';
    this.#tabs.tabs = TABS.map(tab => ({ ...tab, panel: panels[tab.value] }));
    this.element.body.append(this.#tabs, ...Object.values(panels));
    listen(this.#tabs, 'valuechange', tab => screen.set({ tab }));
    screen.handle(this.#card, 'opentokenizer', () => screen.openTokenizer());
    screen.handle(this.#card, 'comparetokenizer', other => screen.compareTokenizer(other));
    listen(this.#card, 'savetokenizer', format => this.#save(id => client.trainingFile(id, format)));
    listen(this.#card, 'savereport', format =>
      this.#save(id => client.trainingReport(id, format, this.context.settings.get('chosen'))),
    );
    screen.handle(this.#past, 'opentraining', id => screen.open(id));
    screen.handle(this.#past, 'resumetraining', id => screen.resume(id));
    screen.handle(this.#past, 'removetraining', id => screen.remove(id));
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { data } = this.#screen;
    listen(data, 'figureschange', () => this.#drawCard());
    listen(data, 'logchange', () => this.#drawLog(data));
  }

  /** What can be saved. */
  get exports() {
    return this.#card.save;
  }

  /** @param {import('../train_data.js').Shown} shown */
  onResult({ training, lines, log, state, hasForm }) {
    this.#tabs.value = state.tab;
    this.#setup.element.hidden = !hasForm;
    this.#card.hidden = hasForm;
    this.#past.show(lines, training?.id ?? null);
    this.#drawCard();
    this.#drawLog({ training, log });
  }

  /** @param {Pick<import('../train_data.js').TrainData, 'training'|'log'>} data */
  #drawLog({ training, log }) {
    this.#log.show(log, training ? 'The log is empty.' : 'No training is open.');
  }

  #drawCard() {
    const { training, figures } = this.#screen.data;
    if (!training) return;
    const { catalog, settings } = this.context;
    this.#readFormats(training);
    this.#card.show({ ...training, estimate: this.#setup.estimateOf(training) }, figures?.references ?? [], {
      active: settings.get('active'),
      others: catalog.chosen.map(id => ({ id, name: catalog.nameOf(id) })),
      nameOf: id => catalog.nameOf(id),
      isActing: this.#screen.isActing,
      formats: this.#formats?.id === training.id ? this.#formats.formats : null,
    });
  }

  /**
   * Asks once, when it has ended, which formats can hold the tokenizer.
   * @param {import('../../../api/trainings.js').Training} training
   */
  #readFormats({ id, state }) {
    if (!['done', 'kept'].includes(state) || this.#asked === id || !this.#screen.isActive) return;
    this.#asked = id;
    this.#screen.try(async () => {
      const formats = await this.#client.trainingFormats(id);
      if (this.#asked !== id) return;
      this.#formats = { id, formats };
      this.#drawCard();
    });
  }

  /** @param {(id: number) => Promise<{name: string, data: Blob}>} file */
  #save(file) {
    const { training } = this.#screen.data;
    if (training) this.#screen.save(() => file(training.id));
  }
}
