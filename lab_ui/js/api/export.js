/** The encoded text as a file. */
import { download } from './client.js';

/**
 * @param {{tokenizers: string[], text: string, format: 'json'|'csv'|'html', addSpecialTokens: boolean, specials:
 *   import('./types.js').Specials, ignoreSpaces: boolean}} options
 * @returns {Promise<{name: string, data: Blob}>}
 */
export const exportText = ({ addSpecialTokens, ignoreSpaces, ...options }) =>
  download('export', { ...options, add_special_tokens: addSpecialTokens, ignore_spaces: ignoreSpaces });
