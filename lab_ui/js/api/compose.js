/** Tokenizers composed by recipe; see docs/guide/library.md. */
import { request } from './client.js';
/** @import {Blocks, CatalogEntry, EncodingResult} from './schema.d.ts' */

/**
 * @typedef {{base: string, normalizers?: string[], pretokenizers?: string[], keep_template?: boolean, special_tokens?:
 *   string[]}} Recipe the blocks by name; without a list, those of the base
 */

/** @returns {Promise<Blocks>} */
export const listBlocks = () => request('GET', 'compose');

/**
 * @param {Recipe} recipe @param {string} text @param {AbortSignal} signal
 * @returns {Promise<EncodingResult>}
 */
export const tryRecipe = (recipe, text, signal) => request('POST', 'compose', { json: { recipe, text }, signal });

/** @param {Recipe} recipe @param {string} id @returns {Promise<CatalogEntry>} */
export const keepRecipe = (recipe, id) => request('POST', 'tokenizers', { json: { recipe, id } });
