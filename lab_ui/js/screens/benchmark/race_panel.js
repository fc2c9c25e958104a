/** The races: of encoders, or of trainers. One is shown at a time. Reports `racechange` (detail: which). */
import { h, listen } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { RACES } from './benchmark_state.js';

/** @typedef {import('./benchmark_state.js').Race} Race */

export class RacePanel extends EventTarget {
  #control = new SegmentedControl();
  /** @type {Record<Race, HTMLElement>} */
  #views;
  element;

  /** @param {Record<Race, HTMLElement>} views */
  constructor(views) {
    super();
    this.#views = views;
    this.#control.ariaLabel = 'What races';
    this.#control.options = RACES;
    listen(this.#control, 'valuechange', race => this.dispatchEvent(new CustomEvent('racechange', { detail: race })));
    this.element = h(
      'div',
      { class: 'bench-view race' },
      h('div', { class: 'race-choice' }, this.#control),
      ...Object.values(views),
    );
  }

  /** @param {Race} race */
  set race(race) {
    this.#control.value = race;
    for (const [name, view] of Object.entries(this.#views)) view.hidden = name !== race;
  }
}
