/**
 * The runs, the newest first. Gets `show`; reports `openrun` (detail: id) and `comparerun` (detail: the id of the
 * earlier run, null: none).
 */
import { drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { DASH, figure, percent, whenWords } from '../../util/format.js';
import { keyName, settingsWords } from './benchmark_words.js';

const NOISY = 0.05;

/** @typedef {import('../../api/benchmarks.js').BenchmarkLine} BenchmarkLine */

export class RunsList extends LabElement {
  /** Runs that are listed at most. */
  most = Infinity;

  /** @param {BenchmarkLine[]} lines @param {number|null} shown id @param {number|null} before id */
  show(lines, shown, before) {
    drawnOnce(this, [lines, shown, before], () => [
      h(
        'table',
        { class: 'runs' },
        h('caption', { class: 'visually-hidden' }, 'Runs, the newest first'),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'Compare')),
            h('th', { scope: 'col', class: 'runs-what' }, 'What'),
            h('th', { scope: 'col', class: 'number' }, 'Ratio'),
            h('th', { scope: 'col', class: 'number' }, 'Noise'),
          ),
        ),
        h('tbody', {}, ...lines.slice(0, this.most).map(line => this.#line(line, shown, before))),
      ),
    ]);
  }

  /** @param {BenchmarkLine} line @param {number|null} shown @param {number|null} before */
  #line(line, shown, before) {
    const { id, title, state, noise_spread: noise, winner, winner_ratio: ratio } = line;
    const isShown = id === shown;
    const box = h('input', {
      type: 'checkbox',
      checked: isShown || id === before,
      disabled: isShown || shown === null || state === 'running',
      ariaLabel: `Compare with run ${id}`,
      'data-key': `compare-${id}`,
      onchange: () => this.emit('comparerun', box.checked ? id : null),
    });
    const words = [whenWords(line.created_at), line.text_title, settingsWords(line)].join(', ');
    return h(
      'tr',
      { 'data-run': String(id), 'data-shown': String(isShown), 'data-compared': String(id === before) },
      h('td', {}, box),
      h(
        'td',
        { class: 'runs-what' },
        h(
          'button',
          {
            type: 'button',
            class: 'run-open',
            title: words,
            'aria-current': isShown ? 'true' : null,
            'data-key': `open-${id}`,
            onclick: () => this.emit('openrun', id),
          },
          h('span', { class: 'dim number' }, `${id} `),
          h('bdi', {}, title),
        ),
      ),
      h(
        'td',
        {
          class: 'number',
          title: winner ? `${keyName(winner)} against ${line.baseline ? keyName(line.baseline) : DASH}` : '',
        },
        ratio ? `${figure(ratio.median)} ×` : state === 'done' ? DASH : h('span', { class: 'warn-words' }, state),
      ),
      h('td', { class: `number ${noise !== null && noise > NOISY ? 'warn-words' : 'dim'}` }, percent(noise, 0)),
    );
  }
}

customElements.define('runs-list', RunsList);
