/** Corpora: list, add by path or by upload, describe with samples, try steps of cleaning, remove. */
import { request } from './client.js';
/** @import {CleaningPreview, CorpusDetail, CorpusEntry, Job, LanguageExamples, Step} from './schema.d.ts' */

/**
 * @typedef {{title?: string, text_column?: string, language_column?: string, parallel?: boolean, cleaning?: string[]}}
 *   CorpusOptions
 */

/** The size of the text of a corpus, which its files may compress. @param {CorpusEntry} corpus */
export const textSize = ({ bytes, text_bytes: text }) => text ?? bytes;

/**
 * The corpora that are not also among the practice texts, which have the same ids.
 * @param {CorpusEntry[]} corpora @param {{name: string}[]} practice
 */
export const withoutPractice = (corpora, practice) =>
  corpora.filter(({ id, builtin }) => !(builtin && practice.some(({ name }) => name === id)));

/** @param {string} id */
const addressOf = id => `corpora/${encodeURIComponent(id)}`;

/** @param {AbortSignal} [signal] @returns {Promise<CorpusEntry[]>} the built-in ones first */
export async function listCorpora(signal) {
  /** @type {{corpora: CorpusEntry[]}} */
  const { corpora } = await request('GET', 'corpora', { signal });
  return corpora;
}

/** @returns {Promise<Step[]>} all steps that a corpus can be cleaned with */
export async function listCleaningSteps() {
  /** @type {{cleaning_steps: Step[]}} */
  const { cleaning_steps: steps } = await request('GET', 'corpora');
  return steps;
}

/**
 * Tries steps on the first documents of a corpus as its files have them; keeps nothing.
 * @param {string} corpus id @param {string[]} cleaning steps in order @param {AbortSignal} [signal]
 * @returns {Promise<CleaningPreview>}
 */
export const previewCleaning = (corpus, cleaning, signal) =>
  request('POST', 'corpora/preview', { json: { corpus, cleaning }, signal });

/**
 * The first documents of a language of a corpus.
 * @param {{corpus: string, language: string, tokenizers: string[]}} query @param {AbortSignal} [signal]
 * @returns {Promise<LanguageExamples>}
 */
export const languageExamples = (query, signal) => request('POST', 'corpora/examples', { json: query, signal });

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<CorpusDetail>} */
export const getCorpus = (id, signal) => request('GET', addressOf(id), { signal });

/**
 * Adds files that lie on this machine.
 * @param {string[]} paths full paths of files and folders, and patterns @param {CorpusOptions} [options]
 * @returns {Promise<Job>} its result is the corpus
 */
export const addCorpus = (paths, options = {}) =>
  request('POST', 'corpora', { json: { paths, ...options, wait: false } });

/**
 * Adds the files of a corpus again, with other steps of cleaning.
 * @param {string} corpus id @param {string[]} cleaning steps in order
 * @returns {Promise<Job>} its result is the new corpus
 */
export const cleanCorpus = (corpus, cleaning) =>
  request('POST', 'corpora', { json: { corpus, cleaning, wait: false } });

/**
 * Adds files that only the page can read: the backend keeps a copy of them.
 * @param {{file: File, path: string}[]} files @param {CorpusOptions} [options]
 * @returns {Promise<CorpusDetail>}
 */
export function uploadCorpus(files, options = {}) {
  const form = new FormData();
  const folder = folderOf(files.map(({ path }) => path));
  for (const { file, path } of files) form.append('files', file, path.slice(folder.length).replaceAll('/', '-'));
  for (const [name, value] of Object.entries(options)) form.append(name, String(value));
  return request('POST', 'corpora/files', { form });
}

/** The folder that holds all of these paths, with its slash. @param {string[]} paths */
function folderOf([first, ...others]) {
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (!others.every(path => path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}

/** Forgets a corpus; files that were not sent stay where they are. @param {string} id @returns {Promise<null>} */
export const removeCorpus = id => request('DELETE', addressOf(id));
