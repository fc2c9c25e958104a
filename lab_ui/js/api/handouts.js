/** A lesson or a text as one page that works alone; see docs/reference/http-api.md. */
import { download } from './client.js';
/** @import {HandoutBody} from './schema.d.ts' */

/** @param {HandoutBody} json @returns {Promise<{name: string, data: Blob}>} */
export const handout = json => download('handouts', json);
