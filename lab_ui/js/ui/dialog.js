/**
 * A modal dialog with a title and a cross. Esc and a click on what is behind it close it, too. ARIA pattern: modal
 * dialog. What it holds, and what its controls mean, is up to who makes it.
 */
import { actionButton, h } from './dom.js';
import { ICONS, icon } from './icons.js';

/**
 * @param {{label: string, class: string, title?: string, head?: Node[], end?: Node[]}} options `label`: its name;
 *   `head` follows the title, `end` comes before the cross
 * @param {...Node} content
 * @returns {HTMLDialogElement} to be opened with `showModal`
 */
export function dialog({ label, class: name, title = label, head = [], end = [] }, ...content) {
  const close = actionButton(icon(ICONS.cross), () => element.close(), { class: 'button', 'aria-label': 'Close' });
  const element = h(
    'dialog',
    { class: name, 'aria-label': label },
    h('div', { class: 'dialog-head' }, h('b', {}, title), ...head, h('span', { class: 'grow' }), ...end, close),
    ...content,
  );
  closeOutside(element);
  return element;
}

/**
 * Whether a dialog is open. It takes all keys: no key of the lab or of a screen may act behind it. All dialogs of the
 * page are modal, and the shell closes those of a screen that is left.
 */
export const isModalOpen = () => document.querySelector('dialog[open]') !== null;

/** Lets a click on the backdrop close a dialog. @param {HTMLDialogElement} element whose children cover it wholly */
export function closeOutside(element) {
  element.addEventListener('click', event => {
    if (event.target === element) element.close();
  });
}
