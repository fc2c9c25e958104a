/** The segmentations of a lattice that a model weighs, and how probable each boundary is. */
import { share } from '../../text/boundary_facts.js';
import { count } from '../../util/format.js';
import { h } from '../dom.js';
import { tokenFace } from './token_label.js';
import { visibleNodes } from './token_spans_text.js';

/** @typedef {(id: number) => import('../../api/schema.d.ts').TokenHead|undefined} EntryOf */

/** A token as its vocabulary spells it, or its id. @param {number} id @param {EntryOf} entryOf */
export const idFace = (id, entryOf) => {
  const entry = entryOf(id);
  return entry ? tokenFace(entry) : h('span', { class: 'mono' }, `id ${id}`);
};

/**
 * The segmentations that were weighed, and the text with a mark at each possible boundary, as dark as it is probable.
 * @param {ReturnType<typeof import('../../text/boundary_facts.js').weighedSegmentations>} weighed
 * @param {EntryOf} entryOf
 * @returns {HTMLElement|null}
 */
export function segmentations(weighed, entryOf) {
  if (!weighed) return null;
  const marked = weighed.parts.flatMap(({ text, probability, here }) => [
    probability === null
      ? null
      : h(
          'span',
          { class: `segmentation-boundary${here ? ' here' : ''}`, title: `Boundary here: ${share(probability)}` },
          markOf(probability),
          h('span', { class: 'visually-hidden' }, `${share(probability)} `),
        ),
    ...visibleNodes(text),
  ]);
  return h(
    'div',
    { class: 'segmentations', 'data-role': 'segmentations' },
    h(
      'p',
      { class: 'dim' },
      weighed.segmentations.length > 1
        ? `The ${weighed.segmentations.length} most probable segmentations`
        : 'The only possible segmentation',
    ),
    h(
      'ol',
      {},
      ...weighed.segmentations.map(one =>
        h(
          'li',
          { title: `score ${one.score}` },
          h('span', { class: 'segmentation-share number' }, one.share),
          h('span', {}, ...one.tokens.flatMap(id => [idFace(id, entryOf), ' '])),
        ),
      ),
    ),
    h('p', { class: 'segmentation-boundaries mono' }, h('bdi', {}, ...marked.filter(Boolean))),
    weighed.partOf === null
      ? null
      : h(
          'p',
          { class: 'dim', 'data-role': 'segmentations-part' },
          `The part around the boundary, of ${count(weighed.partOf)} characters; segmentations may differ outside it.`,
        ),
  );
}

/** A mark in the colour of the text, the paler the less probable. @param {number} probability */
function markOf(probability) {
  const mark = h('span', { class: 'segmentation-mark', 'aria-hidden': 'true' });
  mark.style.opacity = String(Math.round(100 * (0.08 + 0.92 * probability)) / 100);
  return mark;
}
