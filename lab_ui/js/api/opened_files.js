/** Files that were named on the command line. */
import { request } from './client.js';
/** @import {OpenedFile} from './schema.d.ts' */

/**
 * Opens the files that wait for the page: adds tokenizers, reads a text, starts a corpus.
 * @returns {Promise<OpenedFile[]>}
 */
export async function openWaitingFiles() {
  /** @type {{files: OpenedFile[]}} */
  const { files } = await request('POST', 'window/opened');
  return files;
}
