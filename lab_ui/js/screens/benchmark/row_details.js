/** Everything about one row of a run. Gets `show`; reports `closerow`. */
import { contextNodes } from '../../ui/named_text.js';
import { actionButton, drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, DASH, duration, figure, percent, plural, size } from '../../util/format.js';
import { exactnessWords, stateWords } from './benchmark_words.js';
import { entrantBadge } from './entrant_badge.js';
import { facts } from '../../ui/facts.js';

/** @typedef {import('./benchmark_words.js').Line} Line */

export class RowDetails extends LabElement {
  /** @param {Line|null} line null: no row is chosen */
  show(line) {
    this.hidden = !line;
    drawnOnce(this, line, () => [line && this.#details(line)]);
  }

  /** @param {Line} line */
  #details(line) {
    const { row, name } = line;
    const { throughput_mb_per_s: speed, exactness, cores_used: cores, stages } = row;
    const first = exactness?.first_difference ?? null;
    const cache = stages?.cache ?? null;
    const lookups = cache ? cache.hits + cache.misses : 0;
    return h(
      'section',
      { class: 'panel-part', 'aria-label': `Details of ${name}` },
      h(
        'div',
        { class: 'details-head' },
        entrantBadge(line, true),
        h('h3', {}, h('bdi', {}, name)),
        h('span', { class: 'grow' }),
        actionButton(icon(ICONS.cross), () => this.emit('closerow'), {
          class: 'button',
          ariaLabel: 'Close the details',
        }),
      ),
      row.message
        ? h(
            'p',
            { class: row.state === 'ok' ? 'dim' : 'bad-words' },
            stateWords(row) ? h('b', {}, `${stateWords(row)}. `) : null,
            row.message,
          )
        : null,
      facts([
        ['Version', row.engine_version],
        ['Tokenizer', row.tokenizer],
        ['Built from', row.read_from],
        [
          'IDs',
          exactness
            ? `${exactnessWords(row).words}, compared in ${plural(exactness.documents, 'document')}`
            : '– not checked',
        ],
        ['Median', speed ? `${figure(speed.median)} MB/s (${figure(speed.low)} to ${figure(speed.high)})` : DASH],
        ['Rounds', speed ? `${count(speed.samples)}, spread ${percent(speed.spread, 1)}` : null],
        ['CPUs used', cores === null ? null : cores.toFixed(2)],
        ['Import', duration(row.import_ns)],
        ['Load', duration(row.load_ns)],
        ['First call', duration(row.first_call_ns)],
        ['Memory', memoryPhases(row)],
        [
          'Cache',
          cache && lookups
            ? `${plural(cache.hits, 'hit')}, ${plural(cache.misses, 'miss', 'misses')} ` +
              `(${percent(cache.hits / lookups, 1)})`
            : null,
        ],
      ]),
      first ? difference(first) : null,
      row.output
        ? h('pre', { class: 'mono row-output', tabIndex: 0, ariaLabel: 'What it printed last' }, row.output)
        : null,
    );
  }
}

/** @param {import('../../api/schema.d.ts').BenchmarkRow} row */
const memoryPhases = ({ loaded_bytes: loaded, resident_bytes: resident, peak_bytes: peak }) =>
  `${size(loaded)} loaded, ${size(resident)} after a pass, ${size(peak)} at most`;

/** @param {import('../../api/schema.d.ts').FirstDifference} first */
const difference = ({ document: number, token, expected, found, text }) =>
  h(
    'div',
    { class: 'bench-warning' },
    h(
      'p',
      {},
      `First difference: document ${count(number)}, token ${count(token)}: `,
      `id ${found ?? 'none'} instead of ${expected ?? 'none'}.`,
    ),
    h('p', { class: 'mono difference-text' }, h('bdi', {}, ...contextNodes(text))),
  );

customElements.define('benchmark-row-details', RowDetails);
