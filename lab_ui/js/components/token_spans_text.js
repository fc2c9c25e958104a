/**
 * A short text cut into its tokens, for lists and the drawer: inline spans with plain backgrounds, so that cursive
 * scripts keep their joining; a split cluster is drawn once over stripes.
 */
import { Clusters } from '../lib/clusters.js';
import { h } from '../lib/dom.js';
import { segmentsOf } from '../lib/segments.js';
import { visibleParts } from '../lib/visible_text.js';

/** @param {string} text @returns {(string|HTMLElement)[]} the text with names for what cannot be seen */
export const visibleNodes = text => visibleParts(text).map(part => (part.named ? h('span', { class: 'named' }, part.text) : part.text));

/**
 * @param {import('../lib/token_spans.js').TokenSpans} tokens
 * @param {string} text of which [from, to) is shown, starting at position `offset`
 * @param {(token: number) => string} colour a CSS colour
 */
export function tokenSpansText(tokens, text, offset, from, to, colour) {
  const line = h('bdi', { class: 'token-spans' });
  for (const segment of segmentsOf(tokens, from, to, new Clusters(text, offset))) {
    const body = visibleNodes(text.slice(Math.max(segment.from, from) - offset, Math.min(segment.to, to) - offset)), k = segment.owners.length;
    const span = h('span', { class: k ? 'cut' : '' }, ...body);
    if (k === 1) span.style.backgroundColor = colour(segment.owners[0]);
    else if (k > 1) span.style.backgroundImage = `linear-gradient(90deg, ${segment.owners.map((i, n) => `${colour(i)} ${n * 100 / k}% ${(n + 1) * 100 / k}%`).join(', ')})`;
    line.append(span);
  }
  return line;
}
