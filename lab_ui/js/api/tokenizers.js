/** The catalog and the vocabularies. */
import { request } from './client.js';
/** @import {VocabularyToken} from './schema.d.ts' */

/**
 * @typedef {import('./schema.d.ts').CatalogEntry} Entry
 */

/**
 * @returns {Promise<{tokenizers: Entry[], patterns: string[], problem: {message: string, hint: string}|null}>}
 *   `patterns`: names of split patterns; `problem`: why the database cannot be read, so that the list is short
 */
export const listTokenizers = () => request('GET', 'tokenizers');

/**
 * @param {File[]} files of one tokenizer @param {{id?: string, pattern?: string}} options
 * @returns {Promise<Entry>}
 */
export function addFiles(files, { id, pattern } = {}) {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  if (id) form.append('id', id);
  if (pattern) form.append('pattern', pattern);
  return request('POST', 'tokenizers/files', { form });
}

/** @param {string} id @param {string} name @returns {Promise<Entry>} */
export const renameTokenizer = (id, name) =>
  request('PATCH', `tokenizers/${encodeURIComponent(id)}`, { json: { name } });

/** @param {string} id @returns {Promise<null>} */
export const removeTokenizer = id => request('DELETE', `tokenizers/${encodeURIComponent(id)}`);

const MAX_IDS = 1000; // of one request
const MAX_KNOWN = 50_000;

/** Vocabulary entries by id, each requested once. */
export class Vocabulary {
  /** @type {Map<string, Map<number, VocabularyToken>>} */
  #known = new Map();

  /**
   * @param {string} tokenizer @param {number[]} ids any number
   * @returns {Promise<Map<number, VocabularyToken>>} these and all that were requested before
   */
  async entries(tokenizer, ids) {
    const known = this.#of(tokenizer);
    const missing = [...new Set(ids)].filter(id => !known.has(id));
    for (let at = 0; at < missing.length; at += MAX_IDS) {
      const part = missing.slice(at, at + MAX_IDS).join(',');
      /** @type {{tokens: VocabularyToken[]}} */
      const { tokens } = await request('GET', `vocabulary/${encodeURIComponent(tokenizer)}?ids=${part}`);
      for (const token of tokens) known.set(token.id, token);
    }
    return known;
  }

  /** @param {string} tokenizer @param {number} id @returns {VocabularyToken|undefined} if it was requested before */
  known(tokenizer, id) {
    return this.#known.get(tokenizer)?.get(id);
  }

  /** @param {string} tokenizer */
  forget(tokenizer) {
    this.#known.delete(tokenizer);
  }

  /** @param {string} tokenizer */
  #of(tokenizer) {
    const known = this.#known.get(tokenizer);
    if (known && known.size <= MAX_KNOWN) return known;
    /** @type {Map<number, VocabularyToken>} */
    const empty = new Map();
    this.#known.set(tokenizer, empty);
    return empty;
  }
}
