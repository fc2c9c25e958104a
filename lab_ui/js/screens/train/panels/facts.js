/** The figures of the training, its stages, what can be done with it, and what a screen reader says about it. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { LOST } from '../../../ui/job_progress.js';
import { FactsRow } from '../facts_row.js';
import { SpokenProgress } from '../spoken_progress.js';
import { StagesStrip } from '../stages_strip.js';

export class FactsPanel extends Panel {
  element = new FactsRow();
  stages = new StagesStrip();
  #screen;
  #progress = new SpokenProgress();
  #wasLost = false;

  /** @param {import('../train_data.js').Host} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
    screen.handle(this.element, 'trainact', name => screen.act(name));
    listen(this.element, 'newtraining', () => screen.planNext());
  }

  /** @param {import('../train_data.js').Shown} shown */
  onResult({ training, isLost, isActing }) {
    this.element.hidden = this.stages.hidden = !training;
    if (!training) return;
    this.element.show(training, { isLost, isActing });
    this.stages.show(training.stages, training.state);
    if (this.#screen.isActive) this.#speak(training, isLost);
  }

  /** @param {import('../../../api/trainings.js').Training} training @param {boolean} isLost */
  #speak(training, isLost) {
    const words = isLost && !this.#wasLost ? LOST : this.#progress.wordsOf(training);
    this.#wasLost = isLost;
    if (words) this.context.status.announce(words);
  }
}
