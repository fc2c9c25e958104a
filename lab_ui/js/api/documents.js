/**
 * A text that the backend keeps, so that an edit sends only itself and brings only what it changed. What is held here
 * is always that of one version of the text: the one last answered.
 */
import { Divergences } from '../text/divergences.js';
import { Breath } from '../util/breath.js';
import { unpack, unpackLong } from '../text/packed_tokens.js';
import { TokenSpans } from '../text/token_spans.js';
import { longBody, request } from './client.js';
import { EditLine } from './edit_line.js';

/**
 * @typedef {{addSpecialTokens: boolean, specials: string, ignoreSpaces: boolean|null}} Options `ignoreSpaces` null:
 *   nothing is compared
 *
 * The tokens that a text has around a place, before the whole is encoded.
 * @param {string[]} tokenizers
 * @param {import('../text/text_slice.js').TextSlice} text
 * @param {{from: number, to: number}} range of it, UTF-16
 * @param {Options} options @param {AbortSignal} signal
 * @returns {Promise<{tokens: TokenSpans[], divergences: Divergences|null}|null>} `known` of the tokens is what they are
 *   of; null: nothing can be told
 */
export async function tokensWithin(tokenizers, text, range, { addSpecialTokens, specials, ignoreSpaces }, signal) {
  const from = text.betweenCharacters(range.from);
  const to = text.betweenCharacters(range.to);
  const json = {
    tokenizers,
    text: text.slice(from, to),
    starts: from === 0,
    ends: to === text.length,
    add_special_tokens: addSpecialTokens,
    specials,
    ignore_spaces: ignoreSpaces,
  };
  const asked = request('POST', 'documents/excerpt', { json, signal, frame: true });
  const base = { utf8: text.bytesBefore(from), utf16: from };
  const { header, arrays } = await asked;
  if (!header.known_utf16) return null;
  const known = { from: header.known_utf16[0] + from, to: header.known_utf16[1] + from };
  const tokens = tokenizers.map((_, n) => Object.assign(new TokenSpans(unpack(arrays, `${n}/`, base)), { known }));
  return {
    tokens,
    divergences: header.divergence_kinds
      ? new Divergences(arrays, header.divergence_kinds, tokenizers.length, base)
      : null,
  };
}

export class OpenText {
  #id;
  #version;
  #results;
  #line;

  /**
   * @param {string[]} tokenizers @param {import('../text/text_slice.js').TextSlice} text @param {Options} options
   * @param {AbortSignal} signal @returns {Promise<OpenText>}
   */
  static async open(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
    const fields = { tokenizers, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
    const body = await longBody(fields, text, new Breath(), signal);
    const { header, arrays } = await request('POST', 'documents', { body, signal, frame: true });
    try {
      const breath = new Breath();
      const tokens = [];
      for (const n of tokenizers.keys()) tokens.push(new TokenSpans(await unpackLong(arrays, `${n}/`, breath, signal)));
      return new OpenText(header, arrays, tokens);
    } catch (error) {
      forget(header.document);
      throw error;
    }
  }

  /** @param {Object} header @param {Object} arrays @param {TokenSpans[]} tokens */
  constructor(header, arrays, tokens) {
    this.#id = header.document;
    this.tokens = tokens;
    this.divergences = header.divergence_kinds
      ? new Divergences(arrays, header.divergence_kinds, header.tokenizers.length)
      : null;
    this.#line = new EditLine(this.#edits);
    this.#take(header);
  }

  get #edits() {
    return `documents/${this.#id}/edits`;
  }

  /** What `tokenize` and `compare` give beside tokens. */
  get header() {
    return this.#results;
  }
  get results() {
    return this.#results.tokenizers;
  }
  get agreement() {
    return this.#results.agreement;
  }

  /**
   * @param {{from: number, to: number, insert: string}} change UTF-16
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  async edit({ from, to, insert }, signal) {
    const json = { version: this.#version, start_utf16: from, end_utf16: to, text: insert };
    const { header, arrays } = await (this.#line.open
      ? this.#line.send(json, signal)
      : request('POST', this.#edits, { json, signal, frame: true }));
    const shifts = { shift8: header.shift_utf8, shift16: header.shift_utf16 };
    header.tokenizers.forEach((change, n) => this.tokens[n].splice(change, unpack(arrays, `${n}/`), '', shifts));
    if (header.compared_utf16) this.divergences.splice(header.compared_utf16, arrays, shifts);
    this.#take(header);
  }

  /**
   * Whether decoding gives the text back, per tokenizer.
   * @returns {Promise<boolean[]|null>} null: the text was edited meanwhile
   */
  async roundTrip() {
    const { version, round_trip: exact } = await request('GET', `documents/${this.#id}/round_trip`);
    return version === this.#version ? exact : null;
  }

  /** Lets the backend forget it. */
  close() {
    this.#line.close();
    forget(this.#id);
  }

  #take(header) {
    this.#version = header.version;
    this.#results = header;
  }
}

const forget = id => {
  request('DELETE', `documents/${id}`).catch(() => {});
};
