/**
 * Keeps the text over a reload of the page: what was typed is not lost, and it is in no address. The browser forgets it
 * with the tab.
 */
const KEY = 'text';
/** UTF-16 code units; browsers keep some five million of a page. */
export const LONGEST = 2_000_000;

/**
 * Keeps the text, or that there was one: too long for the lab or for the browser.
 * @param {{text: string, source: {name: string|null, encoding: string}}} session
 * @param {Pick<Storage, 'setItem'>} [storage]
 */
export function keepText({ text, source }, storage = sessionStorage) {
  const isKept = text.length <= LONGEST && put({ text, source }, storage);
  if (!isKept) put({ lostLength: text.length }, storage);
}

/**
 * @param {Pick<Storage, 'getItem'>} [storage]
 * @returns {{text: string, source: {name: string|null, encoding: string}}|null} null: no text is kept
 */
export function keptText(storage = sessionStorage) {
  const { text, source } = taken(storage);
  return typeof text === 'string' && typeof source?.encoding === 'string' ? { text, source } : null;
}

/**
 * @param {Pick<Storage, 'getItem'>} [storage]
 * @returns {number|null} UTF-16 code units of the text that could not be kept; null: there was none
 */
export function lostLength(storage = sessionStorage) {
  const { lostLength } = taken(storage);
  return typeof lostLength === 'number' ? lostLength : null;
}

/**
 * @param {Object<string, any>} value @param {Pick<Storage, 'setItem'>} storage
 * @returns {boolean} whether the browser keeps it
 */
function put(value, storage) {
  try {
    storage.setItem(KEY, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Pick<Storage, 'getItem'>} storage
 * @returns {{text?: any, source?: any, lostLength?: any}} what was put there last, {} if it cannot be read
 */
function taken(storage) {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null') ?? {};
  } catch {
    return {};
  }
}
