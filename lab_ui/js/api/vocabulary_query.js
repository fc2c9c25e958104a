/**
 * A search of a vocabulary, as data and as a query string: for the backend and for the page's address.
 *
 * @typedef {'text'|'regex'|'hex'|'ids'} Mode
 * @typedef {'words'|'id'|'length'|'characters'|'rank'|'merged_into_count'} Order
 * @typedef {{q: string, mode: Mode, ignoreCase: boolean, kinds: string[], scripts: string[], verdicts: string[],
 *   length: number|null, order: Order, descending: boolean}} VocabularyQuery `length` in bytes; LONGEST: that or more
 */

/** Lengths from this one on are counted together, in bytes. */
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
  order: 'words',
  descending: false,
};

/** @type {Mode[]} */
const MODES = ['text', 'regex', 'hex', 'ids'];
/** @type {Order[]} */
const ORDERS = ['words', 'id', 'length', 'characters', 'rank', 'merged_into_count'];

/** @param {VocabularyQuery} query @returns {string} what differs from EVERYTHING, as a query string */
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
  if (query.order !== EVERYTHING.order) parameters.set('order', query.order);
  if (query.descending) parameters.set('descending', 'true');
  return parameters.toString();
}

/** Returns the query as the backend wants it. @param {VocabularyQuery} query @returns {string} */
export function searchParameters(query) {
  const parameters = new URLSearchParams(parametersOf(query));
  parameters.set('order', query.order); // its default is another one
  return parameters.toString();
}

/** The inverse of `parametersOf`; ignores unknown values. @param {string} text @returns {VocabularyQuery} */
export function queryOf(text) {
  const parameters = new URLSearchParams(text);
  const length = Number(parameters.get('shortest') ?? NaN);
  return {
    q: parameters.get('q') ?? '',
    mode: MODES.find(mode => mode === parameters.get('mode')) ?? 'text',
    ignoreCase: parameters.get('ignore_case') !== 'false',
    kinds: parameters.getAll('kind'),
    scripts: parameters.getAll('script'),
    verdicts: parameters.getAll('verdict'),
    length: Number.isInteger(length) && length >= 0 ? Math.min(length, LONGEST) : null,
    order: ORDERS.find(order => order === parameters.get('order')) ?? EVERYTHING.order,
    descending: parameters.get('descending') === 'true',
  };
}

/** Whether the query filters anything out. @param {VocabularyQuery} query */
export const isNarrow = query =>
  Boolean(query.q || query.kinds.length || query.scripts.length || query.verdicts.length || query.length !== null);

/** Returns the list without the value if it has it, else with it. @param {string[]} list @param {string} value */
export const toggled = (list, value) =>
  list.includes(value) ? list.filter(other => other !== value) : [...list, value];

/** Labels of the kinds of tokens, in the order in which they are shown. @type {Object<string, string|undefined>} */
export const KIND_WORDS = {
  word_start: 'word after a space',
  word_inside: 'letters, no space',
  continuation: 'continues a word',
  word_end: 'ends a word',
  digits: 'digits',
  punctuation: 'punctuation',
  mixed: 'mixed',
  unused: 'unused',
  space: 'whitespace',
  part: 'part of a character',
  byte: 'byte',
  control: 'control',
  special: 'special',
  added: 'added',
};

/**
 * Returns the label of a kind. In WordPiece, letters without a mark start a word.
 * @param {string} kind @param {string} model
 */
export const kindWords = (kind, model) =>
  kind === 'word_start' && /WordPiece|WordLevel/.test(model) ? 'starts a word' : (KIND_WORDS[kind] ?? kind);

/** Labels of the values of `script` that are not scripts. @type {Object<string, string|undefined>} */
const NO_SCRIPTS = { several: 'several scripts', other: 'other scripts', none: 'no letters' };

/** Returns the label of a script. @param {string} script */
export const scriptWords = script => NO_SCRIPTS[script] ?? script.replaceAll('_', ' ');

/**
 * Maps a slider to sizes: equal steps multiply the size by the same factor, so that small vocabularies have room.
 * @param {number} place 0 to 1 @param {[number, number]} sizes the smallest and the largest
 */
export const sizeAt = (place, [least, most]) =>
  place >= 1 ? most : Math.min(most, Math.max(least, Math.round(least * (most / least) ** place)));

/** The inverse of `sizeAt`. @param {number} size @param {[number, number]} sizes */
export const placeOf = (size, [least, most]) => (most > least ? Math.log(size / least) / Math.log(most / least) : 1);
