/**
 * The runs, the newest first. Gets `show`; reports `openrun` (detail: id) and `comparerun` (detail: the id of the
 * earlier run, null: none).
 */
import { actionButton, drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { DASH, figure, percent, whenWords } from '../../util/format.js';
import { keyName, settingsWords } from './benchmark_words.js';
import { numbers, table } from '../../ui/table.js';

const NOISY = 0.05;

/** @typedef {import('../../api/schema.d.ts').BenchmarkSummary} BenchmarkLine */

export class RunsList extends LabElement {
  /** Runs that are listed at most. */
  most = Infinity;

  /** @param {BenchmarkLine[]} lines @param {number|null} shown id @param {number|null} before id */
  show(lines, shown, before) {
    drawnOnce(this, [lines, shown, before], () => [
      table({
        properties: { class: 'runs' },
        caption: 'Runs, the newest first',
        isCaptionHidden: true,
        columns: [
          { label: 'Compare', isHidden: true },
          { label: 'What', className: 'runs-what', headClass: 'runs-what' },
          numbers('Ratio'),
          numbers('Noise'),
        ],
        rows: lines.slice(0, this.most).map(line => this.#row(line, shown, before)),
      }),
    ]);
  }

  /** @param {BenchmarkLine} line @param {number|null} shown @param {number|null} before */
  #row(line, shown, before) {
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
    const against = winner ? `${keyName(winner)} against ${line.baseline ? keyName(line.baseline) : DASH}` : '';
    return {
      properties: { 'data-run': String(id), 'data-shown': String(isShown), 'data-compared': String(id === before) },
      cells: [
        box,
        actionButton(
          [h('span', { class: 'dim number' }, `${id} `), h('bdi', {}, title)],
          () => this.emit('openrun', id),
          { class: 'run-open clip', title: words, 'aria-current': isShown ? 'true' : null, 'data-key': `open-${id}` },
        ),
        ratio
          ? h('span', { title: against }, `${figure(ratio.median)} ×`)
          : state === 'done'
            ? DASH
            : h('span', { class: 'warn-words' }, state),
        h('span', { class: noise !== null && noise > NOISY ? 'warn-words' : 'dim' }, percent(noise, 0)),
      ],
    };
  }
}

customElements.define('runs-list', RunsList);
