/** Tokenizers put together. A recipe: see docs/guide/library.md. */
import { request } from './client.js';

/** @returns {Promise<{normalizers: string[], pretokenizers: string[]}>} names of blocks */
export const listBlocks = () => request('GET', 'compose');

/** @param {Object} recipe @param {string} text @param {AbortSignal} signal @returns {Promise<Object>} a RESULT */
export const tryRecipe = (recipe, text, signal) => request('POST', 'compose', { json: { recipe, text }, signal });

/** @param {Object} recipe @param {string} id @returns {Promise<Object>} an ENTRY */
export const keepRecipe = (recipe, id) => request('POST', 'tokenizers', { json: { recipe, id } });
