/**
 * The long work under way, each piece with how far it is and a button that stops it. Gets `jobs` (JOB objects that have
 * not ended) by property, reports `stop` with the job's id. Knows nothing of what the work is.
 */
import { LabElement } from '../ui/element.js';
import { all, focused, h, setText } from '../ui/dom.js';
import { ICONS, icon } from '../ui/icons.js';
import { percent, size } from '../util/format.js';

const MOST = 3;

export class JobTray extends LabElement {
  #chips = new Map();
  #more = h('span', { class: 'dim' });

  /** @param {Object[]} jobs */
  set jobs(jobs) {
    const shown = jobs.slice(0, MOST);
    const held = /** @type {HTMLElement|null} */ (focused()?.closest('[data-role=job]'));
    for (const [id, chip] of this.#chips)
      if (!shown.some(job => job.id === id)) {
        chip.element.remove();
        this.#chips.delete(id);
      }
    for (const job of shown) {
      const chip = this.#chips.get(job.id) ?? this.#chip(job);
      chip.draw(job);
    }
    setText(this.#more, jobs.length > MOST ? `and ${jobs.length - MOST} more` : '');
    if (jobs.length > MOST) this.append(this.#more);
    else this.#more.remove();
    if (held && !held.isConnected) all(this, 'button')[0]?.focus();
  }

  #chip(job) {
    const bar = h('progress', { 'aria-label': `Fetching ${job.title}` });
    const figure = h('span', { class: 'number job-figure' });
    const lost = h('span', { class: 'warning', role: 'status' });
    const stop = h(
      'button',
      {
        type: 'button',
        class: 'button',
        title: 'Stop',
        'aria-label': `Stop fetching ${job.title}`,
        onclick: () => {
          stop.disabled = true;
          this.emit('stop', job.id);
        },
      },
      icon(ICONS.cross),
    );
    const element = h(
      'span',
      { class: 'job', 'data-role': 'job', 'data-job': job.id },
      h('bdi', { class: 'job-title', title: job.title }, job.title),
      bar,
      figure,
      lost,
      stop,
    );
    const draw = ({ state, done, total, isLost }) => {
      element.dataset.lost = String(Boolean(isLost));
      setText(lost, isLost ? 'Connection lost, trying again' : '');
      if (total) {
        bar.max = total;
        bar.value = done;
      } else bar.removeAttribute('value');
      setText(figure, state === 'waiting' ? 'waiting' : total ? percent(done / total) : size(done));
      figure.title = total ? `${size(done)} of ${size(total)}` : '';
    };
    this.append(element);
    const chip = { element, draw };
    this.#chips.set(job.id, chip);
    return chip;
  }
}

customElements.define('job-tray', JobTray);
