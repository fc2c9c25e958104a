/** The machine that a run was measured on, and how steady it was. Gets `show`; reports `measurenoise`. */
import { actionButton, drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { count, percent, plural, size } from '../../util/format.js';
import { facts, part } from '../../ui/facts.js';

/**
 * @typedef {import('../../api/schema.d.ts').Environment} Environment
 * @typedef {import('../../api/schema.d.ts').Noise} Noise
 */

const NOT_REPORTED = '– not reported';

export class EnvironmentCard extends LabElement {
  /** @param {{environment: Environment, noise: Noise|null}|null} measured null: nothing yet @param {boolean} isNow */
  show(measured, isNow) {
    drawnOnce(this, [measured, isNow], () => [
      part('Environment', ...(measured ? cardOf(measured, isNow) : []), this.#button(measured)),
    ]);
  }

  /** @param {Object|null} measured */
  #button(measured) {
    const button = actionButton(
      measured ? 'Measure the noise now' : 'Measure this machine',
      () => {
        button.disabled = true;
        this.emit('measurenoise');
      },
      { 'data-role': 'measure-noise', title: 'Times a fixed loop for a second' },
    );
    return h('div', { class: 'bench-actions' }, button);
  }
}

/** @param {{environment: Environment, noise: Noise|null}} measured @param {boolean} isNow */
function cardOf({ environment, noise }, isNow) {
  const { cpu, usable_cpus: usable, cores, governor, load_average: load, memory_bytes: memory } = environment;
  const busy = load !== null && load > usable / 2;
  return [
    isNow ? h('p', { class: 'dim' }, 'As it is now, not as it was during the run.') : null,
    noise ? noiseNode(noise) : h('p', { class: 'dim' }, 'The noise of the machine was not measured.'),
    facts([
      ['CPU', cpu ?? NOT_REPORTED],
      ['CPUs', `${count(usable)} usable${cores === null ? '' : `, ${plural(cores, 'core')}`}`],
      ['Governor', governor ?? NOT_REPORTED],
      ['Frequency', environment.frequency_mhz === null ? null : `${count(Math.round(environment.frequency_mhz))} MHz`],
      [
        'Load',
        load === null
          ? NOT_REPORTED
          : h('span', { class: busy ? 'warn-words' : '' }, `${load.toFixed(1)} on ${plural(usable, 'CPU')}`),
      ],
      ['Memory', memory === null ? NOT_REPORTED : size(memory)],
      ['System', environment.system],
      ['Python', environment.python],
      ['Lab', [environment.lab, environment.commit?.slice(0, 7)].filter(Boolean).join(' · ')],
      ['Engine', environment.build],
    ]),
    ...environment.warnings.map(words => h('p', { class: 'warn-words' }, words)),
  ].filter(Boolean);
}

/** @param {Noise} noise */
const noiseNode = ({ spread, warning }) =>
  h(
    'div',
    { class: warning ? 'bench-warning' : 'bench-calm', role: 'note', 'data-role': 'noise' },
    h('b', {}, `Noise ${percent(spread, spread < 0.1 ? 1 : 0)}. `),
    warning ?? 'Interquartile range of a fixed loop timed before the run. Differences smaller than this are noise.',
  );

customElements.define('environment-card', EnvironmentCard);
