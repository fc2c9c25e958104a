/**
 * Keeps the text over a reload of the page: what was typed is not lost, and it is in no address. The browser forgets it
 * with the tab.
 */
const KEY = 'text';
/** UTF-16 code units; browsers keep some five million of a page. */
const LONGEST = 2_000_000;

/**
 * @param {{text: string, source: {name: string|null, encoding: string}}} session
 * @param {Pick<Storage, 'setItem'|'removeItem'>} [storage]
 */
export function keepText({ text, source }, storage = sessionStorage) {
  try {
    if (text.length > LONGEST) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify({ text, source }));
  } catch {
    /* the browser keeps nothing: a reload begins with the sample text */
  }
}

/**
 * @param {Pick<Storage, 'getItem'>} [storage]
 * @returns {{text: string, source: {name: string|null, encoding: string}}|null} null: no text is kept
 */
export function keptText(storage = sessionStorage) {
  try {
    const { text, source } = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof text === 'string' && typeof source?.encoding === 'string' ? { text, source } : null;
  } catch {
    return null;
  }
}
