/** The catalog and the vocabularies. */
import { request } from './client.js';

/**
 * @returns {Promise<{tokenizers: Object[], patterns: string[]}>} ENTRY objects, see docs/reference/http-api.md; names
 *   of split patterns
 */
export const listTokenizers = () => request('GET', 'tokenizers');

/** @param {File[]} files of one tokenizer @param {{id?: string, pattern?: string}} options */
export function addFiles(files, { id, pattern } = {}) {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  if (id) form.append('id', id);
  if (pattern) form.append('pattern', pattern);
  return request('POST', 'tokenizers/files', { form });
}

export const removeTokenizer = id => request('DELETE', `tokenizers/${encodeURIComponent(id)}`);

const MOST_IDS = 1000;
const MOST_KNOWN = 50_000;

/** Vocabulary entries by id, asked for once. */
export class Vocabulary {
  #known = new Map();

  /**
   * @param {string} tokenizer @param {number[]} ids any number
   * @returns {Promise<Map<number, {id: number, text: string|null, bytes: string, special: boolean, rank: number|null,
   *   score?: number|null}>>}
   */
  async entries(tokenizer, ids) {
    const known = this.#of(tokenizer);
    const missing = [...new Set(ids)].filter(id => !known.has(id));
    for (let at = 0; at < missing.length; at += MOST_IDS) {
      const part = missing.slice(at, at + MOST_IDS);
      const { tokens } = await request('GET', `vocabulary/${encodeURIComponent(tokenizer)}?ids=${part.join(',')}`);
      for (const token of tokens) known.set(token.id, token);
    }
    return known;
  }

  /** @returns {Object|undefined} an entry that was asked for before */
  known(tokenizer, id) {
    return this.#known.get(tokenizer)?.get(id);
  }

  forget(tokenizer) {
    this.#known.delete(tokenizer);
  }

  #of(tokenizer) {
    let known = this.#known.get(tokenizer);
    if (!known || known.size > MOST_KNOWN) this.#known.set(tokenizer, (known = new Map()));
    return known;
  }
}
