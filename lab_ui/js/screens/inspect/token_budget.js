/**
 * How much of a context window a text takes and what it costs, from figures that the user typed: none is known here.
 */

const MOST = 1e12;

/** @param {string} typed "8192", "128 000" @returns {number|null} tokens; null: no whole number of at least 1 */
export function contextSize(typed) {
  const digits = typed.replace(/[\s_]/g, '');
  if (!/^\d{1,13}$/.test(digits)) return null;
  const size = Number(digits);
  return size >= 1 && size <= MOST ? size : null;
}

/**
 * A price in any currency: one number with what stands around it.
 * @param {string} typed "$2.50", "2,5 €"
 * @returns {{amount: number, before: string, after: string}|null} null: no number, several, or one that can be read two
 *   ways ("1,500")
 */
export function priceOf(typed) {
  const found = /^([^\d]*?)(\d+(?:[.,]\d+)?)([^\d]*)$/u.exec(typed.trim());
  if (!found || /-|−/.test(found[1]) || /^[1-9]\d{0,2}[.,]\d{3}$/.test(found[2])) return null;
  const amount = Number(found[2].replace(',', '.'));
  return Number.isFinite(amount) ? { amount, before: found[1], after: found[3] } : null;
}

/**
 * "$0.000313"
 * @param {{amount: number, before: string, after: string}} price per million tokens
 * @param {number} tokens
 */
export function costWords({ amount, before, after }, tokens) {
  const cost = (amount * tokens) / 1e6;
  const format = { maximumFractionDigits: 15, useGrouping: false };
  return `${before}${cost ? Number(cost.toPrecision(3)).toLocaleString('en', format) : '0'}${after}`;
}
