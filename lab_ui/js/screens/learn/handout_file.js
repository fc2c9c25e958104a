/** Saves a lesson as a handout: a page that shows it without the lab. */
import { handout } from '../../api/handouts.js';
import { saveFile } from '../../app/files/files.js';

/**
 * @param {{name: string, tokenizer: string, text: string, specials: import('../../api/types.js').Specials,
 *   learn?: number, seed?: number, way: import('../../lessons/lesson_view.js').Way, at: number}} shown
 * @param {boolean} folder as files for a web server, in one ZIP file
 * @returns {Promise<string>} the name of the file
 */
export async function saveHandout({ name: lesson, tokenizer, text, specials, learn, seed, way, at }, folder) {
  const options = { name: lesson, way, at, ...(learn && { learn }), ...(seed && { seed }) };
  return saved({ tokenizers: [tokenizer], text, specials, lesson: options, folder });
}

/**
 * The same of a sheet of exercises.
 * @param {import('../../api/exercises.js').SheetKey} key @param {boolean} folder
 */
export const saveSheet = ({ tokenizer, kind, seed }, folder) =>
  saved({ tokenizers: [tokenizer], exercises: { kind, seed }, folder });

/** @param {import('../../api/schema.d.ts').HandoutBody} asked */
async function saved(asked) {
  const { name, data } = await handout(asked);
  saveFile(name, data);
  return name;
}
