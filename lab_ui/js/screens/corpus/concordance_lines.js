/** Occurrences in context, the token or word in the middle, and the segmentations of a word. */
import { directionOf } from '../../text/direction.js';
import { h } from '../../ui/dom.js';
import { contextNodes } from '../../ui/named_text.js';
import { hexWords, tokenButton } from '../../ui/tokens/token_label.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { count, percent, plural, size } from '../../util/format.js';
import { numbers, table } from '../../ui/table.js';

/**
 * One occurrence, in the direction of its text: what comes before is where its readers look for it.
 * @param {import('../../api/schema.d.ts').Occurrence} occurrence
 * @param {string} bytes of what was found, in hex
 */
export function occurrenceLine({ document: number, language, before, text, after, is_partial: isPartial }, bytes) {
  const direction = directionOf(`${before}${text}${after}`);
  /** @param {(string|HTMLElement)[]} nodes */
  const isolated = (nodes, className = '') => h('bdi', { class: className, dir: direction }, ...nodes);
  const title = isPartial ? `Only the bytes ${hexWords(bytes)} of it are the token's` : '';
  return h(
    'li',
    { class: 'kwic-line' },
    h('span', { class: 'kwic-place number faint', title: `Document ${number}` }, count(number)),
    h('span', { class: 'kwic-language faint clip', title: language ?? '' }, h('bdi', {}, language ?? '')),
    h(
      'span',
      { class: 'kwic-text', dir: direction },
      h('span', { class: 'kwic-before' }, isolated(contextNodes(before))),
      h('mark', { class: `kwic-found ${isPartial ? 'partial' : ''}`, title }, isolated(visibleNodes(text))),
      h('span', { class: 'kwic-after' }, isolated(contextNodes(after))),
    ),
  );
}

/**
 * @param {import('../../api/schema.d.ts').WordSegmentations} found @param {string} word @param {string} tokenizer name
 */
export function segmentationTable(
  { segmentations, distinct, occurrences, more, searched_bytes: searched },
  word,
  tokenizer,
) {
  const where = more ? ` in the first ${size(searched)}, which is as far as they are counted` : '';
  const shown = segmentations.length < distinct ? `; the ${count(segmentations.length)} most frequent are listed` : '';
  return table({
    properties: { class: 'segmentations', 'data-role': 'segmentations' },
    caption: [
      h('b', {}, 'How ', h('bdi', {}, word), ' is segmented'),
      ` by ${tokenizer}: ${plural(distinct, 'segmentation')} of ${plural(occurrences, 'occurrence')}${where}${shown}. `,
      'The first and the last token may hold text around the word.',
    ],
    columns: ['tokens', ...['number', 'count', 'share'].map(numbers)],
    rows: segmentations.map(({ ids, tokens, count: times, share }) => [
      h('span', { class: 'token-chips' }, ...ids.map((id, n) => tokenButton(spelled(id, tokens[n])))),
      count(ids.length),
      count(times),
      percent(share, 1),
    ]),
  });
}

/**
 * What `tokenButton` reads of a token.
 * @param {number} id @param {string} token as the vocabulary spells it @returns {any}
 */
const spelled = (id, token) => ({ id, text: token, bytes: '' });
