/** The number of a row of a run, in the hue and shape that its marks have in the charts. */
import { h } from '../../ui/dom.js';
import { shapeOf } from '../../ui/shapes.js';

const HUES = 'abcdefgh';

/**
 * @param {number} number counted from 1 @param {string} [state] of the row; without figures the badge is an outline
 * @param {boolean} [isSmall]
 */
export function entrantBadge(number, state = 'ok', isSmall = false) {
  const badge = h(
    'span',
    {
      class: `entrant ${isSmall ? 'small' : ''}`,
      'data-shape': shapeOf(number - 1),
      'data-state': state,
      'aria-hidden': 'true',
    },
    String(number),
  );
  badge.style.setProperty('--hue', `var(--${HUES[(number - 1) % HUES.length]})`);
  return badge;
}
