/** The words of Place the boundaries, as those of lessons (`en.js`). */
import { plural } from '../../util/format.js';

export const PLACE = {
  /** @param {string} tokenizer '': not said */
  task: tokenizer => `Press between two letters where a token ${tokenizer && `of ${tokenizer} `}ends.`,
  closed: 'the tokens: not shown yet',
  taskRevealed: 'Above is your guess, below are the tokens.',
  /** @param {string} tokenizer '': not said */
  count: tokenizer => `How many tokens has this text${tokenizer && ` with ${tokenizer}`}?`,
  /** @param {number} n */
  counted: n => `It has ${plural(n, 'token')}.`,
  reveal: 'Reveal',
  again: 'Try again',
  noReason: 'no reason found.',
  leftOut: 'only the first 100 have a reason.',
  marks: { missing: 'Missing:', extra: 'Too many:' },
  /** @param {string} letter @param {boolean} isSet */
  press: (letter, isSet) => `${isSet ? 'No boundary' : 'Boundary'} after ${letter}`,
  /** @param {string} letter @param {number} n */
  inside: (letter, n) =>
    n === 1
      ? `${letter}: this boundary lies inside a letter: nobody can see it, so it does not count.`
      : `${letter}: these ${n} boundaries lie inside a letter: nobody can see them, so they do not count.`,
  /** @param {number} n */
  placed: n => (n ? `${plural(n, 'boundary', 'boundaries')} placed.` : 'Nothing is placed yet.'),
  /** @param {{found: number, missing: number, extra: number, f1: number|null, inside_letters: number}} marks */
  score: ({ found, missing, extra, f1, inside_letters: inside }) =>
    `${found} of ${found + missing + extra} right: ${missing} missing, ${extra} too many.` +
    `${f1 === null ? '' : ` F1 is ${f1.toFixed(2)} (1 is perfect).`} A boundary counts where it is exact.` +
    (inside
      ? ` ${inside} more ${inside === 1 ? 'lies inside a letter and does' : 'lie inside a letter and do'} not count.`
      : ''),
};
