/** What the parts of the panel share: labelled fields, choices, lists of facts, sections. */
import { drawnOnce, h } from '../../ui/dom.js';

/**
 * @param {string} label @param {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} control with an id
 * @param {...Node} notes under it
 */
export const field = (label, control, ...notes) =>
  h('div', { class: 'train-field' }, h('label', { for: control.id }, label), control, ...notes);

/** What is wrong with a part of the form; hidden while nothing is. @param {string} id */
export const problem = id => h('p', { class: 'train-problem', id, role: 'alert', hidden: true });

/** @param {HTMLElement} element @param {boolean} isWrong */
export function mark(element, isWrong) {
  if (isWrong) element.setAttribute('aria-invalid', 'true');
  else element.removeAttribute('aria-invalid');
}

/** @typedef {{value: string, label: string}} Choice */

/**
 * A choice with its label.
 * @param {string} id also its `data-role` @param {string} label @param {(value: string) => void} handler
 */
export function select(id, label, handler) {
  const control = h('select', { id, 'data-role': id, onchange: () => handler(control.value) });
  return {
    element: field(label, control),
    focus: () => control.focus(),
    /** @param {Choice[]} options */
    set options(options) {
      drawnOnce(control, options, () => options.map(({ value, label: words }) => h('option', { value }, words)));
    },
    /** @param {string} value */
    set value(value) {
      control.value = value;
      control.title = control.selectedOptions[0]?.textContent ?? '';
    },
  };
}

/** @param {[string, Node|string][]} rows */
export const facts = rows =>
  h(
    'dl',
    { class: 'train-list' },
    ...rows.flatMap(([name, value]) => [
      h('dt', {}, name),
      h('dd', {}, typeof value === 'string' ? h('bdi', {}, value) : value),
    ]),
  );

/** @param {string} title @param {...(Node|string|null)} content */
export const part = (title, ...content) => h('section', { class: 'train-part' }, h('h3', {}, title), ...content);
