/** The stages of a training from left to right: done, under way, waiting. Gets `show`. */
import { isLive } from '../../app/training_states.js';
import { h, setText, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { icon } from '../../ui/icons.js';
import { percent } from '../../util/format.js';
import { stageWords } from './train_words.js';

const CHECK = 'M5 12.5l5 5L19 7';

/**
 * @typedef {import('../../api/schema.d.ts').StageState} TrainingStage
 * @typedef {import('../../api/trainings.js').TrainingState} TrainingState
 */

export class StagesStrip extends LabElement {
  #list = h('ol', { class: 'train-stages', 'aria-label': 'Stages of the training' });

  render() {
    this.append(this.#list);
  }

  /**
   * @param {TrainingStage[]} stages
   * @param {TrainingState} state of the training
   */
  show(stages, state) {
    update(
      this.#list,
      stages,
      ({ name }) => name,
      () => stageNode(),
      (element, stage) => write(element, stage, state),
    );
  }
}

const stageNode = () =>
  h(
    'li',
    { class: 'train-stage' },
    h(
      'div',
      { class: 'train-stage-name' },
      icon(CHECK, 14),
      h('b', { class: 'clip' }),
      h('span', { class: 'visually-hidden' }),
      h('span', { class: 'stage-share number' }),
    ),
    h('small', { class: 'number clip' }),
    h('small', { class: 'number clip' }),
    h('span', { class: 'stage-bar', 'aria-hidden': 'true' }, h('i', {})),
  );

/** @param {HTMLElement} element @param {TrainingStage} stage @param {TrainingState} state */
function write(element, stage, state) {
  const isRunning = stage.state === 'running';
  const isOver = isRunning && !isLive({ state });
  const { first, second } = stageWords(stage, state === 'paused', isOver);
  const [name, status, share] = element.querySelectorAll('b, .visually-hidden, .stage-share');
  const [one, two] = element.querySelectorAll('small');
  element.dataset.state = isOver ? 'over' : stage.state;
  if (isRunning && !isOver) element.setAttribute('aria-current', 'step');
  else element.removeAttribute('aria-current');
  setText(name, stage.title);
  setText(status, stage.state === 'done' ? ', done' : '');
  setText(share, isRunning && !isOver && stage.share !== null ? percent(stage.share) : '');
  setText(one, first);
  setText(two, second);
  one.title = one.textContent ?? '';
  two.title = two.textContent ?? '';
  const part = stage.state === 'done' ? 1 : (stage.share ?? 0);
  element.style.setProperty('--share', `${100 * Math.min(1, Math.max(0, part))}%`);
}

customElements.define('train-stages', StagesStrip);
