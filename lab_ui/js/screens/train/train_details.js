/**
 * The options of a training that Details offers: for which algorithms, in which ranges, and what is wrong with a value.
 * Ranges are those of `lab_app/training/options.py` and of the engine. Knows nothing of the page.
 */
import { count } from '../../util/format.js';
import { isByteLevel } from './train_words.js';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const UNIGRAM_LENGTH = 16; // characters of a token of Unigram, unless the options say otherwise

/**
 * @typedef {Object<string, any>} Options of a training, by name
 * @typedef {{value: string, label: string, option: any}} OptionChoice `option`: what the request has
 * @typedef {{least?: number, above?: number, most?: number, isWhole: boolean}} Range
 *
 * @typedef {Object} Detail
 * @property {string} name of the option
 * @property {string} label
 * @property {'number'|'list'|'flag'|'choice'} kind
 * @property {string[]} of the algorithms that have the option
 * @property {string[]} [shownFor] algorithms whose form shows the option outside of Details
 * @property {boolean} [isOfBytes] true: for vocabularies that begin with the 256 bytes alone; false: for all others
 * @property {(options: Options) => string} hint
 * @property {(options: Options) => string} [unset] what an empty field means, if the preset has no value
 * @property {Range} [range] of the kind `number`
 * @property {OptionChoice[]} [choices] of the kind `choice`
 */

const BPE = 'bpe';
const WORDPIECE = 'wordpiece';
const UNIGRAM = 'unigram';
const WORDS = 'wordlevel';
const CHARACTERS = 'character';
const ALL = [BPE, WORDPIECE, UNIGRAM, WORDS, CHARACTERS];

/** @type {OptionChoice[]} */
const NORMALIZERS = [
  { value: 'none', label: 'None', option: null },
  { value: 'NFC', label: 'NFC', option: { type: 'NFC' } },
  { value: 'NFKC', label: 'NFKC', option: { type: 'NFKC' } },
  { value: 'Lowercase', label: 'Lower case', option: { type: 'Lowercase' } },
];

/** @type {OptionChoice[]} */
const VARIANTS = [
  { value: 'words', label: 'Words', option: 'words' },
  { value: 'sentencepiece', label: 'SentencePiece', option: 'sentencepiece' },
];

/** @type {OptionChoice[]} */
const SCORES = [
  { value: 'frequency', label: 'Count', option: 'frequency' },
  { value: 'likelihood', label: 'Likelihood', option: 'likelihood' },
];

/** What a count below the minimum means, by algorithm. @type {Object<string, string>} */
const RARE = {
  [BPE]: 'A pair that occurs less often is not merged.',
  [WORDPIECE]: 'A pair that occurs less often is not merged.',
  [UNIGRAM]: 'Training starts with strings that occur this often, at least twice.',
  [WORDS]: 'A word that occurs less often is left out.',
  [CHARACTERS]: 'A character that occurs less often is left out.',
};

