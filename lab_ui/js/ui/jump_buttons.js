/** The buttons that go to the previous and the next of some places, with their keys, p and n. */
import { actionButton, h } from './dom.js';
import { ICONS, icon } from './icons.js';

/** @param {string} place what it goes to, such as "divergence" @param {(by: number) => void} jump */
export const jumpButtons = (place, jump) => [
  button(`Previous ${place} (p)`, ICONS.up, 'p', `previous-${place}`, () => jump(-1)),
  button(`Next ${place} (n)`, ICONS.down, 'n', `next-${place}`, () => jump(1)),
];

/**
 * @param {string} label @param {string} path of the icon @param {string} key @param {string} role
 * @param {() => void} onclick
 */
const button = (label, path, key, role, onclick) =>
  actionButton([icon(path, 16), h('kbd', { 'aria-hidden': 'true' }, key)], onclick, {
    class: 'button',
    'aria-label': label,
    title: label,
    'data-role': role.replace(' ', '-'),
  });
