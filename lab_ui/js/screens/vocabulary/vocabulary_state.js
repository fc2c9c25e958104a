/** What Vocabulary shows, and how its address says it. */
import { EVERYTHING, parametersOf, queryOf } from '../../api/vocabulary_query.js';
import { count } from '../../util/format.js';

/** @typedef {import('../../api/vocabulary_query.js').VocabularyQuery} VocabularyQuery */
/** @typedef {'entry'|'whole'|'size'} Tab */
/**
 * @typedef {{query: VocabularyQuery, tab: Tab, token: number|null, size: number|null}} VocabularyState `token`: id of
 *   the entry; `size` of the smaller vocabulary, null for all of it
 */

/** @type {{value: Tab, label: string}[]} */
export const TABS = [
  { value: 'entry', label: 'Entry' },
  { value: 'whole', label: 'Overview' },
  { value: 'size', label: 'Size' },
];
const LARGEST_FIRST = ['length', 'characters', 'merged_into_count'];

/** @param {VocabularyState} state @returns {URLSearchParams} */
export function paramsOf({ query, tab, token, size }) {
  const params = new URLSearchParams(parametersOf(query));
  if (tab !== 'whole') params.set('tab', tab);
  if (token !== null) params.set('token', String(token));
  if (size !== null) params.set('size', String(size));
  return params;
}

/** The inverse of `paramsOf`; ignores unknown values. @param {URLSearchParams} params @returns {VocabularyState} */
export function stateOf(params) {
  const query = queryOf(params.toString());
  /** @param {string} name */
  const number = name => (/^\d+$/.test(params.get(name) ?? '') ? Number(params.get(name)) : null);
  // Links of other screens name one token by its id.
  const linked = query.mode === 'ids' && /^\d+$/.test(query.q) ? Number(query.q) : null;
  const token = number('token') ?? linked;
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value;
  return { query, tab: tab ?? (token === null ? 'whole' : 'entry'), token, size: number('size') };
}

/**
 * The query after a press on the head of a column: ordered by it, then the other way round, then as at first.
 * @param {VocabularyQuery} query @param {VocabularyQuery['order']} order @returns {VocabularyQuery}
 */
export function ordered(query, order) {
  const isDescending = LARGEST_FIRST.includes(order);
  if (query.order !== order) return { ...query, order, descending: isDescending };
  if (query.descending === isDescending) return { ...query, descending: !isDescending };
  return { ...query, order: EVERYTHING.order, descending: EVERYTHING.descending };
}

/**
 * Tokens that a vocabulary keeps for later use come last among words; there they fold into one row.
 * @param {VocabularyQuery} query
 * @param {{total: number, facets: {kinds: {name: string, count: number}[]}}} page of its matches
 * @returns {{rows: number, unused: number}} rows of tokens, and how many tokens are folded
 */
export function folding(query, { total, facets }) {
  const unused = facets.kinds.find(({ name }) => name === 'unused')?.count ?? 0;
  const folds = query.order === 'words' && !query.descending && !query.kinds.length && unused < total;
  return folds ? { rows: total - unused, unused } : { rows: total, unused: 0 };
}

/**
 * How many tokens of a vocabulary are special and how many unused: each is of one kind, so none is counted twice.
 * @param {{name: string, count: number}[]|null} kinds of the whole vocabulary; null: not known yet
 * @returns {string[]}
 */
export function kindNotes(kinds) {
  if (!kinds) return [];
  /** @param {string} name */
  const countOf = name => kinds.find(kind => kind.name === name)?.count ?? 0;
  const unused = countOf('unused');
  return [`${count(countOf('special'))} of them special`, ...(unused ? [`${count(unused)} unused`] : [])];
}
