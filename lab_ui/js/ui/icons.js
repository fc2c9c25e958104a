/** The icons of the lab, 24 units wide, drawn as one stroke. */
import { svg } from './svg.js';

export const ICONS = {
  cross: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  plus: 'M12 5v14M5 12h14',
  lens: 'M10.5 5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M14.5 14.5L20 20',
  folder: 'M4 18V6h6l2 2h8v10z',
  up: 'M6 14l6-6 6 6',
  down: 'M6 10l6 6 6-6',
  back: 'M15 5l-7 7 7 7',
  on: 'M9 5l7 7-7 7',
  present: 'M4 5h16v10H4zM12 15v3M8 20l4-2 4 2',
  panel: 'M4 5h16v14H4zM15 5v14',
  book: 'M12 7v13M12 7c-2-1.6-5-2-8-2v13c3 0 6 .4 8 2c2-1.6 5-2 8-2V5c-3 0-6 .4-8 2',
};

/**
 * @param {string} path the `d` of the icon's only path @param {number} [size] pixels
 * @returns {SVGElement} hidden from assistive tools
 */
export function icon(path, size = 20) {
  const picture = svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'icon' });
  picture.style.setProperty('--icon', `${size}px`);
  picture.append(svg('path', { d: path }));
  return picture;
}
