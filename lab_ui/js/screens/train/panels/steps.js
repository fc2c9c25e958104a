/** The steps of the training in a table, which stays at the last one while the settings say so. */
import { beginningLink } from '../../../app/lesson_link.js';
import { Panel } from '../../../app/panel.js';
import { isLive } from '../../../app/training_states.js';
import { listen } from '../../../ui/dom.js';
import { StepsTable, stepWords } from '../steps_table.js';
import { isByScore } from '../train_words.js';
/** @import {Stage} from '../../../app/lesson_link.js' */

export class StepsPanel extends Panel {
  element = new StepsTable();
  #screen;
  #client;

  /**
   * @param {import('../train_data.js').Host} screen
   * @param {Pick<typeof import('../../../api/trainings.js'), 'trainingBeginning'>} client
   */
  constructor(screen, client) {
    super();
    this.#screen = screen;
    this.#client = client;
    listen(this.element, 'watch', row => this.#watch(row));
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
      canWatch: this.#lessonOf(training) !== null,
      words: training.done ? 'Reading the steps…' : none,
    });
  }

  /**
   * The lesson on a step of a training: it has ended, and it learnt as the lesson does.
   * @param {import('../../../api/trainings.js').Training} training
   */
  #lessonOf(training) {
    const { options, vocab_size: size } = training;
    if (isLive(training) || !size || options.whole_characters || options.superwords_from) return null;
    if (options.algorithm === 'bpe' || options.algorithm === 'unigram') return `${options.algorithm}-train`;
    return isByScore(options) ? 'wordpiece-train' : null;
  }

  /** Opens the lesson at a step. @param {import('../../../api/trainings.js').StepRow} row */
  #watch(row) {
    const { training } = this.#screen.data;
    const lesson = training && this.#lessonOf(training);
    const place = placeOfStep(row);
    if (!lesson || !place) return;
    this.#screen.try(async () => {
      const { text, is_whole: isWhole } = await this.#client.trainingBeginning(training.id);
      const tokenizer = await this.#screen.kept();
      if (tokenizer === null || !this.#screen.isActive) return;
      this.context.router.go('learn', beginningLink(lesson, tokenizer, { text, isWhole }, place));
    });
  }
}

/**
 * The place of a step in the lesson; null: it has none.
 * @param {import('../../../api/trainings.js').StepRow} row @returns {import('../../../app/lesson_link.js').Place|null}
 */
function placeOfStep({ rank, token, iteration, stage, tokens }) {
  if (rank !== undefined) return { kind: 'merge', number: rank + 1, bytes: token?.bytes ?? '' };
  if (iteration === undefined) return null;
  return { kind: 'iteration', number: iteration + 1, stage: /** @type {Stage} */ (stage), tokens: tokens ?? 0 };
}
