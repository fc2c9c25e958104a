/**
 * Sampled tokens above those of the encoder, aligned: a column for each token that both have, grey, and for each place
 * that differs.
 */
import { h } from '../../ui/dom.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { count } from '../../util/format.js';
/** @import {Drift} from '../../api/schema.d.ts' */

const MOST_COLUMNS = 2000;
const MOST_FACES = 200;

/** @param {Drift} drift @returns {HTMLElement[]} */
export function driftColumns({ places, sampled, encoded, sampled_texts: a, encoded_texts: b }) {
  /** @type {HTMLElement[]} */
  const columns = [];
  let at = 0;
  let place = 0;
  while (at < sampled.length && columns.length < MOST_COLUMNS) {
    const next = places[place];
    if (next && next.sampled[0] <= at) {
      columns.push(
        column([facesOf(a, sampled, next.sampled), facesOf(b, encoded, next.encoded)], {
          class: place ? 'changed' : 'changed first',
          'data-place': String(place++),
        }),
      );
      at = Math.max(at, next.sampled[1]);
      continue;
    }
    const same = () => facesOf(a, sampled, [at, at + 1]);
    columns.push(column([same(), same()], {}));
    at++;
  }
  if (at < sampled.length)
    columns.push(column([[h('span', { class: 'faint' }, `and ${count(sampled.length - at)} more`)], []], {}));
  return columns;
}

/** @param {(Node|string)[][]} rows @param {Object<string, string>} more */
const column = (rows, more) =>
  h('span', { ...more, class: `drift-column ${more.class ?? ''}` }, ...rows.map(faces => h('span', {}, ...faces)));

/** @param {(string|null)[]} texts @param {number[]} ids @param {number[]} range */
export function facesOf(texts, ids, [from, to]) {
  const end = Math.min(to, from + MOST_FACES);
  const faces = texts
    .slice(from, end)
    .map((text, n) =>
      h(
        'span',
        { class: `chat-token own shade-${n % 2}`, title: `ID ${ids[from + n]}` },
        ...(text ? visibleNodes(text) : [`<${ids[from + n]}>`]),
      ),
    );
  return end < to ? [...faces, '…'] : faces;
}
