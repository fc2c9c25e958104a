/** Encode, decode and compare. Bulk answers come as typed arrays. */
import { TokenSpans } from '../lib/token_spans.js';
import { request } from './client.js';

/**
 * @typedef {{addSpecialTokens: boolean, specials: 'parse'|'text'|'reject'}} EncodeOptions
 */

/**
 * @param {string} tokenizer @param {string} text @param {EncodeOptions} options @param {AbortSignal} signal
 * @returns {Promise<{result: Object, tokens: TokenSpans}>} `result`: RESULT without ids and tokens
 */
export async function tokenize(tokenizer, text, { addSpecialTokens, specials }, signal) {
  const { header, arrays } = await request('POST', 'tokenize', { json: { tokenizer, text, add_special_tokens: addSpecialTokens, specials }, signal, frame: true });
  return { result: header, tokens: new TokenSpans(arrays) };
}

/**
 * @param {string[]} tokenizers 2 to 8 @param {string} text @param {EncodeOptions & {ignoreSpaces: boolean}} options @param {AbortSignal} signal
 * @returns {Promise<{results: Object[], tokens: TokenSpans[], agreement: number[][], divergences: Divergences, header: Object}>}
 */
export async function compare(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
  const json = { tokenizers, text, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
  const { header, arrays } = await request('POST', 'compare', { json, signal, frame: true });
  return {
    header, results: header.tokenizers, agreement: header.agreement,
    tokens: tokenizers.map((_, n) => new TokenSpans(arrays, `${n}/`)),
    divergences: new Divergences(arrays, header.divergence_kinds, tokenizers.length),
  };
}

/** @returns {Promise<{text: string|null, bytes: string}>} */
export const decode = (tokenizer, ids, signal) => request('POST', 'decode', { json: { tokenizer, ids, skip_special_tokens: false }, signal });

/** The stretches on which tokenizers differ, in the order of the text. */
export class Divergences {
  #counts; #columns;

  constructor(arrays, kinds, columns) {
    this.kinds = kinds;
    this.start8 = arrays['divergences/start_utf8'];
    this.end8 = arrays['divergences/end_utf8'];
    this.start16 = arrays['divergences/start_utf16'];
    this.end16 = arrays['divergences/end_utf16'];
    this.kind = arrays['divergences/kind'];
    this.#counts = arrays['divergences/counts'];
    this.#columns = columns;
  }

  get length() { return this.start16.length; }

  /** @param {number} n @param {number} column number of the tokenizer @returns {number} its tokens on that stretch */
  count(n, column) { return this.#counts[n * this.#columns + column]; }

  /** @returns {boolean} whether [from, to) in UTF-16 touches a divergence */
  touches(from, to) {
    const n = this.firstEndingAfter(from);
    return n < this.length && this.start16[n] < to;
  }

  /** @param {number} pos UTF-16 @returns {number} number of the first that ends after it */
  firstEndingAfter(pos) {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end16[middle] > pos) high = middle; else low = middle + 1;
    }
    return low;
  }
}
