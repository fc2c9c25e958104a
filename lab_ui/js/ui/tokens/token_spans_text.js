/**
 * A short text split into its tokens, for lists and the drawer: inline spans with plain backgrounds, so that cursive
 * scripts keep their joining; a split cluster is drawn once over stripes.
 */
import { Clusters } from '../../text/clusters.js';
import { h } from '../dom.js';
import { segmentsOf } from '../../text/segments.js';
import { groupsOf } from '../../text/token_groups.js';
import { visibleParts } from '../../text/visible_text.js';

/** @param {string} text @returns {(string|HTMLElement)[]} the text with names for invisible characters */
export const visibleNodes = text =>
  visibleParts(text).map(part => (part.named ? h('span', { class: 'named' }, part.text) : part.text));

/** The background of a character that several tokens share. @param {string[]} colours of CSS @returns {string} */
export const stripes = colours => {
  /** @param {number} n */
  const percent = n => `${(n * 100) / colours.length}%`;
  const parts = colours.map((colour, n) => `${colour} ${percent(n)} ${percent(n + 1)}`);
  return `linear-gradient(90deg, ${parts.join(', ')})`;
};

/**
 * @param {import('../../text/token_spans.js').TokenSpans} tokens
 * @param {string} text an excerpt that starts at position `offset`
 * @param {number} offset @param {number} from @param {number} to the range that is shown
 * @param {(token: number) => string} colour a CSS colour
 */
export function tokenSpansText(tokens, text, offset, from, to, colour) {
  const line = h('bdi', { class: 'token-spans' });
  for (const segment of segmentsOf(tokens, from, to, new Clusters(text, offset))) {
    const body = visibleNodes(text.slice(Math.max(segment.from, from) - offset, Math.min(segment.to, to) - offset));
    const k = segment.owners.length;
    const span = h('span', { class: k ? 'boundary' : '' }, ...body);
    if (k === 1) span.style.backgroundColor = colour(segment.owners[0]);
    else if (k > 1) span.style.backgroundImage = stripes(segment.owners.map(colour));
    line.append(span);
  }
  return line;
}

/**
 * The tokens of a short answer. A character that several tokens share is drawn once over as many stripes, as the text
 * has it.
 * @param {(import('../../api/schema.d.ts').TokenHead & {span_utf16: import('../../api/types.js').Span|null})[]} tokens
 * @param {string} text they are of
 * @param {{own?: boolean}} [options] `own`: a token is written as the vocabulary has it, which is not always as the
 *   text has it
 * @returns {HTMLElement}
 */
export function tokenFaces(tokens, text, { own = false } = {}) {
  /** @param {number} at */
  const colour = at => `var(--t${at % 4})`;
  return h(
    'bdi',
    { class: 'token-spans wrapped' },
    ...groupsOf(tokens, text).map(({ first, end, from, to }) => {
      const k = end - first;
      const alone = k === 1 && (own || from === to);
      const shown = (alone ? tokens[first].text : null) ?? text.slice(from, to);
      const face = h(
        'span',
        {
          class: 'boundary',
          title: tokens
            .slice(first, end)
            .map(({ id }) => id)
            .join(', '),
        },
        ...visibleNodes(shown || `<${tokens[first].bytes}>`),
      );
      if (k === 1) face.style.backgroundColor = colour(first);
      else face.style.backgroundImage = stripes(Array.from({ length: k }, (_, n) => colour(first + n)));
      return face;
    }),
  );
}
