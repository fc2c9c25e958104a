/** The legend under the text of Compare: the marks that occur in it. */
import { boundaryKey } from './agreement_matrix.js';
import { colourSwatch, unknownSwatch, wordSwatch } from '../../ui/tokens/legend.js';
import { h } from '../../ui/dom.js';
import { classesFor } from './agreement.js';

/** @type {Object<string, string>} */
const SHAPES = { most: 'Boundary in most', some: 'Boundary in some', one: 'Boundary in one' };

/**
 * @param {Object} picture
 * @param {'aligned'|'side'|'table'} picture.view
 * @param {{letter: string}[]} picture.lanes
 * @param {Pick<import('../../text/figures.js').Result, 'unknown_count'|'split_character_count'>[]} picture.results
 * @param {boolean} picture.differs whether there is a divergence
 * @param {Set<string>} picture.marks "##", "·" and "↵", as far as they are written in lanes
 * @param {Set<string>} picture.boundaries classes of the boundaries that are drawn
 * @returns {import('../../ui/tokens/legend.js').LegendEntry[]}
 */
export function legendEntries({ view, lanes, results, differs, marks, boundaries }) {
  const aligned = view === 'aligned';
  const split = results.findIndex(result => (result.split_character_count ?? 0) > 0);
  const comparing = lanes.length > 1 && view !== 'side';
  /** @type {[occurs: boolean, swatch: () => HTMLElement|SVGElement, label: string][]} */
  const entries = [
    [comparing, () => colourSwatch('var(--g0)', 'var(--g1)'), 'Same boundaries'],
    [comparing && differs, () => hues(lanes.slice(0, 2)), 'Different boundaries'],
    ...classesFor(lanes.length).map(
      name =>
        /** @type {[boolean, () => SVGElement, string]} */ ([
          aligned && lanes.length > 2 && name in SHAPES && boundaries.has(`boundary-${name}`),
          () => boundaryKey(`boundary-${name}`),
          SHAPES[name],
        ]),
    ),
    [aligned && split >= 0, () => slantedSwatch(lanes[split].letter), 'Boundary inside a character'],
    [results.some(result => result.unknown_count > 0), () => unknownSwatch('UNK'), 'Not in the vocabulary'],
    [aligned && marks.has('##'), () => wordSwatch('##'), 'Continues a word'],
    [aligned && marks.has('·'), () => wordSwatch('·'), 'Space'],
    [aligned && marks.has('↵'), () => wordSwatch('↵'), 'Line break'],
  ];
  return entries.filter(([occurs]) => occurs).map(([, swatch, label]) => ({ swatch: swatch(), label }));
}

/** The colours of two tokenizers. @param {{letter: string}[]} lanes */
const hues = lanes =>
  h(
    'span',
    { class: 'swatches' },
    ...lanes.map(({ letter }) => h('span', { class: 'lane-swatch', 'data-letter': letter })),
  );

/** Two blocks with a slanted boundary. @param {string} letter */
const slantedSwatch = letter =>
  h('span', { class: 'swatches' }, h('span', { class: 'slanted-swatch', 'data-letter': letter }));
