/**
 * A view as an address inside the lab: `#/compare?t=gpt2&t=cl100k_base&specials=text`. What stands at its usual value
 * is left out; a text is a part of it where it is short. Knows nothing of the page.
 */

/** UTF-16 units; an address is something to paste into a message. */
export const LONGEST_TEXT = 2000;
const LONE_SURROGATE = /\p{Surrogate}/u; // in Unicode mode only halves of characters match
const SWITCHES = {
  addSpecialTokens: 'add',
  ignoreSpaces: 'spaces',
  showIds: 'ids',
  showWhiteSpace: 'glyphs',
  showCuts: 'cuts',
  showChanges: 'changes',
};
const WORDS = {
  active: 'active',
  baseline: 'baseline',
  specials: 'specials',
  inspectView: 'view',
  compareView: 'compare',
  colourBy: 'colour',
};
const NUMBERS = { cutEvery: 'every' };

/** Names of the values that an address with tokenizers says, the usual ones by leaving them out. */
export const LINKED = ['hidden', ...Object.keys(WORDS), ...Object.keys(SWITCHES), ...Object.keys(NUMBERS)];

/**
 * @param {Object} state a LabState @param {string} screen @param {Object} usual values that need no saying
 * @param {string|null} [text] null leaves it out
 * @returns {string} the address, from `#` on
 */
export function permalink(state, screen, usual, text = null) {
  const query = new URLSearchParams();
  for (const id of state.chosen) query.append('t', id);
  for (const id of state.hidden) query.append('off', id);
  for (const [name, key] of Object.entries(WORDS)) {
    if (state[name] !== usual[name] && state[name] !== null && state[name] !== state.chosen[0])
      query.set(key, state[name]);
  }
  for (const [name, key] of Object.entries(SWITCHES))
    if (state[name] !== usual[name]) query.set(key, state[name] ? '1' : '0');
  for (const [name, key] of Object.entries(NUMBERS))
    if (state[name] !== usual[name]) query.set(key, String(state[name]));
  if (text !== null && text.length <= LONGEST_TEXT && !LONE_SURROGATE.test(text)) query.set('text', text);
  const words = query.toString();
  return `#/${screen}${words ? `?${words}` : ''}`;
}

/**
 * @param {string} hash of an address
 * @returns {{screen: string, values: Object|null, text: string|null}} `values`: null where the address names none
 */
export function readPermalink(hash) {
  const [screen, words = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(words);
  if (![...query.keys()].length) return { screen, values: null, text: null };
  /** @type {Object<string, any>} */
  const values = {};
  const chosen = query.getAll('t');
  if (chosen.length) values.chosen = [...new Set(chosen)].slice(0, 8);
  if (query.has('off')) values.hidden = [...new Set(query.getAll('off'))];
  for (const [name, key] of Object.entries(WORDS)) if (query.has(key)) values[name] = query.get(key);
  for (const [name, key] of Object.entries(SWITCHES))
    if (['0', '1'].includes(query.get(key))) values[name] = query.get(key) === '1';
  for (const [name, key] of Object.entries(NUMBERS)) if (query.has(key)) values[name] = Number(query.get(key));
  return { screen, values, text: query.get('text') };
}
