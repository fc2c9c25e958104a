/**
 * A text that the backend keeps, so that an edit sends only itself and brings only what it changed. What is held here is
 * always that of one version of the text: the one last answered.
 */
import { Divergences } from '../lib/divergences.js';
import { unpack } from '../lib/packed_tokens.js';
import { TokenSpans } from '../lib/token_spans.js';
import { request } from './client.js';
import { EditLine } from './edit_line.js';

export class OpenText {
  #id; #version; #results; #line;

  /**
   * @param {string[]} tokenizers @param {string} text
   * @param {{addSpecialTokens: boolean, specials: string, ignoreSpaces: boolean|null}} options `ignoreSpaces` null: nothing is compared
   * @param {AbortSignal} signal @returns {Promise<OpenText>}
   */
  static async open(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
    const json = { tokenizers, text, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
    const { header, arrays } = await request('POST', 'documents', { json, signal, frame: true });
    return new OpenText(header, arrays);
  }

  constructor(header, arrays) {
    this.#id = header.document;
    /** @type {TokenSpans[]} */
    this.tokens = header.tokenizers.map((_, n) => new TokenSpans(unpack(arrays, `${n}/`)));
    this.divergences = header.divergence_kinds ? new Divergences(arrays, header.divergence_kinds, header.tokenizers.length) : null;
    this.#line = new EditLine(this.#edits);
    this.#take(header);
  }

  get #edits() { return `documents/${this.#id}/edits`; }

  /** What `tokenize` and `compare` give beside tokens. */
  get header() { return this.#results; }
  get results() { return this.#results.tokenizers; }
  get agreement() { return this.#results.agreement; }

  /** @param {{from: number, to: number, insert: string}} change UTF-16 @param {AbortSignal} signal @returns {Promise<void>} */
  async edit({ from, to, insert }, signal) {
    const json = { version: this.#version, start_utf16: from, end_utf16: to, text: insert };
    const { header, arrays } = await (this.#line.open ? this.#line.send(json, signal) : request('POST', this.#edits, { json, signal, frame: true }));
    const shifts = { shift8: header.shift_utf8, shift16: header.shift_utf16 };
    header.tokenizers.forEach((change, n) => this.tokens[n].splice(change, unpack(arrays, `${n}/`), '', shifts));
    if (header.compared_utf16) this.divergences.splice(header.compared_utf16, arrays, shifts);
    this.#take(header);
  }

  /** Whether decoding gives the text back, per tokenizer. @returns {Promise<boolean[]|null>} null: the text was edited meanwhile */
  async roundTrip() {
    const { version, round_trip: exact } = await request('GET', `documents/${this.#id}/round_trip`);
    return version === this.#version ? exact : null;
  }

  /** Lets the backend forget it. */
  close() {
    this.#line.close();
    request('DELETE', `documents/${this.#id}`).catch(() => {});
  }

  #take(header) {
    this.#version = header.version;
    this.#results = header;
  }
}
