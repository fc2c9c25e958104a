/** What differs between two runs, and whether it is larger than the noise. */
import { drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { svg } from '../../ui/svg.js';
import { figure, growth, percent } from '../../util/format.js';
import { keyName, keyNames } from './benchmark_words.js';
import { table } from '../../ui/table.js';

const VERDICTS = {
  faster: 'Faster',
  slower: 'Slower',
  within_noise: 'Within noise',
  not_comparable: 'Not comparable',
};
const LEAST_SCALE = 0.1;

/**
 * @typedef {import('../../api/schema.d.ts').BenchmarkChanges} BenchmarkChanges
 * @typedef {import('../../api/schema.d.ts').SpeedChange} Difference
 */

export class ChangesList extends LabElement {
  /** @param {BenchmarkChanges|null} changes */
  set changes(changes) {
    drawnOnce(this, changes, () => (changes ? nodesOf(changes) : []));
  }
}

/** @param {BenchmarkChanges} changes */
function nodesOf({
  before,
  after,
  noise,
  rows,
  settings,
  same_text: isSame,
  same_machine: isSameMachine,
  added,
  removed,
}) {
  const names = keyNames(rows.map(({ key }) => key));
  const shown = rows.map((row, n) => ({ row, name: names[n] })).filter(({ row }) => row.change !== null);
  const others = rows.map((row, n) => ({ row, name: names[n] })).filter(({ row }) => row.change === null);
  const ends = rows.flatMap(({ low, high, change }) => [low, high, change].filter(n => n !== null).map(Math.abs));
  const scale = Math.max(LEAST_SCALE, (noise ?? 0) * 1.1, ...ends) * 1.05;
  const of = rows[0]?.quantity === 'throughput' ? 'throughput' : 'ratio to the baseline';
  const grey = noise === null ? '' : `; grey: noise of the noisier run, ${percent(noise, 0)}`;
  return [
    h('h3', {}, `Run ${after} against run ${before}`),
    h('p', { class: 'bench-caption' }, `change of the ${of}, 95 % interval${grey}`),
    isSame ? null : h('p', { class: 'warn-words' }, 'The texts are not the same.'),
    isSameMachine ? null : h('p', { class: 'warn-words' }, 'The machines are not the same.'),
    table({
      properties: { class: 'changes', 'data-role': 'changes' },
      caption: `Run ${after} against run ${before}`,
      isCaptionHidden: true,
      isHeadHidden: true,
      columns: ['Engine', 'Interval', { label: 'Change', className: 'number' }],
      hasNames: true,
      rows: shown.map(({ row, name }) => rowOf(row, name, noise, scale)),
    }),
    others.length
      ? h(
          'p',
          { class: 'dim', title: others.map(({ row, name }) => `${name}: ${row.reason ?? ''}`).join('; ') },
          `Not comparable: ${others.map(({ name }) => name).join(', ')}.`,
        )
      : null,
    settings.length
      ? h(
          'p',
          { class: 'dim' },
          `Also different: ${settings.map(one => `${one.name} ${one.before} → ${one.after}`).join('; ')}.`,
        )
      : null,
    ...[
      { keys: added, words: 'Only in the later run' },
      { keys: removed, words: 'Only in the earlier run' },
    ]
      .filter(({ keys }) => keys.length)
      .map(({ keys, words }) => h('p', { class: 'dim' }, `${words}: ${keys.map(keyName).join('; ')}.`)),
  ].filter(Boolean);
}

/** @param {Difference} row @param {string} name @param {number|null} noise @param {number} scale */
function rowOf({ before, after, change, low, high, verdict, reason }, name, noise, scale) {
  const title = reason ?? `${figure(before)} before, ${figure(after)} after`;
  return {
    properties: { 'data-verdict': verdict, title },
    cells: [
      h('bdi', {}, name),
      interval(change, low, high, noise, scale),
      [h('b', {}, growth(change)), h('small', {}, VERDICTS[verdict])],
    ],
  };
}

/**
 * The interval as a line with a dot, over a band as wide as the noise. Its values are words beside it.
 * @param {number|null} change @param {number|null} low @param {number|null} high @param {number|null} noise
 * @param {number} scale the change at the ends of the picture
 */
function interval(change, low, high, noise, scale) {
  /** @param {number} n */
  const x = n => 50 + (50 * n) / scale;
  const picture = svg('svg', {
    viewBox: '0 0 100 24',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
    class: 'change',
  });
  if (noise)
    picture.append(svg('rect', { x: x(-noise), y: 2, width: x(noise) - x(-noise), height: 20, class: 'change-noise' }));
  picture.append(svg('path', { d: 'M50 0V24', class: 'change-zero' }));
  if (low !== null && high !== null)
    picture.append(svg('path', { d: `M${x(low)} 12H${x(high)}`, class: 'change-line' }));
  if (change !== null) picture.append(svg('path', { d: `M${x(change)} 12h0`, class: 'change-dot' }));
  return picture;
}

customElements.define('changes-list', ChangesList);
