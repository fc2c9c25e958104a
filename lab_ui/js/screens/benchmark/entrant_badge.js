/** The number of a row of a run, in the hue and shape that its marks have in the charts. */
import { h } from '../../ui/dom.js';

const HUES = 'abcdefgh';
const SHAPES = ['circle', 'square', 'diamond', 'triangle-up', 'hexagon', 'triangle-down', 'star', 'cross'];

/**
 * @param {number} number counted from 1 @param {string} [state] of the row; without figures the badge is an outline
 * @param {boolean} [isSmall]
 */
export function entrantBadge(number, state = 'ok', isSmall = false) {
  const at = (number - 1) % HUES.length;
  const badge = h(
    'span',
    {
      class: `entrant ${isSmall ? 'small' : ''}`,
      'data-shape': SHAPES[at],
      'data-state': state,
      'aria-hidden': 'true',
    },
    String(number),
  );
  badge.style.setProperty('--hue', `var(--${HUES[at]})`);
  return badge;
}
