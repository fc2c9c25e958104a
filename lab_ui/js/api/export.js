/** The encoded text as a file, and how to cite it. */
import { download, request } from './client.js';

/**
 * @typedef {'json'|'csv'|'html'|'tex'} Format
 * @typedef {{tokenizers: string[], text: string, addSpecialTokens: boolean, specials:
 *   import('./types.js').Specials, ignoreSpaces: boolean}} Shown what influences the result
 * @typedef {{id: string, name: string, source: string, sha256: string|null, origin: string|null, repository:
 *   string|null, revision: string|null}} UsedTokenizer
 * @typedef {{lab: string, lab_version: string, commit: string|null, made_at: string, tokenizers: UsedTokenizer[],
 *   settings: {add_special_tokens: boolean, specials: import('./types.js').Specials, ignore_spaces: boolean|null},
 *   text: {bytes: number, characters: number, sha256: string}, command: string, command_file: string|null}} Provenance
 *   how a result was made
 * @typedef {{provenance: Provenance, caption: string, bibtex: string, sentence: string}} Citation
 */

/** @param {Shown & {format: Format}} options @returns {Promise<{name: string, data: Blob}>} */
export const exportText = options => download('export', bodyOf(options));

/** @param {Shown} options @returns {Promise<Citation>} */
export const cite = options => request('POST', 'citation', { json: bodyOf(options) });

/** @param {Shown} options */
const bodyOf = ({ addSpecialTokens, ignoreSpaces, ...options }) => ({
  ...options,
  add_special_tokens: addSpecialTokens,
  ignore_spaces: ignoreSpaces,
});
