/** Encode, decode and compare. Bulk answers come as typed arrays. */
import { Divergences } from '../text/divergences.js';
import { TokenSpans } from '../text/token_spans.js';
import { request } from './client.js';

/**
 * @typedef {{addSpecialTokens: boolean, specials: 'parse'|'text'|'reject'}} EncodeOptions
 */

/**
 * @param {string} tokenizer @param {string} text @param {EncodeOptions} options @param {AbortSignal} signal
 * @returns {Promise<{result: Object, tokens: TokenSpans}>} `result`: RESULT without ids and tokens
 */
export async function tokenize(tokenizer, text, { addSpecialTokens, specials }, signal) {
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
 * @returns {Promise<{results: Object[], tokens: TokenSpans[], agreement: number[][], divergences: Divergences, header:
 *   Object}>}
 */
export async function compare(tokenizers, text, { addSpecialTokens, specials, ignoreSpaces }, signal) {
  const json = { tokenizers, text, add_special_tokens: addSpecialTokens, specials, ignore_spaces: ignoreSpaces };
  const { header, arrays } = await request('POST', 'compare', { json, signal, frame: true });
  return {
    header,
    results: header.tokenizers,
    agreement: header.agreement,
    tokens: tokenizers.map((_, n) => new TokenSpans(arrays, `${n}/`)),
    divergences: new Divergences(arrays, header.divergence_kinds, tokenizers.length),
  };
}

/** @returns {Promise<{text: string|null, bytes: string}>} */
export const decode = (tokenizer, ids, signal) =>
  request('POST', 'decode', { json: { tokenizer, ids, skip_special_tokens: false }, signal });
