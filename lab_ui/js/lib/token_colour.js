/**
 * What the colour of a token means, and which of the colours in css/variables.css it gets. Neighbours always differ by
 * position and in grey; by id and by length they need not, and the line between tokens says where one ends.
 */

/** Values of the switch, in its order. */
export const COLOURS = [{ value: 'position', label: 'position' }, { value: 'id', label: 'id' }, { value: 'length', label: 'length' }, { value: 'grey', label: 'grey' }];

const HUES = 8, LONGEST = [1, 2, 4, 8]; // bytes: up to here a token is of class 0, 1, 2, 3; longer ones of class 4

/** Neighbouring ids are strangers to each other, so the id is mixed before it is folded. @param {number} id */
const hueOf = id => (Math.imul(id ^ (id >>> 15), 0x9e3779b1) >>> 29) % HUES;

/** @param {number} bytes @returns {number} 0 to 4 */
function lengthClass(bytes) {
  const found = LONGEST.findIndex(longest => bytes <= longest);
  return found < 0 ? LONGEST.length : found;
}

/**
 * @param {string} mode one of COLOURS @param {import('./token_spans.js').TokenSpans} tokens
 * @returns {(token: number) => string} class of a token in css/components/token_text.css
 */
export function shadeOf(mode, tokens) {
  if (mode === 'id') return i => `i${hueOf(tokens.ids[i])}`;
  if (mode === 'length') return i => `l${lengthClass(tokens.end8[i] - tokens.start8[i])}`;
  if (mode === 'grey') return i => `y${i % 2}`;
  return i => `k${i % 4}`;
}

const VARIABLES = { k: 't', i: 'id', l: 'len', y: 'grey' };

/** The same as a CSS colour, for what is drawn elsewhere. @param {string} shade */
export const colourOf = shade => `var(--${VARIABLES[shade[0]]}${shade[1]})`;
