/** The tokens of one message as faces: its text, the template's, control tokens, what is trained on. */
import { h } from '../../ui/dom.js';
import { stripes, visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { groupsOf } from '../../text/token_groups.js';
import { count } from '../../util/format.js';
/** @import {Chat} from '../../api/schema.d.ts' */

/** The most tokens that a row draws. */
export const MOST = 1500;

/**
 * @typedef {{id: number, index: number, text: string, span_utf16: [number, number]|null, source: number,
 *   isControl: boolean, isTrained: boolean, before: string}} RowToken `text`: of the rendered text, all of it that the
 *   token touches; `before`: what no token has between it and the last one, as the spaces of BERT
 */

/**
 * The tokens of each message, and those before the first and after the last, as a row of their own at the end.
 * @param {Chat} chat @returns {RowToken[][]} a row for each message, then one for the rest after them
 */
export function rowsOf(chat) {
  const { tokens, ids, text, mask } = chat;
  /** @type {RowToken[][]} */
  const rows = Array.from({ length: chat.messages.length + 1 }, () => []);
  const last = tokens.messages.reduce((/** @type {number} */ at, each, n) => (each === null ? at : n), -1);
  let covered = 0;
  ids.forEach((id, index) => {
    const row = tokens.messages[index] ?? (index > last ? chat.messages.length : 0);
    const span = tokens.spans_utf16?.[index] ?? null;
    rows[row].push({
      id,
      index,
      text: span ? text.slice(...span) : (tokens.texts[index] ?? ''),
      span_utf16: /** @type {[number, number]|null} */ (span),
      source: tokens.sources?.[index] ?? 0,
      isControl: tokens.special[index] === 1,
      isTrained: mask?.[index] === 1,
      before: span ? text.slice(covered, span[0]) : '',
    });
    covered = Math.max(covered, span?.[1] ?? 0);
  });
  return rows;
}

/**
 * @param {RowToken[]} tokens of one row @param {string} colour role or token
 * @returns {(HTMLElement|string)[]}
 */
export function tokenRow(tokens, colour) {
  const shown = tokens.slice(0, MOST);
  const base = shown.find(each => each.span_utf16)?.span_utf16?.[0] ?? 0;
  /** @type {string[]} */
  const parts = [];
  let at = base;
  const local = shown.map(token => {
    if (!token.span_utf16) return { ...token, span_utf16: null };
    const [start, end] = token.span_utf16;
    if (end > at) {
      parts.push(token.text.slice(Math.max(0, at - start)).padStart(end - at));
      at = end;
    }
    return { ...token, span_utf16: /** @type {[number, number]} */ ([start - base, end - base]) };
  });
  const text = parts.join('');
  // A row breaks between tokens.
  const faces = groupsOf(local, text).flatMap(({ first, end, from, to }) => [
    h('wbr', {}),
    shown[first].before,
    face(shown.slice(first, end), text.slice(from, to) || shown[first].text, colour),
  ]);
  if (tokens.length > MOST) faces.push(h('span', { class: 'faint' }, `and ${count(tokens.length - MOST)} more tokens`));
  return faces;
}

/** @param {RowToken[]} tokens that share a character, or one @param {string} text @param {string} colour */
function face(tokens, text, colour) {
  const [first] = tokens;
  const isBad = first.isControl && first.source > 0;
  const kinds = [
    'chat-token',
    first.isControl ? 'control' : first.source ? 'own' : 'template',
    first.source === 2 && !first.isControl && 'both',
    isBad && 'bad',
    first.isTrained && 'trained',
  ];
  const title = [
    `Token ${first.index + 1}${tokens.length > 1 ? ` and ${tokens.length - 1} more in this character` : ''}`,
    `ID ${tokens.map(({ id }) => id).join(', ')}`,
    ['written by the template', 'text of the message', 'text of the message and of the template'][first.source],
    first.isTrained && 'trained on',
  ];
  const element = h(
    'span',
    {
      class: kinds.filter(Boolean).join(' '),
      title: title.filter(Boolean).join(' · '),
      'data-role': 'chat-token',
      'data-id': String(first.id),
      'data-index': String(first.index),
    },
    ...visibleNodes(text || `<${first.id}>`),
  );
  if (first.source && !first.isControl) {
    const shade = (/** @type {number} */ index) =>
      colour === 'role' ? `var(--role-${index % 2})` : `var(--t${index % 4})`;
    if (tokens.length === 1) element.style.backgroundColor = shade(first.index);
    else element.style.backgroundImage = stripes(tokens.map(({ index }) => shade(index)));
  }
  return element;
}