/** @type {Detail[]} */
export const DETAILS = [
  {
    name: 'score',
    label: 'Score of a pair',
    kind: 'choice',
    of: [WORDPIECE],
    hint: () =>
      'Count merges the most frequent pair, as Hugging Face’s tokenizers does. Likelihood divides the count by those ' +
      'of the parts, so rare pairs win: it makes about twice as many tokens of a text.',
    choices: SCORES,
  },
  {
    name: 'variant',
    label: 'Variant',
    kind: 'choice',
    of: [UNIGRAM],
    hint: () => 'Words makes 2 to 10\u202f% fewer tokens of a text. SentencePiece makes as many as that library.',
    choices: VARIANTS,
  },
  {
    name: 'min_frequency',
    label: 'Minimum count',
    kind: 'number',
    of: ALL,
    hint: ({ algorithm }) => RARE[algorithm] ?? '',
    range: { least: 0, isWhole: true },
  },
  {
    name: 'special_tokens',
    label: 'Special tokens',
    kind: 'list',
    of: ALL,
    hint: () => 'Separated by spaces. They get the first IDs.',
  },
  {
    name: 'normalizer',
    label: 'Normalizer',
    kind: 'choice',
    of: ALL,
    hint: () => 'Changes the text before it is split.',
    choices: NORMALIZERS,
  },
  {
    name: 'max_token_length',
    label: 'Longest token',
    kind: 'number',
    of: [BPE, WORDPIECE, UNIGRAM],
    hint: options => (isByteLevel(options) ? 'In bytes.' : 'In characters.'),
    unset: ({ algorithm }) => (algorithm === UNIGRAM ? String(UNIGRAM_LENGTH) : 'no limit'),
    range: { least: 1, isWhole: true },
  },
  {
    name: 'whole_characters',
    label: 'Keep characters whole',
    kind: 'flag',
    of: [BPE],
    isOfBytes: true,
    hint: () => 'No merge joins a part of a character with another character.',
  },
  {
    name: 'superwords_from',
    label: 'Superwords from',
    kind: 'number',
    of: [BPE],
    isOfBytes: true,
    hint: () => 'Tokens in the vocabulary when merges begin to join words. Nine tenths of its size is usual.',
    unset: () => 'never',
    range: { least: 0, isWhole: true },
  },
  {
    name: 'superword_words',
    label: 'Longest superword',
    kind: 'number',
    of: [BPE],
    isOfBytes: true,
    hint: () => 'In words.',
    range: { least: 2, isWhole: true },
  },
  {
    name: 'superword_digits',
    label: 'Superwords with digits',
    kind: 'flag',
    of: [BPE],
    isOfBytes: true,
    hint: () => 'Off: numbers are split into groups of up to three digits.',
  },
  {
    name: 'superword_marks',
    label: 'Superwords with sentence marks',
    kind: 'flag',
    of: [BPE],
    isOfBytes: true,
    hint: () => 'Off: no token goes over the end of a sentence.',
  },
  {
    name: 'limit_alphabet',
    label: 'Largest alphabet',
    kind: 'number',
    of: [BPE, WORDPIECE, UNIGRAM, CHARACTERS],
    isOfBytes: false,
    hint: () => 'Different characters. The rarest are left out.',
    unset: () => 'no limit',
    range: { least: 0, isWhole: true },
  },
  {
    name: 'character_coverage',
    label: 'Coverage of characters',
    kind: 'number',
    of: [BPE, WORDPIECE, UNIGRAM, CHARACTERS],
    shownFor: [UNIGRAM],
    isOfBytes: false,
    hint: () => 'Share of the text that the alphabet covers. 0.9995 leaves out the rarest characters, 1 none.',
    range: { above: 0, most: 1, isWhole: false },
  },
  {
    name: 'byte_fallback',
    label: 'Byte fallback',
    kind: 'flag',
    of: [BPE, UNIGRAM],
    shownFor: [UNIGRAM],
    isOfBytes: false,
    hint: () => 'Characters outside the alphabet become tokens of their bytes.',
  },
  {
    name: 'shrinking_factor',
    label: 'Shrinking factor',
    kind: 'number',
    of: [UNIGRAM],
    hint: () => 'Share of the tokens that each pruning keeps.',
    range: { above: 0, most: 0.999, isWhole: false },
  },
  {
    name: 'em_iterations',
    label: 'EM iterations',
    kind: 'number',
    of: [UNIGRAM],
    hint: () => 'Before each pruning.',
    range: { least: 1, most: 100, isWhole: true },
  },
];

/** Options that the form has fields for. */
const NAMES = new Set([...DETAILS.map(({ name }) => name), 'algorithm', 'vocab_size']);

/** Options without a field: those of a training that was not started with the form. @param {Options} own */
export const otherOptions = own => Object.fromEntries(Object.entries(own).filter(([name]) => !NAMES.has(name)));

/** The details that a training with these options has. @param {Options} options */
export const detailsWith = options =>
  DETAILS.filter(
    ({ of, isOfBytes = isByteLevel(options) }) => of.includes(options.algorithm) && isOfBytes === isByteLevel(options),
  );

/** The number that a text spells; any other text is returned as it is. @param {string} text @returns {number|string} */
export const numberOf = text => (NUMBER.test(text.trim()) ? Number(text) : text);

/**
 * What is wrong with a value, with what to do.
 * @param {Detail} detail @param {any} value @returns {string} empty: nothing
 */
export function detailProblem({ label, kind, range }, value) {
  if (kind === 'list') {
    const twice = value.find((/** @type {string} */ token, /** @type {number} */ n) => value.indexOf(token) !== n);
    return twice === undefined ? '' : `“${twice}” is given twice. Remove one of them.`;
  }
  if (kind !== 'number' || !range) return '';
  if (typeof value !== 'number') return `“${value}” is not a number. ${rangeWords(range)}`;
  const { least = -Infinity, above = -Infinity, most = Number.MAX_SAFE_INTEGER, isWhole } = range;
  if (value >= least && value > above && value <= most && (!isWhole || Number.isInteger(value))) return '';
  const isTooLarge = range.most === undefined && value > most;
  return `${label} cannot be ${value}. ${isTooLarge ? `Write at most ${count(most)}.` : rangeWords(range)}`;
}

/** @param {Range} range */
function rangeWords({ least, above, most, isWhole }) {
  const number = isWhole ? 'a whole number' : 'a number';
  if (above !== undefined) return `Write ${number} above ${above} and at most ${most}.`;
  return most === undefined ? `Write ${number}, ${least} or more.` : `Write ${number} from ${least} to ${most}.`;
}
