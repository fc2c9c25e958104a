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
 * @param {ReturnType<typeof import('../../text/boundary_facts.js').weighedWays>} weighed
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
          { class: `way-boundary${here ? ' here' : ''}`, title: `Boundary here: ${share(probability)}` },
          markOf(probability),
          h('span', { class: 'visually-hidden' }, `${share(probability)} `),
        ),
    ...visibleNodes(text),
  ]);
  return h(
    'div',
    { class: 'ways', 'data-role': 'ways' },
    h(
      'p',
      { class: 'dim' },
      weighed.ways.length > 1
        ? `The ${weighed.ways.length} most probable segmentations`
        : 'The only possible segmentation',
    ),
    h(
      'ol',
      {},
      ...weighed.ways.map(way =>
        h(
          'li',
          { title: `score ${way.score}` },
          h('span', { class: 'way-share number' }, way.share),
          h('span', {}, ...way.tokens.flatMap(id => [idFace(id, entryOf), ' '])),
        ),
      ),
    ),
    h('p', { class: 'way-boundaries mono' }, h('bdi', {}, ...marked.filter(Boolean))),
    weighed.partOf === null
      ? null
      : h(
          'p',
          { class: 'dim', 'data-role': 'ways-part' },
          `The part around the boundary, of ${count(weighed.partOf)} characters; segmentations may differ outside it.`,
        ),
  );
}

/** A mark in the colour of the text, the paler the less probable. @param {number} probability */
function markOf(probability) {
  const mark = h('span', { class: 'way-mark', 'aria-hidden': 'true' });
  mark.style.opacity = String(Math.round(100 * (0.08 + 0.92 * probability)) / 100);
  return mark;
}
