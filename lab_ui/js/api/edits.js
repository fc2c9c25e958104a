/** Edits of a tokenizer, tried and kept; see docs/guide/workshop.md. */
import { download, request } from './client.js';
/** @import {CatalogEntry, EditChecks, Edited, EditKinds, EditProgress, EditRecipe, Measured} from './schema.d.ts' */

/** @typedef {{kind: string, on?: boolean} & Object<string, any>} Edit one of a recipe, with its options */

/** @returns {Promise<EditKinds>} */
export const listKinds = () => request('GET', 'edits');

/**
 * @param {string} base @param {Edit[]} edits @param {{text: string, run: string}} more `run`: names the request
 * @param {AbortSignal} signal
 * @returns {Promise<Edited>}
 */
export const tryEdits = (base, edits, more, signal) =>
  request('POST', 'edits', { json: { base, edits, ...more }, signal });

/** How far a request is. @param {string} run @returns {Promise<EditProgress>} */
export const progressOf = run => request('GET', `edits/runs/${run}`);

/** @param {string} base @param {Edit[]} edits @param {AbortSignal} signal @returns {Promise<EditChecks>} */
export const proveEdits = (base, edits, signal) => request('POST', 'edits/checks', { json: { base, edits }, signal });

/**
 * @param {string} base @param {Edit[]} edits @param {{corpus: string, run: string}} more `run`: names the request
 * @param {AbortSignal} signal
 * @returns {Promise<Measured>}
 */
export const measureEdits = (base, edits, more, signal) =>
  request('POST', 'edits/corpus', { json: { base, edits, ...more }, signal });

/** @param {Edit[]} edits @returns {Promise<EditRecipe>} */
export const writeRecipe = edits => request('POST', 'edits/recipe', { json: { edits } });

/** @param {string} toml @returns {Promise<EditRecipe>} */
export const readRecipe = toml => request('POST', 'edits/recipe/read', { json: { toml } });

/** @param {string} base @param {Edit[]} edits @param {string} id @returns {Promise<CatalogEntry>} */
export const keepEdits = (base, edits, id) => request('POST', 'edits/tokenizer', { json: { base, edits, id } });

/** @param {string} base @param {Edit[]} edits @param {string} format @returns {Promise<{name: string, data: Blob}>} */
export const mapOfRows = (base, edits, format) => download('edits/rows', { base, edits, format });
