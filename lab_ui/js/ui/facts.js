/** Lists of facts, and the titled sections of a panel that hold them. */
import { h } from './dom.js';

/** @typedef {[name: Node|string, value: Node|string|null]} Fact */

/**
 * @param {Fact[]} rows without a value, they are left out
 * @returns {HTMLDListElement}
 */
export const facts = rows =>
  h(
    'dl',
    { class: 'fact-list' },
    ...rows
      .filter(([, value]) => value !== null)
      .flatMap(([name, value]) => [
        h('dt', {}, name),
        h('dd', {}, typeof value === 'string' ? h('bdi', {}, value) : value),
      ]),
  );

/** @param {string} title @param {...(Node|string|null|false)} content */
export const part = (title, ...content) => h('section', { class: 'panel-part' }, h('h3', {}, title), ...content);
