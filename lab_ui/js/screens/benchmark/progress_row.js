/** How far the run under way is, with the time left. Gets `job`; reports `cancelrun`. */
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { progressWords } from './benchmark_words.js';
import { progressBar, waitWords, writeProgress } from '../../ui/job_progress.js';

export class ProgressRow extends LabElement {
  #step = h('b', {});
  #title = h('span', { class: 'dim clip' });
  #bar = progressBar('Progress of the run');
  #left = h('span', { class: 'number' });
  #cancel = actionButton(
    'Cancel',
    () => {
      this.#cancel.disabled = true;
      this.emit('cancelrun');
    },
    { 'data-role': 'cancel-benchmark' },
  );

  render() {
    this.hidden = true;
    this.append(this.#step, this.#title, this.#bar, this.#left, this.#cancel);
  }

  /** @param {import('../../app/state/job_store.js').ShownJob|null} job under way; null: none */
  set job(job) {
    if (!job) this.#cancel.disabled = false;
    this.hidden = !job;
    if (!job) return;
    writeProgress(this.#bar, job);
    const { step, left } = progressWords(job.message);
    setText(this.#step, waitWords(job) || step || 'Starting');
    setText(this.#title, job.title);
    setText(this.#left, job.isLost ? '' : left);
  }
}

customElements.define('benchmark-progress', ProgressRow);
