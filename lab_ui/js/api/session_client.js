/** The backend as the text session sees it (`Client` of `text/session_types.js`). */
import { NO_DIVERGENCES } from '../text/divergences.js';
import { OpenText, tokensWithin } from './documents.js';
import { compare, tokenize } from './encoding.js';

/** @type {import('../text/session_types.js').Client} */
export const SESSION_CLIENT = {
  open: OpenText.open,
  tokensWithin,
  /** One tokenizer alone has nothing to differ from. */
  async encodeWhole(tokenizers, text, options, signal) {
    const { ignoreSpaces, ...encodeOptions } = options;
    if (tokenizers.length > 1)
      return compare(tokenizers, text, { ...encodeOptions, ignoreSpaces: ignoreSpaces ?? false }, signal);
    const { result, tokens } = await tokenize(tokenizers[0], text, encodeOptions, signal);
    return { header: result, results: [result], tokens: [tokens], agreement: [[1]], divergences: NO_DIVERGENCES };
  },
};
