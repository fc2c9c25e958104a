/** The note of a result, and the form for its name and note: a button opens it below. */
import { actionButton, h } from '../../ui/dom.js';

const MAX_NAME = 200;
const MAX_NOTE = 10_000;

/**
 * @param {{name: string, note: string}} label `name`: as it is shown
 * @param {(label: {name: string|null, note: string}) => void} save `name` null: it stays
 * @returns {{button: HTMLElement, parts: HTMLElement[]}} `parts`: the note and the form, to be put below
 */
export function labelForm({ name, note }, save) {
  const field = h('input', { type: 'text', value: name, maxLength: MAX_NAME, 'aria-label': `Name of ${name}` });
  const text = h('textarea', { value: note, maxLength: MAX_NOTE, rows: 3, 'aria-label': `Note on ${name}` });
  /** @param {boolean} isShown */
  const show = isShown => {
    form.hidden = !isShown;
    shown.hidden = isShown || !note;
    button.ariaExpanded = String(isShown);
    (isShown ? field : button).focus();
  };
  const form = h(
    'form',
    {
      class: 'label-form',
      hidden: true,
      onsubmit: event => {
        event.preventDefault();
        // One that was not changed may be the lab's own, which may be longer.
        save({ name: field.value === name ? null : field.value, note: text.value });
      },
      onkeydown: event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        show(false);
      },
    },
    field,
    text,
    h('button', { type: 'submit', class: 'button framed' }, 'Save name and note'),
  );
  const shown = h('p', { class: 'result-note', hidden: !note }, h('bdi', {}, note));
  const button = actionButton('Name and note', () => show(form.hidden === true), {
    class: 'button framed label-button',
    'aria-label': `Name and note: ${name}`,
    'aria-expanded': 'false',
  });
  return { button, parts: [shown, form] };
}
