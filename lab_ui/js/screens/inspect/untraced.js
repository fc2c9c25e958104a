/**
 * Why the stages of a tokenizer cannot be traced; "" if they can.
 * @param {{source: string}|null|undefined} entry of the catalog @returns {string}
 */
export const untracedWords = entry =>
  entry?.source === 'plug-in'
    ? 'Not traced: only the lab’s own engine tells what its stages do, and this tokenizer is a plug-in.'
    : '';
