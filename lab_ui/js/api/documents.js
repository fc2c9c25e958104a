/**
 * A text that the backend keeps open, so that an edit sends and returns only the difference. All that is held here
 * belongs to one version of the text: that of the last answer.
 */
import { Divergences } from '../text/divergences.js';
import { Yielder } from '../util/yielder.js';
import { unpack, unpackLong } from '../text/packed_tokens.js';
import { TokenSpans } from '../text/token_spans.js';
import { longBody, request } from './client.js';
import { EditLine } from './edit_line.js';
/** @import {EditHead, ExcerptHead, OpenedHead} from './schema.d.ts' */

/**
 * @typedef {import('./types.js').Arrays} Arrays
 * @typedef {import('./schema.d.ts').EncodingSummary} Result
 * @typedef {import('./types.js').Span} Span
 * @typedef {import('../text/text_slice.js').TextSlice} TextSlice
 * @typedef {{addSpecialTokens: boolean, specials: import('./types.js').Specials, ignoreSpaces: boolean|null}} Options
 *   `ignoreSpaces` null: nothing is compared
 *
 * @typedef {{version: number, text_bytes: number, text_characters: number, agreement: number[][]|null,
 *   divergence_kinds: string[]|null}} DocumentFacts null: nothing is compared
 */

/**
 * Encodes the part of a long text around a range, before the whole is encoded.
 * @param {string[]} tokenizers
 * @param {TextSlice} text
 * @param {{from: number, to: number}} range of it, UTF-16
 * @param {Options} options @param {AbortSignal} signal
 * @returns {Promise<{tokens: TokenSpans[], divergences: Divergences|null}|null>} `known` of the tokens is the part they
 *   belong to; null: the tokens of an excerpt cannot be known
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
  /** @type {Promise<import('./types.js').Frame<ExcerptHead>>} */
  const answer = request('POST', 'documents/excerpt', { json, signal, frame: true });
  const base = { utf8: text.bytesBefore(from), utf16: from };
  const { header, arrays } = await answer;
  if (header.known_utf16 === null) return null;
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
  /** @type {OpenedHead|EditHead} */
  #header;
  /** @type {EditLine<EditHead>} */
  #line;

  /**
   * @param {string[]} tokenizers @param {TextSlice} text @param {Options} options
   * @param {AbortSignal} signal @returns {Promise<OpenText>}
   */
  static async open(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
    const fields = { tokenizers, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
    const body = await longBody(fields, text, new Yielder(), signal);
    /** @type {import('./types.js').Frame<OpenedHead>} */
    const { header, arrays } = await request('POST', 'documents', { body, signal, frame: true });
    try {
      const yielder = new Yielder();
      const tokens = [];
      for (const n of tokenizers.keys())
        tokens.push(new TokenSpans(await unpackLong(arrays, `${n}/`, yielder, signal)));
      return new OpenText(header, arrays, tokens);
    } catch (error) {
      forget(header.document);
      throw error;
    }
  }

  /** @param {OpenedHead} header @param {Arrays} arrays @param {TokenSpans[]} tokens */
  constructor(header, arrays, tokens) {
    this.#id = header.document;
    this.tokens = tokens;
    this.divergences = header.divergence_kinds
      ? new Divergences(arrays, header.divergence_kinds, header.tokenizers.length)
      : null;
    this.#line = new EditLine(this.#edits);
    this.#header = header;
  }

  get #edits() {
    return `documents/${this.#id}/edits`;
  }

  /** The answer of the backend without the tokens. */
  get header() {
    return this.#header;
  }
  get results() {
    return this.#header.tokenizers;
  }
  get agreement() {
    return this.#header.agreement;
  }

  /**
   * @param {{from: number, to: number, insert: string}} change UTF-16
   * @param {AbortSignal} signal
   * @returns {Promise<() => void>} makes the tokens those of the edited text, in place
   */
  async edit({ from, to, insert }, signal) {
    const json = { version: this.#header.version, start_utf16: from, end_utf16: to, text: insert };
    /** @type {import('./types.js').Frame<EditHead>} */
    const { header, arrays } = await (this.#line.open
      ? this.#line.send(json, signal)
      : request('POST', this.#edits, { json, signal, frame: true }));
    return () => this.#splice(header, arrays);
  }

  /** @param {EditHead} header @param {import('./types.js').Arrays} arrays */
  #splice(header, arrays) {
    const shifts = { shift8: header.shift_utf8, shift16: header.shift_utf16 };
    header.tokenizers.forEach((change, n) => this.tokens[n].splice(change, unpack(arrays, `${n}/`), '', shifts));
    if (header.compared_utf16) this.divergences?.splice(header.compared_utf16, arrays, shifts);
    this.#header = header;
  }

  /**
   * Checks whether decoding returns exactly the text, per tokenizer.
   * @returns {Promise<boolean[]|null>} null: the text was edited meanwhile
   */
  async roundTrip() {
    /** @type {{version: number, round_trip: boolean[]}} */
    const { version, round_trip: exact } = await request('GET', `documents/${this.#id}/round_trip`);
    return version === this.#header.version ? exact : null;
  }

  /** Closes it in the backend, too. */
  close() {
    this.#line.close();
    forget(this.#id);
  }
}

/** @param {string} id */
const forget = id => {
  request('DELETE', `documents/${id}`).catch(() => {});
};
