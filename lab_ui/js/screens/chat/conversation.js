/** The messages of the screen: what is typed, and what is sent. No DOM. */

/**
 * A message on the screen. Its key stays while it is edited and moved.
 * @typedef {{key: number, role: string, body: string, isJson: boolean, asText: boolean}} Message
 *   `body`: the content, or with `isJson` all fields but the role
 */

export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** @type {Object<string, any>[]} */
export const EXAMPLE = [
  { role: 'system', content: 'You answer for a clinic. Use the record; say when it has no answer.' },
  { role: 'user', content: 'When is my next appointment?' },
  { role: 'assistant', content: 'On Friday, 4 December, at 9:30 with Dr. Weiß.' },
  { role: 'user', content: 'Thanks!' },
];

let made = 0;

/** @param {Object<string, any>} fields @returns {Message} */
export function messageOf({ role = 'user', ...rest }) {
  const isJson = typeof rest.content !== 'string' || Object.keys(rest).length > 1;
  const body = isJson ? JSON.stringify(rest, null, 1) : rest.content;
  return { key: ++made, role: String(role), body, isJson, asText: false };
}

/** @param {Message} message @returns {Object<string, any>|null} what is sent; null: it is not JSON */
export function fieldsOf({ role, body, isJson }) {
  if (!isJson) return { role, content: body };
  try {
    const rest = JSON.parse(body);
    return rest && typeof rest === 'object' && !Array.isArray(rest) ? { role, ...rest } : null;
  } catch {
    return null;
  }
}

/**
 * The messages of a JSON text: a list, or an object with `messages`.
 * @param {string} text @returns {Object<string, any>[]|null} null: there are none
 */
export function readMessages(text) {
  try {
    const found = JSON.parse(text);
    const messages = Array.isArray(found) ? found : found?.messages;
    const isMessage = (/** @type {any} */ each) => each && typeof each === 'object' && !Array.isArray(each);
    return Array.isArray(messages) && messages.every(isMessage) ? messages : null;
  } catch {
    return null;
  }
}

/** @param {string} text JSON @returns {any[]|null} the tools in it, none for no text; null: it is no list */
export function readTools(text) {
  if (!text.trim()) return [];
  try {
    const found = JSON.parse(text);
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} text of a file @returns {string} its tools as JSON; '': it has none */
export function toolsIn(text) {
  const { tools } = JSON.parse(text);
  return Array.isArray(tools) && tools.length ? JSON.stringify(tools, null, 1) : '';
}

/** @param {string} text */
export const isConversation = text => readMessages(text) !== null;

/**
 * A list with an item moved to a neighbour's place.
 * @template T
 * @param {T[]} list @param {number} at @param {-1|1} by @returns {T[]} the same list if there is no neighbour
 */
export function moved(list, at, by) {
  const to = at + by;
  if (at < 0 || to < 0 || to >= list.length) return list;
  const next = [...list];
  [next[at], next[to]] = [next[to], next[at]];
  return next;
}

/** A moment on the clock of this place, as ISO 8601, to the second. @param {Date} date */
export const localMoment = date =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
