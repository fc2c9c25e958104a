/** What the Library's table shows: the columns, their order, and how the address says it. */

/** @typedef {import('../../api/schema.d.ts').CatalogEntry} Entry */
/** @typedef {'name'|'family'|'vocab_size'|'licence'|'size_bytes'|'use'} Column */
/**
 * @typedef {{q: string, by: Column|null, isDescending: boolean, open: string|null}} LibraryState `by` null: in the
 *   order of the catalog; `open`: id of the tokenizer whose details are shown
 */

/** @type {{name: Column, label: string, isNumber?: boolean}[]} */
export const COLUMNS = [
  { name: 'name', label: 'Name' },
  { name: 'family', label: 'Family' },
  { name: 'vocab_size', label: 'Vocabulary', isNumber: true },
  { name: 'licence', label: 'Licence' },
  { name: 'size_bytes', label: 'Size on disk', isNumber: true },
  { name: 'use', label: 'In use' },
];

/** @type {LibraryState} */
export const ALL = { q: '', by: null, isDescending: false, open: null };

/** @param {LibraryState} state @returns {URLSearchParams} what differs from ALL */
export function paramsOf({ q, by, isDescending, open }) {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (by) params.set('sort', isDescending ? `-${by}` : by);
  if (open) params.set('open', open);
  return params;
}

/** The inverse of `paramsOf`; ignores unknown columns. @param {URLSearchParams} params @returns {LibraryState} */
export function stateOf(params) {
  const sort = params.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const by = COLUMNS.find(column => column.name === name)?.name ?? null;
  return {
    q: params.get('q') ?? '',
    by,
    isDescending: Boolean(by) && sort.startsWith('-'),
    open: params.get('open') ?? params.get('tokenizer'),
  };
}

/**
 * The state after a press on a column's head: sorted by it, then the other way round, then as the catalog has it.
 * @param {LibraryState} state @param {Column} column @returns {LibraryState}
 */
export function pressed(state, column) {
  if (state.by !== column) return { ...state, by: column, isDescending: false };
  return state.isDescending ? { ...state, by: null, isDescending: false } : { ...state, isDescending: true };
}

/**
 * Sorts entries by a column. What has no value comes last either way; equal values keep the order of the catalog.
 * @param {Entry[]} entries @param {LibraryState} state @param {string[]} chosen ids in use
 * @returns {Entry[]}
 */
export function sorted(entries, { by, isDescending }, chosen) {
  if (!by) return entries;
  /** @param {Entry} entry @returns {string|number|null} */
  const valueIn = entry => {
    if (by === 'use') return chosen.includes(entry.id) ? chosen.indexOf(entry.id) : null;
    // What a file takes is known before it is here, but it is not on the disk.
    if (by === 'size_bytes' && !entry.available) return null;
    return entry[by];
  };
  const sign = isDescending ? -1 : 1;
  return [...entries].sort((a, b) => {
    const [left, right] = [valueIn(a), valueIn(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * String(left).localeCompare(String(right), 'en', { sensitivity: 'base' });
  });
}
