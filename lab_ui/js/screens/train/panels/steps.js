/** The steps of the training in a table, which stays at the last one while the settings say so. */
import { Panel } from '../../../app/panel.js';
import { isLive } from '../../../app/training_states.js';
import { listen } from '../../../ui/dom.js';
import { StepsTable, stepWords } from '../steps_table.js';

export class StepsPanel extends Panel {
  element = new StepsTable();
  #screen;

  /** @param {import('../train_data.js').Host} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
    listen(this.element, 'orderchange', order => this.context.settings.set({ 'train.order': order }));
    listen(this.element, 'followchange', follow => this.context.settings.set({ 'train.follow': follow }));
    listen(this.element, 'choosestep', row => this.context.status.now(stepWords(row)));
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    listen(this.#screen.data, 'stepschange', () => {
      this.onResult(this.#screen.data);
      this.element.renew();
    });
  }

  /** @param {Pick<import('../train_data.js').TrainData, 'training'|'steps'>} shown */
  onResult({ training, steps }) {
    if (!training || !steps) return;
    const { settings } = this.context;
    const none = isLive(training) ? 'The first step is not made yet.' : 'No step was made.';
    this.element.show({
      steps,
      options: training.options,
      order: settings.get('train.order'),
      follows: settings.get('train.follow'),
      isLive: isLive(training),
      hasHeldOut: training.body.held_out !== null,
      words: training.done ? 'Reading the steps…' : none,
    });
  }
}
