/** Corpora: list, add by path or by upload, describe with samples, try steps of cleaning, remove. */
import { request } from './client.js';

/**
 * CORPUS of docs/reference/http-api.md.
 * @typedef {Object} Corpus
 * @property {string} id
 * @property {string} title
 * @property {string} format of its files
 * @property {number} files their number
 * @property {number} bytes of all files on disk
 * @property {number|null} text_bytes of their text in UTF-8; null: not counted
 * @property {number|null} documents before cleaning; null: not counted
 * @property {string} sha256
 * @property {string[]} languages
 * @property {boolean} is_parallel
 * @property {string|null} text_column
 * @property {string|null} language_column
 * @property {string[]} cleaning steps, in order
 * @property {boolean} builtin
 *
 * @typedef {Corpus & {first_files: {path: string}[], columns: string[], sample: string[], problem: string|null}}
 *   CorpusDetail `first_files`: at most 100; `sample`: the beginnings of its first documents; `problem`: why it cannot
 *   be read now
 *
 * @typedef {{title?: string, text_column?: string, language_column?: string, parallel?: boolean, cleaning?: string[]}}
 *   CorpusOptions
 */

/** The size of the text of a corpus, which its files may compress. @param {Corpus} corpus */
export const textSize = ({ bytes, text_bytes: text }) => text ?? bytes;

/**
 * The corpora that are not also among the practice texts, which have the same ids.
 * @param {Corpus[]} corpora @param {{name: string}[]} practice
 */
export const withoutPractice = (corpora, practice) =>
  corpora.filter(({ id, builtin }) => !(builtin && practice.some(({ name }) => name === id)));

/** @param {string} id */
const addressOf = id => `corpora/${encodeURIComponent(id)}`;

/** @param {AbortSignal} [signal] @returns {Promise<Corpus[]>} the built-in ones first */
export async function listCorpora(signal) {
  /** @type {{corpora: Corpus[]}} */
  const { corpora } = await request('GET', 'corpora', { signal });
  return corpora;
}

/**
 * `takes`: the form of its argument in words, empty if it has none.
 * @typedef {{name: string, label: string, help: string, takes: string}} CleaningStep
 */

/** @returns {Promise<CleaningStep[]>} all steps that a corpus can be cleaned with */
export async function listCleaningSteps() {
  /** @type {{cleaning_steps: CleaningStep[]}} */
  const { cleaning_steps: steps } = await request('GET', 'corpora');
  return steps;
}

/**
 * `documents` were read, `changed` of them differ afterwards; a sample without `after` is a document that is removed.
 * @typedef {{documents: number, changed: number, steps: {step: string, documents: number}[], samples: {before: string,
 *   after: string|null}[]}} CleaningPreview
 */

/**
 * Tries steps on the first documents of a corpus as its files have them; keeps nothing.
 * @param {string} corpus id @param {string[]} cleaning steps in order @param {AbortSignal} [signal]
 * @returns {Promise<CleaningPreview>}
 */
export const previewCleaning = (corpus, cleaning, signal) =>
  request('POST', 'corpora/preview', { json: { corpus, cleaning }, signal });

/**
 * `tokens`: of `text` under each of `tokenizers`. `more`: part of the corpus was not read.
 * @typedef {{text: string, is_whole: boolean, bytes: number, tokens: number[]}} LanguageExample
 * @typedef {{language: string, tokenizers: string[], examples: LanguageExample[], more: boolean}} LanguageExamples
 */

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
 * @returns {Promise<import('./jobs.js').Job>} its result is the corpus
 */
export const addCorpus = (paths, options = {}) =>
  request('POST', 'corpora', { json: { paths, ...options, wait: false } });

/**
 * Adds the files of a corpus again, with other steps of cleaning.
 * @param {string} corpus id @param {string[]} cleaning steps in order
 * @returns {Promise<import('./jobs.js').Job>} its result is the new corpus
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
