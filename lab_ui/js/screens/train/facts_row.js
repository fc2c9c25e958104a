/**
 * The figures of the training that is shown, what became of it, and what can be done with it. Gets `show`; reports
 * `trainact` (detail: pause, continue, keep, resume or halt) and `newtraining`.
 */
import { isLive } from '../../app/training_states.js';
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, h, setText, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { endWords, factsOf, mainFact } from './train_words.js';
import { LOST } from '../../ui/job_progress.js';

/** @typedef {import('../../api/trainings.js').Training} Training */

export class FactsRow extends LabElement {
  #figure = h('b', { class: 'big number', 'data-role': 'train-done' });
  #words = h('span', { class: 'number', 'data-role': 'train-total' });
  #facts = h('div', { class: 'train-figures' });
  #end = h('div', { class: 'train-end', 'data-role': 'train-end' });
  #pause = this.#button('Pause', 'pause', 'Space');
  #continue = this.#button('Continue', 'continue', 'Space');
  #keep = this.#button('Stop and keep', 'keep');
  #resume = this.#button('Resume', 'resume');
  #halt = confirmButton({
    label: 'Cancel',
    name: 'the training',
    confirm: 'Confirm', // as wide as before, so that the row stays as it is under the pointer
    question: 'Confirm: cancel the training',
    handler: () => this.emit('trainact', 'halt'),
  });
  #new = actionButton('New training', () => this.emit('newtraining'), { 'data-role': 'new-training' });

  render() {
    this.#halt.dataset.role = 'train-halt';
    this.append(
      h(
        'div',
        { class: 'train-facts-row' },
        h('div', { class: 'train-main' }, this.#figure, this.#words),
        this.#facts,
        this.#end,
        h('div', { class: 'train-acts' }, this.#pause, this.#continue, this.#keep, this.#halt, this.#resume, this.#new),
      ),
    );
  }

  /** @param {Training} training @param {{isLost: boolean, isActing: boolean}} state */
  show(training, { isLost, isActing }) {
    const { state, can_resume: canResume } = training;
    const isOpen = isLive(training);
    const main = mainFact(training);
    setText(this.#figure, main.figure);
    setText(this.#words, main.words);
    update(
      this.#facts,
      factsOf(training),
      ({ words }) => words,
      ({ words, title = '' }) =>
        h('div', { class: 'train-fact', title }, h('b', { class: 'number' }), h('span', {}, words)),
      (element, { figure }) => setText(/** @type {HTMLElement} */ (element.firstChild), figure),
    );
    this.#drawEnd(isLost ? { words: `${LOST}.`, hint: '', look: 'warn' } : endWords(training));
    const held = this.contains(document.activeElement) ? document.activeElement : null;
    this.#pause.hidden = state !== 'running';
    this.#continue.hidden = state !== 'paused';
    this.#keep.hidden = this.#halt.hidden = !isOpen;
    // What failed once mostly fails again with the same setup.
    this.#resume.classList.toggle('primary', state !== 'failed');
    this.#resume.hidden = !canResume;
    this.#new.hidden = isOpen;
    this.#new.classList.toggle('primary', state === 'failed' && !canResume);
    for (const button of [this.#pause, this.#continue, this.#keep, this.#resume]) button.disabled = isActing;
    // What had the focus is gone when a training is paused or ends: the keyboard goes on where the next button is.
    if (held instanceof HTMLElement && held.hidden) this.focusAct();
  }

  /** Puts the keyboard on the first thing that can be done. */
  focusAct() {
    [this.#pause, this.#continue, this.#resume, this.#new].find(button => !button.hidden)?.focus();
  }

  /** @param {{words: string, hint: string, look: string}|null} end */
  #drawEnd(end) {
    this.#end.hidden = !end;
    this.#end.dataset.look = end?.look ?? '';
    const words = end ? [end.words, end.hint].filter(Boolean).join(' ') : '';
    this.#end.title = words;
    setText(this.#end, words);
  }

  /** @param {string} label @param {string} action @param {string} [key] */
  #button(label, action, key = '') {
    return actionButton(
      [label, key ? h('kbd', { 'aria-hidden': 'true' }, key) : null],
      () => this.emit('trainact', action),
      { hidden: true, 'data-role': `train-${action}` },
    );
  }
}

customElements.define('train-facts', FactsRow);
