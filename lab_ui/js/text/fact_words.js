/** The figures of one text under one tokenizer, in words: what Inspect shows over the text. */
import { addedCount, ownCount } from './figures.js';
import { count, percent, plural, ratio } from '../util/format.js';

const PRESS = 'Press to go to the next one.';

/** @typedef {import('../api/schema.d.ts').EncodingSummary} Result */
/** @typedef {{number: string, label: string, tip: string}} FactWords */

/**
 * Returns each figure with its label and meaning.
 * @param {Result} result
 * @param {number|null|undefined} words of the text; null: its script has none between spaces, undefined: not counted
 * @returns {{tokens: FactWords, added: FactWords|null, density: FactWords, split: FactWords|null, unknown:
 *   FactWords|null}} null: does not occur
 */
export function factWords(result, words) {
  const { unknown_count: unknown, unknown_rate: rate, split_character_count: split } = result;
  const own = ownCount(result);
  const added = addedCount(result);
  return {
    tokens: {
      number: count(own),
      label: own === 1 ? 'token' : 'tokens',
      tip: added ? 'Tokens of the text. Special tokens that are added around it do not count.' : 'Tokens of the text.',
    },
    added: added
      ? {
          number: `+ ${count(added)}`,
          label: 'added',
          tip: `${plural(added, 'special token')} added around the text. ${PRESS}`,
        }
      : null,
    density: {
      number: ratio(result.characters_per_token),
      label: 'characters per token',
      tip: densityTip(result, words),
    },
    split: split
      ? {
          number: count(split),
          label: split === 1 ? 'character split' : 'characters split',
          tip:
            (split === 1 ? 'One character has its' : `${count(split)} characters have their`) +
            ` bytes in several tokens. ${PRESS}`,
        }
      : null,
    unknown: unknown
      ? {
          number: count(unknown),
          label: 'unknown',
          tip:
            `${plural(unknown, 'token')} ${unknown === 1 ? 'replaces' : 'replace'} text that is not in the vocabulary` +
            `${rate === null ? '' : `: ${percent(rate, rate < 0.1 ? 1 : 0)} of all`}. ${PRESS}`,
        }
      : null,
  };
}

/** @param {Result} result @param {number|null|undefined} words */
function densityTip(result, words) {
  const perWord =
    words === undefined
      ? ''
      : words
        ? ` ${ratio((result.text_token_count ?? result.count) / words)} tokens per word; words are separated by spaces.`
        : words === null
          ? ' Tokens per word are not measured: this script puts no space between words.'
          : '';
  return `Characters of the text per token. ${ratio(result.bytes_per_token)} bytes per token.${perWord}`;
}
