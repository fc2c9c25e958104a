/** Labelled fields: what forms, panels and menus are made of. */
import { drawnOnce, h } from './dom.js';

/** @typedef {{value: string, label: string}} Option */

/** Fields that were made: an id of a page is that of one element, whatever screens are in it. */
let made = 0;

/**
 * A label above its control.
 * @param {string} label @param {HTMLElement} control a `select`, or one with an id; otherwise a group with
 *   a name of its own
 * @param {...Node} notes under it
 */
export function field(label, control, ...notes) {
  if (control.localName === 'select') control.id ||= `field-${++made}`;
  const name = control.id ? h('label', { for: control.id }, label) : h('span', {}, label);
  return h('div', { class: 'field' }, name, control, ...notes);
}

/** A label before its control, in one line. @param {string} label @param {HTMLElement} control */
export const line = (label, control) => h('label', { class: 'menu-field' }, h('span', {}, label), control);

/**
 * A choice of files that is not seen: a button opens it by `click`.
 * @param {string} hook its `data-role` @param {(files: File[]) => void} take gets one file or more
 * @param {Object<string, any>} [more] properties, such as `multiple`
 * @returns {HTMLInputElement}
 */
export function fileChooser(hook, take, more) {
  const onchange = () => {
    const files = [...(chooser.files ?? [])];
    chooser.value = ''; // the same files may be chosen again
    if (files.length) take(files);
  };
  const chooser = h('input', { type: 'file', hidden: true, tabIndex: -1, 'data-role': hook, onchange, ...more });
  return chooser;
}

/** What is wrong with a field; hidden while nothing is. @param {string} id */
export const problem = id => h('p', { class: 'field-problem', id, role: 'alert', hidden: true });

/** @param {HTMLElement} element @param {boolean} isWrong */
export function mark(element, isWrong) {
  if (isWrong) element.setAttribute('aria-invalid', 'true');
  else element.removeAttribute('aria-invalid');
}

/**
 * A list of which one is chosen, for `field` or `line`.
 * @param {string} hook its `data-role`
 * @param {(value: string) => void} choose
 * @param {Option[]} [options]
 * @param {string} [value] that is chosen
 * @returns {HTMLSelectElement}
 */
export function select(hook, choose, options = [], value) {
  const control = h('select', { 'data-role': hook, onchange: () => choose(control.value) });
  offer(control, options);
  if (value !== undefined) control.value = value;
  return control;
}

/** Replaces what can be chosen, if it is another. @param {HTMLSelectElement} control @param {Option[]} options */
export const offer = (control, options) =>
  drawnOnce(control, options, () => options.map(({ value, label }) => h('option', { value }, label)));

/**
 * Chooses an option, and says it whole where it may be cut off.
 * @param {HTMLSelectElement} control @param {string} value
 */
export function choose(control, value) {
  control.value = value;
  control.title = control.selectedOptions[0]?.textContent ?? '';
}
