/**
 * A button for what cannot be undone: the first press asks, the second one acts. Leaving it takes the question back.
 */
import { h, setText } from './dom.js';

/**
 * @param {Object} options
 * @param {string} options.label such as "Delete" @param {string} options.name of its object, for the accessible name
 * @param {string} [options.confirm] label after the first press @param {string} [options.question] accessible name then
 * @param {() => void} options.handler called at the second press
 * @returns {HTMLButtonElement}
 */
export function confirmButton({
  label,
  name,
  confirm = `Confirm ${label.toLowerCase()}`,
  question = `${confirm} ${name}`,
  handler,
}) {
  let asked = false;
  /** @param {boolean} isAsked */
  const say = isAsked => {
    asked = isAsked;
    setText(button, asked ? confirm : label);
    button.ariaLabel = asked ? question : `${label} ${name}`;
  };
  const button = h('button', {
    type: 'button',
    class: 'button framed',
    onclick: () => {
      if (asked) handler();
      say(!asked);
    },
    onblur: () => say(false),
  });
  say(false);
  return button;
}
