/**
 * White space in a picture: dots, arrows and brackets, drawn as shapes, because no font that a picture holds has all of
 * them.
 */
import { tag } from '../ui/svg_text.js';
/** @import {Pen} from './pen.js' */

/**
 * Dots of all spaces are one path of points on the screen; every other glyph is an element.
 * @param {Pen} pen @param {Element} element @param {import('./pen.js').Shown} shown
 */
export function drawSpace(pen, element, shown) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (element instanceof SVGPathElement) {
    const { left = 0, top = 0 } = element.ownerSVGElement?.getBoundingClientRect() ?? {};
    for (const [, x, y] of (element.getAttribute('d') ?? '').matchAll(/M([-\d.]+) ([-\d.]+)h0/g)) {
      const point = {
        left: left + Number(x),
        right: left + Number(x) + 1,
        top: top + Number(y),
        bottom: top + Number(y),
      };
      if (shown(point))
        pen.parts.push(
          tag('circle', {
            class: 'space',
            cx: point.left - pen.frame.left,
            cy: point.top - pen.frame.top,
            r: 1.3 * pen.scale,
            ...pen.paint(style.stroke),
          }),
        );
    }
  } else if (shown(box)) {
    const at = pen.place(box);
    const kind = ['tab', 'newline'].find(name => element.classList.contains(name));
    pen.parts.push(
      tag('path', {
        class: 'space',
        d: glyphShape(kind, at, pen.scale),
        fill: 'none',
        stroke: pen.paint(style.color).fill,
        'stroke-opacity': pen.paint(style.color)['fill-opacity'],
        'stroke-width': 1.2 * pen.scale,
      }),
    );
  }
}

/**
 * An arrow for a tab, a bent one for a line break, a bracket for any other space.
 * @param {string|undefined} kind @param {{x: number, y: number, width: number, height: number}} at
 * @param {number} scale
 */
export function glyphShape(kind, { x, y, width, height }, scale) {
  const middle = y + height / 2;
  const centre = x + width / 2;
  const [half, head] = [4 * scale, 2.5 * scale];
  if (kind === 'tab') return `M${x + 1} ${middle}h${2 * half}m${-head} ${-head}l${head} ${head}l${-head} ${head}`;
  if (kind === 'newline')
    return (
      `M${centre + half} ${middle - half}v${half}h${-2 * half}` + `m${head} ${-head}l${-head} ${head}l${head} ${head}`
    );
  return `M${centre - half} ${middle}v${half / 2}h${2 * half}v${-half / 2}`;
}
