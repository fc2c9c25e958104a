/**
 * Why the stages of a tokenizer cannot be traced; "" if they can.
 * @param {{source: string}|null|undefined} entry of the catalog @returns {string}
 */
export const untracedWords = entry =>
  entry?.source === 'plug-in' ? 'Not available for plug-ins: only the lab’s engine can trace its stages.' : '';
