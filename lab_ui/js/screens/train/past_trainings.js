/**
 * All trainings, the newest first. Gets `show`; reports `opentraining`, `resumetraining` and `removetraining` (detail:
 * id).
 */
import { isLive, stateWords } from '../../app/training_states.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, h, setText, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { plural, whenWords } from '../../util/format.js';
import { algorithmWords } from './train_words.js';

/** @typedef {import('../../api/trainings.js').Training} Training */

export class PastTrainings extends LabElement {
  #empty = h('p', { class: 'dim train-note' }, 'Nothing was trained yet.');
  #list = h('ul', { class: 'past-trainings' });

  render() {
    this.append(this.#empty, this.#list);
  }

  /** @param {Training[]} list @param {number|null} shown id */
  show(list, shown) {
    this.#empty.hidden = list.length > 0;
    update(
      this.#list,
      list,
      ({ id }) => id,
      training => this.#entry(training),
      (element, training) => write(element, training, training.id === shown),
    );
  }

  /** @param {Training} training */
  #entry({ id, name }) {
    const resume = actionButton('Resume', () => this.emit('resumetraining', id), {
      class: 'button framed past-resume',
      'aria-label': `Resume ${name}`,
    });
    return h(
      'li',
      { class: 'past-training', 'data-training': id },
      actionButton(
        [h('bdi', { class: 'past-name' }), h('span', { class: 'past-state' }), h('span', { class: 'past-words dim' })],
        () => this.emit('opentraining', id),
        { class: 'past-open' },
      ),
      h(
        'div',
        { class: 'past-acts' },
        resume,
        confirmButton({ label: 'Delete', name, handler: () => this.emit('removetraining', id) }),
      ),
    );
  }
}

/** @param {HTMLElement} element @param {Training} training @param {boolean} isShown */
function write(element, training, isShown) {
  const { name, state, options, vocab_size: vocab, made_at: madeAt, can_resume: canResume } = training;
  const open = /** @type {HTMLElement} */ (element.querySelector('.past-open'));
  if (isShown) open.setAttribute('aria-current', 'true');
  else open.removeAttribute('aria-current');
  element.dataset.state = state;
  const [label, status, facts] = element.querySelectorAll('.past-name, .past-state, .past-words');
  setText(label, name);
  /** @type {HTMLElement} */ (label).title = name;
  setText(status, stateWords(training));
  const tokens = vocab === null ? '' : plural(vocab, 'token');
  setText(facts, [algorithmWords(options.algorithm), tokens, whenWords(madeAt)].filter(Boolean).join(' · '));
  /** @type {HTMLElement} */ (element.querySelector('.past-resume')).hidden = !canResume;
  /** @type {HTMLElement} */ (element.querySelector('.past-acts')).hidden = isLive(training);
}

customElements.define('past-trainings', PastTrainings);
