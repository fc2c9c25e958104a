/** What the screen says of a chat. No DOM. */
import { count, percent, plural } from '../../util/format.js';
/** @import {Chat, Check, ControlToken, Drift, PromptEnd} from '../../api/schema.d.ts' */

/**
 * @param {Chat} chat
 * @returns {{figure: string, words: string, kind: 'good'|'bad'|'', share: string}[]} the facts after the count
 */
export function chatFacts(chat) {
  const { mask, template_count: template, control_tokens: control } = chat;
  const trained = mask?.reduce((sum, each) => sum + each, 0) ?? 0;
  return [
    ...(template === null
      ? [{ figure: '–', words: 'tokens by message are not known', kind: /** @type {const} */ (''), share: '' }]
      : [
          { figure: count(chat.count - template), words: 'in messages', kind: /** @type {const} */ (''), share: '' },
          { figure: count(template), words: 'by the template', kind: /** @type {const} */ (''), share: '' },
        ]),
    mask
      ? { figure: count(trained), words: 'trained on', kind: 'good', share: percent(trained / Math.max(1, chat.count)) }
      : { figure: '–', words: 'mask unknown', kind: '', share: '' },
    ...(control.length
      ? [{ figure: count(control.length), words: controlWords(control), kind: /** @type {const} */ ('bad'), share: '' }]
      : []),
  ];
}

/** @param {ControlToken[]} control */
const controlWords = control => (control.length === 1 ? 'control token in a message' : 'control tokens in messages');

/** What a model reads where a message spells control tokens. @param {ControlToken[]} control of one message */
export function readWords(control) {
  const begins = control.find(({ role }) => role);
  if (begins) return `The model reads a message of the role ${begins.role} here.`;
  if (control.some(({ reads }) => reads === 'message end')) return 'The model reads the end of the message here.';
  return 'The model reads a control token here.';
}

/** @param {number|null} own @param {number|null} other */
export const otherWords = (own, other) =>
  own === null || other === null ? '' : `${plural(other, 'token')}, not ${count(own)}`;

/**
 * The parts of the budget's bar, in shares of the context.
 * @param {NonNullable<Chat['budget']>} budget
 * @returns {{name: string, kind: string, count: number, share: number}[]}
 */
export function budgetParts(budget) {
  const used = budget.context - budget.reserve - budget.free;
  const roles = budget.roles ?? [{ role: 'used', count: used }];
  const parts = [
    ...roles.map(({ role, count }) => ({ name: role, kind: role, count })),
    ...(budget.template_count === null ? [] : [{ name: 'template', kind: 'template', count: budget.template_count }]),
    { name: 'reserved', kind: 'reserved', count: budget.reserve },
  ].filter(each => each.count > 0);
  const whole = Math.max(budget.context, used + budget.reserve);
  return parts.map(each => ({ ...each, share: each.count / whole }));
}

/** @param {NonNullable<Chat['budget']>} budget @returns {string} what is left, or what must go */
export function budgetWords(budget) {
  if (budget.free >= 0) return `${count(budget.free)} free`;
  const first = budget.first_outside === null ? '' : ` Message ${budget.first_outside + 1} does not fit.`;
  const gone = budget.dropped?.messages;
  const which =
    gone?.length === 1 ? `message ${gone[0] + 1}` : gone && `messages ${gone[0] + 1}–${(gone.at(-1) ?? 0) + 1}`;
  const rest = budget.dropped
    ? ` Without ${which}, ${plural(budget.dropped.count, 'token')} are left.`
    : ' No older turns can be dropped so that the rest fits.';
  return `${plural(-budget.free, 'token')} too many.${first}${rest}`;
}

/** What a check is called, and the sign before it. @type {Record<Check['outcome'], {sign: string, name: string}>} */
export const OUTCOMES = {
  failed: { sign: '✕', name: 'Failed' },
  warning: { sign: '!', name: 'Warning' },
  passed: { sign: '✓', name: 'Passed' },
  'not measured': { sign: '–', name: 'Not measured' },
};

/**
 * The IDs of a text: numbers with commas, spaces or brackets between them.
 * @param {string} text @returns {number[]|null} null: something else stands there
 */
export function idsIn(text) {
  const words = text.split(/[\s,;[\]()]+/).filter(Boolean);
  const ids = words.map(Number);
  return words.every(word => /^\d{1,9}$/.test(word)) ? ids : null;
}

/** @param {Drift} drift @returns {{figure: string, words: string}[]} */
export const driftFacts = ({ first, places, sampled, encoded, same_text: same }) => [
  first === null
    ? { figure: 'No drift', words: `the same ${plural(sampled.length, 'ID')}` }
    : { figure: `Token ${count(first + 1)}`, words: 'is the first that drifts' },
  { figure: count(places.length), words: places.length === 1 ? 'place' : 'places' },
  { figure: `${count(sampled.length)} → ${count(encoded.length)}`, words: 'tokens, sampled → encoded again' },
  { figure: same ? 'same' : 'differs', words: same ? 'text, byte for byte' : 'text' },
];

/** What to do about a drift. @param {Drift} drift */
export const driftAdvice = ({ first, other_tokenizer: isOther }) =>
  isOther
    ? 'More than half of the IDs differ. They may be those of another tokenizer: choose it above first.'
    : `Train on the sampled IDs, or mask from token ${count((first ?? 0) + 1)} on: the model saw no encoded IDs.`;

/** @param {PromptEnd} end @returns {string[]} sentences */
export function endWords({ ids, stable, changing, tried, example, rest, candidates }) {
  if (!changing) return [`The end is stable: none of ${count(tried)} next tokens changes it.`];
  const change = `${count(changing)} of ${count(tried)} next tokens (${percent(changing / tried, 1)}) change it`;
  const healed = `The healed prompt is ${plural(ids.length - stable, 'token')} shorter.`;
  const begins = rest === null ? 'the bytes that are left' : `“${rest}”`;
  return [
    `${change}, such as “${example}”.`,
    `${healed} Its next token begins with ${begins}, as ${plural(candidates, 'token')} do.`,
  ];
}
