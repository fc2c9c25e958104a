/**
 * What a handout holds, as `lab_app/services/handouts` writes it: a description as JSON, the engine, and tokenizers.
 * They are in the page, or files beside it.
 *
 * @typedef {import('../api/types.js').Specials} Specials
 *
 * @typedef {Object} LessonContents
 * @property {string} name
 * @property {string} engine what the engine calls the lesson
 * @property {string} text
 * @property {import('../lessons/lesson_view.js').Way} way
 * @property {number} at
 * @property {number} learn
 * @property {number} seed
 * @property {Specials} specials
 * @property {boolean} add_special_tokens
 * @property {Object<string, any>} facts what the lab alone knows of this text
 * @property {boolean} has_text whether another text may be given
 *
 * @typedef {{text: string, specials: Specials, add_special_tokens: boolean}} TextContents
 *
 * @typedef {Object} HandoutTokenizer
 * @property {string} id
 * @property {string} name
 * @property {string|null} licence
 * @property {string|null} notice the text of the licence
 * @property {number} kept tokens in the page
 * @property {number} of tokens of the whole vocabulary
 * @property {string|null} covered the characters that it is shrunk to; null: it is whole
 * @property {string[]} scripts the named sets among them
 * @property {string} others those beside these sets
 * @property {boolean} is_renumbered whether merges have other ranks than in the whole vocabulary
 *
 * @typedef {Object} SheetContents
 * @property {import('../api/schema.d.ts').Sheet} sheet of tasks with choices
 * @property {import('../api/schema.d.ts').Marks['marks'][]} marks by task: that of each choice
 *
 * @typedef {Object} Subject a lesson, a text with its tokens, or exercises
 * @property {string} name in addresses
 * @property {string[]} tokenizers their IDs
 * @property {LessonContents|null} lesson
 * @property {TextContents|null} encoded
 * @property {SheetContents|null} exercises
 *
 * @typedef {Object} Contents
 * @property {string} lab its name and version
 * @property {Subject[]} subjects
 * @property {HandoutTokenizer[]} tokenizers each once
 * @property {string|null} guide where the guide is, beside the page
 */
import { words } from '../lessons/words/index.js';

/** @returns {Promise<Contents>} */
export async function contents() {
  const text = textOf('handout');
  return text === null ? (await fetched('contents.json')).json() : JSON.parse(text);
}

/** The engine, which is compressed. */
export const engineModule = () => unpacked('engine');

/** The state of a tokenizer. @param {number} n */
export const tokenizerState = async n => new Uint8Array(await unpacked(`tokenizer-${n}`));

/** @param {string} id @returns {string|null} null: it is a file */
const textOf = id => document.getElementById(id)?.textContent ?? null;

/** @param {string} id of an element with packed bytes, or of a file; they are compressed */
async function unpacked(id) {
  const text = textOf(id);
  const compressed = text === null ? await (await fetched(`${id}.bin`)).blob() : new Blob([bytesOf(text)]);
  return new Response(compressed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** @param {string} file which may have changed since the browser kept it */
async function fetched(file) {
  const response = await fetch(file, { cache: 'no-cache' });
  if (!response.ok) throw new Error(words.handout.missing(file, response.status));
  return response;
}

/** Five signs for four bytes: base85 of RFC 1924, with a comma in place of `<`. */
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~';
const DIGITS = new Map(Array.from(SIGNS, (sign, digit) => [sign.charCodeAt(0), digit]));

/** What `lab_app/services/handouts/packing.py` packed. @param {string} text */
export function bytesOf(text) {
  const size = Math.floor((text.length * 4) / 5);
  const bytes = new DataView(new ArrayBuffer(size + 4));
  for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
    let number = 0;
    // What the last group lacks is the largest digit.
    for (let at = from; at < from + 5; at++) number = number * 85 + (DIGITS.get(text.charCodeAt(at)) ?? 84);
    bytes.setUint32(to, number);
  }
  return new Uint8Array(bytes.buffer, 0, size);
}
