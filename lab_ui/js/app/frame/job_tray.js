/**
 * The long work under way, each piece with how far it is and a button that stops it, and what was interrupted, with a
 * button that starts it again. Gets `jobs` (JOB objects) by property, reports `stop` and `restart` with the job's id.
 * Knows nothing of what the work is.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, all, focused, h, setText, update } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, percent, size } from '../../util/format.js';
import { LOST, progressBar, writeProgress } from '../../ui/job_progress.js';

const MOST = 3;
/** What is done to the title of a job. @type {Object<string, string|undefined>} */
const ACTIONS = {
  fetch: 'Fetching',
  analysis: 'Analyzing',
  corpus: 'Reading',
  robustness: 'Measuring',
  benchmark: 'Measuring',
  growth: 'Measuring',
  pathological: 'Measuring',
  race: 'Measuring',
  trainers: 'Measuring',
  stages: 'Measuring',
  conformance: 'Checking',
  training: 'Training',
};

export class JobTray extends LabElement {
  #chips = h('span', { class: 'job-chips' });
  #more = h('span', { class: 'dim' });

  render() {
    this.append(this.#chips, this.#more);
  }

  /** @param {import('../state/job_store.js').ShownJob[]} jobs */
  set jobs(jobs) {
    const isHeld = this.contains(focused());
    update(
      this.#chips,
      jobs.slice(0, MOST),
      ({ id, state }) => (state === 'interrupted' ? `left ${id}` : id),
      job => this.#chip(job),
      write,
    );
    this.#more.hidden = jobs.length <= MOST;
    setText(this.#more, jobs.length > MOST ? `and ${jobs.length - MOST} more` : '');
    if (isHeld && !this.contains(focused())) all(this, 'button')[0]?.focus();
  }

  /** @param {import('../state/job_store.js').ShownJob} job */
  #chip({ id, kind, title, state }) {
    const action = ACTIONS[kind] ?? 'Working on';
    const name = `${action} ${title}`;
    const isLeft = state === 'interrupted';
    const stop = actionButton(
      icon(ICONS.cross, 12),
      () => {
        stop.disabled = true;
        this.emit('stop', id);
      },
      {
        class: 'button',
        title: isLeft ? 'Dismiss' : 'Stop',
        'aria-label': `${isLeft ? 'Dismiss' : 'Stop'} ${action.toLowerCase()} ${title}`,
      },
    );
    return h(
      'span',
      { class: 'job', 'data-role': 'job', 'data-job': id },
      h('bdi', { class: 'job-title clip', title: name }, isLeft ? `${title} was interrupted` : title),
      isLeft ? this.#restart(id, name) : progressBar(name),
      h('span', { class: 'number job-figure' }),
      h('span', { class: 'warning', role: 'status' }),
      stop,
    );
  }

  /** @param {string} id @param {string} name */
  #restart(id, name) {
    return actionButton('Start again', () => this.emit('restart', id), {
      class: 'button',
      title: `${name}: interrupted, because the lab ended while it ran`,
      'aria-label': `Start again: ${name}`,
    });
  }
}

/** Writes how far a job is. @param {HTMLElement} chip @param {import('../state/job_store.js').ShownJob} job */
function write(chip, { state, done, total, unit, message, isLost }) {
  if (state === 'interrupted') return;
  const amount = unit === 'bytes' || !unit ? size : count;
  const bar = /** @type {HTMLProgressElement} */ (chip.querySelector('progress'));
  const figure = /** @type {HTMLElement} */ (chip.querySelector('.job-figure'));
  chip.dataset.lost = String(Boolean(isLost));
  setText(chip.querySelector('.warning'), isLost ? LOST : '');
  writeProgress(bar, { done, total });
  setText(figure, state === 'waiting' ? 'waiting' : total ? percent(done / total) : amount(done));
  figure.title = [total ? `${amount(done)} of ${amount(total)}` : '', message].filter(Boolean).join(', ');
}

customElements.define('job-tray', JobTray);
