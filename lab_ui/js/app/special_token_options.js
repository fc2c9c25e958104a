/** The choices about special tokens, for the "View options" of a screen that encodes the text. */
import { h, listen } from '../ui/dom.js';
import { ToggleSwitch } from '../ui/toggle_switch.js';
import { line, select } from '../ui/form.js';

/** How to treat text that looks like a special token: value of the setting `specials`, and its words. */
export const SPECIAL_TEXT = [
  { value: 'text', label: 'ordinary text' },
  { value: 'parse', label: 'special token' },
  { value: 'reject', label: 'error' },
];
export const SPECIAL_TEXT_LABEL = 'Text like <|endoftext|>';

/**
 * Makes a switch for the tokens around the text, and a choice for text that looks like a special token.
 * @param {Pick<import('./context.js').Context, 'settings'>} context
 * @param {AbortSignal} signal the controls follow the settings until it is aborted
 * @returns {HTMLElement[]}
 */
export function specialTokenOptions({ settings }, signal) {
  const add = h(new ToggleSwitch(), {
    hook: 'specials',
    label: 'Add special tokens',
    hint: 'Add the tokens that the postprocessor puts around the text, such as [CLS] and [SEP] (s)',
  });
  const choice = select('special-text', specials => settings.set({ specials }), SPECIAL_TEXT);
  const draw = () => {
    add.checked = settings.get('addSpecialTokens');
    choice.value = settings.get('specials');
  };
  settings.on(['addSpecialTokens', 'specials'], draw, signal);
  draw();
  listen(add, 'valuechange', addSpecialTokens => settings.set({ addSpecialTokens }));
  return [add, line(SPECIAL_TEXT_LABEL, choice)];
}
