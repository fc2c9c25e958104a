/**
 * Formats the figures of one tokenizer on one text. The counts and ratios are those of RESULT.
 * `lab_app/analysis/figures.py` defines them and formats them alike; `tests/golden/figures.json` has the cases that
 * both pass.
 */
import { count, percent } from '../util/format.js';

/** @typedef {import('../api/schema.d.ts').EncodingSummary} Result */

const FEW_TOKENS = 20; // a count below this is compared without a percentage
/** Share of unknown tokens above which compression looks better than it is. */
export const MUCH_UNKNOWN = 0.05;

/**
 * Counts the tokens that do not stand for the text: added special tokens and padding.
 * @param {Result} result
 * @returns {number|null} null: not known
 */
export const addedCount = result => (result.text_token_count === null ? null : result.count - result.text_token_count);

/** Counts the tokens of the text, or all tokens if a plug-in does not distinguish them. @param {Result} result */
export const ownCount = result => result.text_token_count ?? result.count;

/** "106 + 2": tokens of the text, and those added around it. @param {Result} result */
export function tokenWords(result) {
  const added = addedCount(result);
  return `${count(ownCount(result))}${added ? ` + ${count(added)}` : ''}`;
}

/** "106 + 2 tokens", "1 token" @param {Result} result */
export const tokensWords = result => `${tokenWords(result)} ${tokenWords(result) === '1' ? 'token' : 'tokens'}`;

/** "15 unknown (15 %)", or "" if there are none. @param {Result} result */
export function unknownWords({ unknown_count: unknown, unknown_rate: rate }) {
  return unknown ? `${count(unknown)} unknown${rate === null ? '' : ` (${shareWords(rate)})`}` : '';
}

/**
 * "+21 (+20 %)", "±0": how far a count of tokens of the text is from another tokenizer's. A dash if either is not known
 * or both are 0. @param {number|null|undefined} n @param {number|null|undefined} base
 */
export function difference(n, base) {
  if (n === null || n === undefined || base === null || base === undefined || !(n || base)) return '–';
  if (n === base) return '±0';
  const sign = n > base ? '+' : '−';
  const off = Math.abs(n - base);
  const share = shareWords(off / base);
  return `${sign}${count(off)}${base < FEW_TOKENS ? '' : ` (${share.startsWith('<') ? share : sign + share})`}`;
}

/** Formats a share; one that is not 0 is never written as 0. @param {number} share */
const shareWords = share => (share > 0 && share < 0.005 ? `<${percent(0.01)}` : percent(share));
