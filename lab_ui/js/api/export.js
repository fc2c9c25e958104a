/** The encoded text as a file, and how to cite it. */
import { download, request } from './client.js';
/** @import {Citation} from './schema.d.ts' */

/**
 * @typedef {'json'|'csv'|'html'|'tex'|'suite'} Format
 * @typedef {{tokenizers: string[], text: string, addSpecialTokens: boolean, specials:
 *   import('./types.js').Specials, ignoreSpaces: boolean}} Shown what influences the result
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
