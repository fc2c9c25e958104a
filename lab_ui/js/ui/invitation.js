/**
 * What to do first on a screen that has no result yet. Gets `show` and `job`; reports `invited` (detail: the name of
 * the act that was chosen).
 */
import { actionButton, drawnOnce, h, setText } from './dom.js';
import { LabElement } from './element.js';
import { progressBar, waitWords, writeProgress } from './job_progress.js';

/**
 * @typedef {{name: string, label: string, isPrimary?: boolean, isDisabled?: boolean, hook?: string}} Act `hook`: its
 *   `data-role`
 * @typedef {{words: string, isDim?: boolean, hook?: string}} Paragraph without words, it is left out
 * @typedef {{title: string, paragraphs: Paragraph[], acts: Act[], facts?: string[], note?: string, progress?:
 *   string}} Shown `title` may be a name that somebody gave; `facts`: a list below the acts; `progress`: what the bar
 *   of a job says
 */
export class Invitation extends LabElement {
  #bar = progressBar('');
  #words = h('span', { class: 'dim number' });
  #running = h('div', { class: 'first-progress', hidden: true }, this.#bar, this.#words);

  /** @param {Shown} shown */
  show(shown) {
    this.#bar.ariaLabel = shown.progress ?? 'Progress';
    drawnOnce(this, shown, () => [h('div', {}, ...this.#content(shown))]);
  }

  /** @param {Shown} shown */
  #content({ title, paragraphs, acts, facts = [], note = '' }) {
    return [
      h('h2', {}, h('bdi', {}, title)),
      ...paragraphs
        .filter(({ words }) => words)
        .map(({ words, isDim, hook }) => h('p', { class: isDim ? 'dim' : '', 'data-role': hook }, words)),
      h('div', { class: 'first-acts' }, ...acts.map(act => this.#button(act))),
      this.#running,
      facts.length ? h('ul', { class: 'first-facts' }, ...facts.map(fact => h('li', {}, fact))) : null,
      note ? h('p', { class: 'faint' }, note) : null,
    ].filter(part => part !== null);
  }

  /** @param {Act} act */
  #button({ name, label, isPrimary = false, isDisabled = false, hook }) {
    return actionButton(label, () => this.emit('invited', name), {
      class: `button ${isPrimary ? 'primary' : 'framed'}`,
      disabled: isDisabled,
      'data-role': hook,
      'data-key': name,
    });
  }

  /**
   * @param {import('./job_progress.js').Progress & {title?: string, message: string}|null} job under way; null: none
   */
  set job(job) {
    this.#running.hidden = !job;
    if (!job) return;
    writeProgress(this.#bar, job);
    setText(this.#words, waitWords(job) || job.message);
  }
}

customElements.define('first-invitation', Invitation);
