/** The mark of a row of a run, in the hue and shape of its tokenizer, which its marks have in the charts. */
import { h } from '../../ui/dom.js';
import { shapeOf } from '../../ui/tokens/shapes.js';

const HUES = 'abcdefgh';

/**
 * @param {import('./benchmark_words.js').Line} line without figures the badge is an outline
 * @param {boolean} [isSmall]
 */
export function entrantBadge({ letter, mark, row }, isSmall = false) {
  const number = letter.charCodeAt(0) - 'A'.charCodeAt(0);
  const badge = h(
    'span',
    {
      class: `entrant ${isSmall ? 'small' : ''}`,
      'data-shape': shapeOf(number),
      'data-state': row.state,
      'aria-hidden': 'true',
    },
    mark,
  );
  badge.style.setProperty('--hue', `var(--${HUES[number % HUES.length]})`);
  return badge;
}
