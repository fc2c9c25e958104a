/**
 * What is looked for in a vocabulary, as data, as parameters of the interface, and as a part of the page's address.
 *
 * @typedef {{q: string, mode: 'text'|'regex'|'hex'|'ids', ignoreCase: boolean, kinds: string[], scripts: string[],
 *   verdicts: string[], length: number|null, order: string, descending: boolean}} VocabularyQuery `length` in bytes;
 *   from the longest that is told apart on, it means that and more
 */

/** Lengths from here on are counted together, in bytes. */
export const LONGEST = 32;

/** @type {VocabularyQuery} */
export const EVERYTHING = {
  q: '',
  mode: 'text',
  ignoreCase: true,
  kinds: [],
  scripts: [],
  verdicts: [],
  length: null,
  order: 'id',
  descending: false,
};

const MODES = ['text', 'regex', 'hex', 'ids'];
const ORDERS = ['id', 'length', 'characters', 'rank', 'part_of'];

/** @param {VocabularyQuery} query @returns {string} what differs from everything, as a query string */
export function parametersOf(query) {
  const parameters = new URLSearchParams();
  if (query.q) parameters.set('q', query.q);
  if (query.mode !== 'text') parameters.set('mode', query.mode);
  if (!query.ignoreCase) parameters.set('ignore_case', 'false');
  for (const kind of query.kinds) parameters.append('kind', kind);
  for (const script of query.scripts) parameters.append('script', script);
  for (const verdict of query.verdicts) parameters.append('verdict', verdict);
  if (query.length !== null) {
    parameters.set('shortest', String(query.length));
    if (query.length < LONGEST) parameters.set('longest', String(query.length));
  }
  if (query.order !== 'id') parameters.set('order', query.order);
  if (query.descending) parameters.set('descending', 'true');
  return parameters.toString();
}

/** The inverse of `parametersOf`; what is unknown is left out. @param {string} text @returns {VocabularyQuery} */
export function queryOf(text) {
  const parameters = new URLSearchParams(text);
  const length = Number(parameters.get('shortest') ?? NaN);
  const one = (name, values, otherwise) => {
    const value = parameters.get(name);
    return values.includes(value) ? value : otherwise;
  };
  return {
    q: parameters.get('q') ?? '',
    mode: one('mode', MODES, 'text'),
    ignoreCase: parameters.get('ignore_case') !== 'false',
    kinds: parameters.getAll('kind'),
    scripts: parameters.getAll('script'),
    verdicts: parameters.getAll('verdict'),
    length: Number.isInteger(length) && length >= 0 ? Math.min(length, LONGEST) : null,
    order: one('order', ORDERS, 'id'),
    descending: parameters.get('descending') === 'true',
  };
}

/** @param {VocabularyQuery} query whether anything is left out */
export const isNarrow = query =>
  Boolean(query.q || query.kinds.length || query.scripts.length || query.verdicts.length || query.length !== null);

/** The list with the value in it, or without it where it was. @param {string[]} list @param {string} value */
export const toggled = (list, value) =>
  list.includes(value) ? list.filter(other => other !== value) : [...list, value];

/** Kinds of tokens in words, in the order in which they are shown. */
export const KIND_WORDS = {
  word_start: 'word after a space',
  word_inside: 'letters, no space',
  continuation: 'continues a word',
  word_end: 'ends a word',
  digits: 'digits',
  punctuation: 'punctuation',
  mixed: 'mixed',
  space: 'whitespace',
  part: 'part of a character',
  byte: 'byte',
  control: 'control',
  special: 'special',
  added: 'added',
};

/** The same where letters without a mark start a word. */
export const kindWords = (kind, model) =>
  kind === 'word_start' && /WordPiece|WordLevel/.test(model) ? 'starts a word' : (KIND_WORDS[kind] ?? kind);

/** Scripts that are none: `several`, `other` and `none` in words. */
export const scriptWords = script =>
  ({ several: 'several scripts', other: 'other scripts', none: 'no letters' })[script] ?? script.replaceAll('_', ' ');

/**
 * Sizes on a slider: equal steps multiply the size by the same, so that small vocabularies have room.
 * @param {number} place 0 to 1 @param {[number, number]} sizes the fewest and the most
 */
export const sizeAt = (place, [least, most]) =>
  place >= 1 ? most : Math.min(most, Math.max(least, Math.round(least * (most / least) ** place)));

/** The inverse of `sizeAt`. @param {number} size @param {[number, number]} sizes */
export const placeOf = (size, [least, most]) => (most > least ? Math.log(size / least) / Math.log(most / least) : 1);
