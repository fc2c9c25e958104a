/** Shows why a tokenizer could not be brought in, and what to do about it. */
import { actionButton, h, linkify } from '../../ui/dom.js';
import { asSentence } from '../../util/format.js';

/**
 * @param {Error & {hint?: string|null, code?: string}} error
 * @param {{openFiles: () => void, useToken: (token: string) => void}} actions `openFiles` lets the user choose files of
 *   this machine; `useToken` tries again with a token of the Hub
 * @returns {Node[]}
 */
export function fetchProblem(error, { openFiles, useToken }) {
  const message = h('b', {}, error.message);
  const hint = error.hint ?? '';
  const advice = h('div', { class: 'dim' }, ...linkify(asSentence(hint)));
  if (error.code === 'token_refused') return [message, advice, tokenForm(useToken)];
  if (error.code !== 'gated') return [message, advice];
  const page = /https?:[^\s,;]+/.exec(hint)?.[0] ?? '';
  const files = actionButton('Open tokenizer files…', openFiles);
  return [
    message,
    h(
      'ol',
      { class: 'gated-steps' },
      h('li', {}, 'Accept them on its page: ', ...linkify(page)),
      h('li', {}, 'Then fetch it with your token: ', tokenForm(useToken)),
      h('li', {}, 'Or, if its files are on this machine: ', files),
    ),
  ];
}

/** @param {(token: string) => void} useToken */
function tokenForm(useToken) {
  const field = h('input', {
    type: 'password',
    'aria-label': 'Token of the Hugging Face Hub',
    placeholder: 'hf_…',
    autocomplete: 'off',
    'data-role': 'hub-token',
  });
  /** @param {SubmitEvent} event */
  const submit = event => {
    event.preventDefault();
    if (field.value.trim()) useToken(field.value.trim());
    else field.focus();
  };
  const button = h('button', { type: 'submit', class: 'button framed' }, 'Fetch');
  const note = h('span', { class: 'faint' }, 'Used once, not kept.');
  return h('form', { class: 'token-form', onsubmit: submit }, field, button, note);
}
