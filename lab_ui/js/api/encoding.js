/** Encode, decode and compare. Bulk answers come as typed arrays. */
import { Divergences } from '../text/divergences.js';
import { TokenSpans } from '../text/token_spans.js';
import { request } from './client.js';
/** @import {ComparisonHead} from './schema.d.ts' */

/**
 * @typedef {import('./schema.d.ts').EncodingSummary} Result
 * @typedef {{addSpecialTokens: boolean, specials: import('./types.js').Specials}} EncodeOptions
 */

/**
 * @param {string} tokenizer @param {string} text @param {EncodeOptions} options @param {AbortSignal} signal
 * @returns {Promise<{result: Result, tokens: TokenSpans}>}
 */
export async function tokenize(tokenizer, text, { addSpecialTokens, specials }, signal) {
  /** @type {import('./types.js').Frame<Result>} */
  const { header, arrays } = await request('POST', 'tokenize', {
    json: { tokenizer, text, add_special_tokens: addSpecialTokens, specials },
    signal,
    frame: true,
  });
  return { result: header, tokens: new TokenSpans(arrays) };
}

/**
 * @param {string[]} tokenizers 2 to 8
 * @param {string} text
 * @param {EncodeOptions & {ignoreSpaces: boolean}} options
 * @param {AbortSignal} signal
 * @returns {Promise<{results: Result[], tokens: TokenSpans[], agreement: number[][], divergences: Divergences, header:
 *   ComparisonHead}>}
 */
export async function compare(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
  const json = { tokenizers, text, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
  /** @type {import('./types.js').Frame<ComparisonHead>} */
  const { header, arrays } = await request('POST', 'compare', { json, signal, frame: true });
  return {
    header,
    results: header.tokenizers,
    agreement: header.agreement,
    tokens: tokenizers.map((_, n) => new TokenSpans(arrays, `${n}/`)),
    divergences: new Divergences(arrays, header.divergence_kinds, tokenizers.length),
  };
}

/**
 * @param {string} tokenizer @param {number[]} ids @param {AbortSignal} signal
 * @returns {Promise<{tokenizer: string, text: string|null, bytes: string}>} `text` null: the bytes are not UTF-8
 */
export const decode = (tokenizer, ids, signal) =>
  request('POST', 'decode', { json: { tokenizer, ids, skip_special_tokens: false }, signal });
