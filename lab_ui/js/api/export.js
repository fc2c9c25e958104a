/** What is shown, as a file. */
import { download } from './client.js';

/**
 * @param {{tokenizers: string[], text: string, format: 'json'|'csv'|'html', addSpecialTokens: boolean, specials:
 *   string, ignoreSpaces: boolean}} what
 * @returns {Promise<{name: string, data: Blob}>}
 */
export const exportText = ({ addSpecialTokens, ignoreSpaces, ...what }) =>
  download('export', { ...what, add_special_tokens: addSpecialTokens, ignore_spaces: ignoreSpaces });
