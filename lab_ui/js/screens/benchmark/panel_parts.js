/** What the parts of the panel on the right share: sections, lists of facts. */
import { h } from '../../ui/dom.js';

/** @param {string} title @param {...(Node|null|false)} content */
export const part = (title, ...content) => h('section', { class: 'entry-part' }, h('h3', {}, title), ...content);

/** @param {[string, Node|string|null][]} rows facts without a value are left out */
export const facts = rows =>
  h(
    'dl',
    { class: 'bench-facts' },
    ...rows
      .filter(([, value]) => value !== null)
      .flatMap(([name, value]) => [
        h('dt', {}, name),
        h('dd', {}, typeof value === 'string' ? h('bdi', {}, value) : value),
      ]),
  );
