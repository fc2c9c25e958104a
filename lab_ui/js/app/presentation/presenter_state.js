/**
 * The state of a presentation as plain data: which text and line is shown, which tokenizer is hidden, and what each
 * action changes. Knows nothing of the page; `presenter.js` draws it.
 *
 * The steps of a text are its lines that hold more than white space. `shown` counts the steps that are done, so the
 * current line is step number `shown`. While a tokenizer is hidden, its tokens are covered from the current line on,
 * and one more step uncovers the last line.
 *
 * @typedef {Object} State
 * @property {number[]} steps lines to walk in each text of the list; the first is the text of the lab
 * @property {number} text number of the text that is shown, from 0
 * @property {number} shown steps that are done, from 0
 * @property {boolean} isHiding whether a tokenizer's tokens are covered until their line is reached
 * @property {string|null} chosen id of the tokenizer to hide; null: the second in use
 *
 * @typedef {{type: 'next'|'back'|'cover'|'toggle'} | {type: 'hide', id: string, hidden: string|null}
 *   | {type: 'texts', steps: number[], text?: number}} Action
 */

/** @param {State} state @param {Action} action @returns {State} the same object if nothing changes */
export function reduce(state, action) {
  const { steps, text, shown } = state;
  switch (action.type) {
    case 'next':
      if (shown < lastStep(state)) return { ...state, shown: shown + 1 };
      return text + 1 < steps.length ? { ...state, text: text + 1, shown: 0 } : state;
    case 'back': {
      if (shown > 0) return { ...state, shown: shown - 1 };
      if (text === 0) return state;
      const before = { ...state, text: text - 1 };
      return { ...before, shown: lastStep(before) };
    }
    case 'cover':
      return { ...state, shown: 0, isHiding: true };
    case 'toggle':
      return clamped({ ...state, isHiding: !state.isHiding });
    case 'hide': {
      const isSame = state.isHiding && action.id === action.hidden;
      return clamped({ ...state, chosen: action.id, isHiding: !isSame });
    }
    case 'texts':
      return clamped({ ...state, steps: action.steps, text: action.text ?? text });
  }
}

/** The largest `shown` of the text that is shown. @param {State} state */
const lastStep = ({ steps, text, isHiding }) => Math.max(0, steps[text] - (isHiding ? 0 : 1));

/** Fits text and step to the texts that there are. @param {State} state @returns {State} */
function clamped(state) {
  const text = Math.min(state.text, state.steps.length - 1);
  return { ...state, text, shown: Math.min(state.shown, lastStep({ ...state, text })) };
}

/** Whether every line of the text is uncovered. @param {State} state */
export const isRevealed = ({ isHiding, shown, steps, text }) => !isHiding || shown >= steps[text];

/** The step whose line is marked: after the last step it stays on the last line. @param {State} state */
export const currentStep = ({ shown, steps, text }) => Math.min(shown, Math.max(0, steps[text] - 1));

/**
 * The tokenizer to guess.
 * @param {State} state @param {string[]} ids in use, in their order
 * @returns {string|null} null: none is in use
 */
export const hiddenOf = ({ chosen }, ids) => (chosen && ids.includes(chosen) ? chosen : (ids[1] ?? ids[0] ?? null));

/**
 * The state as parameters of the address, so that a reload shows the same.
 * @param {State} state @returns {Object<string, string>} those at their defaults are left out
 */
export const paramsOf = ({ text, shown, isHiding, chosen }) => ({
  ...(text ? { slide: String(text + 1) } : {}),
  ...(shown ? { shown: String(shown) } : {}),
  ...(isHiding ? {} : { guess: '0' }),
  ...(chosen ? { hide: chosen } : {}),
});

/**
 * The inverse of `paramsOf`.
 * @param {URLSearchParams} params @param {number[]} steps of the texts that there are
 * @param {boolean} hides whether a tokenizer is hidden unless the address says otherwise
 * @returns {State}
 */
export function stateOf(params, steps, hides) {
  /** @param {string} name */
  const whole = name => Math.max(0, Math.floor(Number(params.get(name))) || 0);
  return clamped({
    steps,
    text: Math.max(0, whole('slide') - 1),
    shown: whole('shown'),
    isHiding: hides && params.get('guess') !== '0',
    chosen: params.get('hide'),
  });
}
