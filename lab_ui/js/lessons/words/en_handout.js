/** The sentences of a handout. */
import { count, plural } from '../../util/format.js';

export const HANDOUT = {
  item: 'Handout (HTML)',
  folderItem: 'Handout for a web server (ZIP)',
  none: 'There is no lesson on the screen to make a handout of.',
  text: 'Text',
  ways: 'How to go through it',
  watch: 'Watch',
  doIt: 'Do it',
  /** @param {string} name */
  tokens: name => `Tokens of ${name}`,
  /** @param {number} n */
  count: n => plural(n, 'token'),
  /** @param {number} n */
  more: n => `${plural(n, 'more token')} not shown`,
  choose: 'Choose a token to see its ID, bytes and place.',
  id: 'ID',
  bytes: 'Bytes',
  place: 'Bytes of the text',
  special: 'Special token',
  added: 'added to the text',
  partial: 'part of a character',
  welcome: 'Lessons and texts that work in this page alone: choose one, and change its text.',
  guide: 'The guide of the lab',
  all: 'All lessons and texts',
  /** @param {string} file @param {number} status */
  missing: (file, status) =>
    `The part ${file} of this page is not on its server (status ${status}). Load the page again.`,
  starting: 'Starting the engine of this page.',
  failed: 'This page cannot start',
  refused: 'No answer for this text',
  old: 'This browser lacks what the page needs: WebAssembly and DecompressionStream. Open it in a newer one.',
  /** @param {{name: string}} tokenizer */
  whole: ({ name }) => `The whole vocabulary of ${name} is in this page, so no character is refused.`,
  /** @param {{name: string, kept: number, of: number}} tokenizer @param {string} characters */
  part: ({ name, kept, of }, characters) =>
    `This page has ${count(kept)} of the ${count(of)} tokens of ${name}, ` +
    `all that a text of these characters needs: ${characters}. It refuses other characters.`,
  renumbered: 'Ranks of merges are counted among these tokens, so they are lower than in the whole vocabulary.',
  /** @param {string[]} scripts @param {string} others */
  characters: (scripts, others) => [...scripts, ...(others ? [`the characters ${others}`] : [])].join(', '),
  /** @param {{name: string, licence: string|null}} tokenizer */
  licence: ({ name, licence }) => `Licence of ${name}: ${licence ?? 'not known to the lab'}.`,
  notice: 'Text of the licence',
  /** @param {string} lab */
  made: lab => `Made with ${lab}. It asks no other server.`,
};
