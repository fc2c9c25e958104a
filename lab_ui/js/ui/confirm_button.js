/**
 * A button for what cannot be undone: the first press asks, the second one acts. Leaving it takes the question back.
 */
import { h, setText } from './dom.js';

/**
 * @param {{label: string, name: string, confirm?: string, question?: string, act: () => void}} options `label`: what it
 *   says, such as "Delete"; `name`: what it is about, for its accessible name; `confirm`: what it says after the first
 *   press; `question`: its accessible name then
 * @returns {HTMLButtonElement}
 */
export function confirmButton({
  label,
  name,
  confirm = `Confirm ${label.toLowerCase()}`,
  question = `${confirm} ${name}`,
  act,
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
      if (asked) act();
      say(!asked);
    },
    onblur: () => say(false),
  });
  say(false);
  return button;
}
