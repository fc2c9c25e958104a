/** The words and figures of a training. Knows nothing of the page. */
import { isLive } from '../../app/training_states.js';
import {
  asSentence,
  count,
  DASH,
  durationOfSeconds,
  percent,
  plural,
  ratio,
  shareOf,
  size,
  THIN_SPACE,
} from '../../util/format.js';

const MINUTE_S = 60;
const LONG_S = 10;
const SMALL_SCORE = 1e-4;
const MOST_WORD_BYTES = 4096; // longer words are split when they are counted
const MOST_FILES = 100; // that the backend lists
const FLATTERED = 0.05; // share of unknown tokens above which compression looks better than it is
const RESUME = 'Resume continues from the last checkpoint.';
const NO_CHECKPOINT = 'It has no checkpoint and cannot be resumed.';

/**
 * @typedef {import('../../api/trainings.js').Training} Training
 * @typedef {import('../../api/schema.d.ts').StageState} TrainingStage
 * @typedef {import('../../api/schema.d.ts').TrainingReference} CurveReference
 * @typedef {{figure: string, words: string, title?: string}} Fact
 */

/** @type {Object<string, string|undefined>} */
const ALGORITHMS = {
  bpe: 'BPE',
  wordpiece: 'WordPiece',
  unigram: 'Unigram',
  wordlevel: 'Whole words',
  character: 'Characters',
};

/** "BPE" @param {string|undefined} algorithm */
export const algorithmWords = algorithm => ALGORITHMS[algorithm ?? ''] ?? algorithm ?? DASH;

/**
 * "< 1 s", "12 s", "2 min 10 s", "56 min", "3 h 5 min": time that is left is never exact.
 * @param {number|null|undefined} seconds
 */
export function leftWords(seconds) {
  if (seconds === null || seconds === undefined) return DASH;
  if (seconds < 1) return `< 1${THIN_SPACE}s`;
  if (Math.round(seconds) < MINUTE_S) return `${Math.round(seconds)}${THIN_SPACE}s`;
  const step = seconds < 10 * MINUTE_S ? LONG_S : MINUTE_S;
  return durationOfSeconds(step * Math.round(seconds / step)).replace(/(min|h) 0\s(s|min)$/, '$1');
}

/** The largest figure: how many merges, iterations or tokens. @param {Training} training @returns {Fact} */
export function mainFact(training) {
  const { done, total, unit: known, options } = training;
  const unit = known ?? stepWords(options.algorithm);
  const isOpen = isLive(training);
  const figure = count(done);
  if (total === null || (!isOpen && done === total)) return { figure, words: unit };
  return { figure, words: `of ${count(total)} ${unit}` };
}

/** The other figures. @param {Training} training @returns {Fact[]} */
export function factsOf(training) {
  const { vocab_size: vocab, held_out: heldOut, left_s: left, elapsed_s: elapsed, state, options } = training;
  const isRunning = state === 'running';
  /** @type {Fact[]} */
  const facts = [
    { figure: count(vocab), words: vocab === 1 ? 'token in the vocabulary' : 'tokens in the vocabulary' },
    {
      figure: ratio(heldOut?.bytes_per_token),
      words: 'bytes/token on held-out text',
      title: heldOut ? `${heldOut.title}, ${plural(heldOut.bytes, 'byte')}` : 'No text is held out',
    },
  ];
  if (heldOut && options.unknown_token)
    facts.push({
      figure: shareOf(heldOut.unknown_rate),
      words: 'unknown on held-out text',
      title: unknownTitle(heldOut.unknown_rate, isLive(training)),
    });
  facts.push(
    isRunning
      ? { figure: leftWords(left), words: 'left' }
      : { figure: durationOfSeconds(elapsed), words: 'training time' },
  );
  return facts;
}

/** @param {number|null} share @param {boolean} isOpen it is not at its end */
function unknownTitle(share, isOpen) {
  if (share === null) return isOpen ? 'Measured when the training ends' : 'Not measured';
  if (share > FLATTERED) return 'Share of unknown tokens: compression looks better than it is';
  return 'Share of unknown tokens among the tokens of the held-out text';
}

/** "0.0185", "5.71e−5": a score of WordPiece @param {number|null|undefined} score */
export function scoreWords(score) {
  if (score === null || score === undefined) return DASH;
  const isSmall = score !== 0 && Math.abs(score) < SMALL_SCORE;
  return isSmall ? score.toExponential(2).replace('-', '−') : score.toPrecision(3);
}

/** What a training makes, step by step: "merges" @param {string|undefined} algorithm */
export const stepWords = algorithm =>
  algorithm === 'unigram' ? 'iterations' : algorithm === 'bpe' || algorithm === 'wordpiece' ? 'merges' : 'tokens';

/** Whether merges are chosen by a score, not by count. @param {Object<string, any>} options */
export const isByScore = ({ algorithm, score }) => algorithm === 'wordpiece' && score === 'likelihood';

/** Tokens that were asked for. @param {Training} training @returns {number|null} */
export const askedSize = ({ options }) => (typeof options.vocab_size === 'number' ? options.vocab_size : null);

/** Options as the setup calls them. @type {Object<string, string>} */
const OPTION_WORDS = {
  vocab_size: 'the vocabulary size',
  min_frequency: '“Minimum count”',
  special_tokens: '“Special tokens”',
  max_token_length: '“Longest token”',
  limit_alphabet: '“Largest alphabet”',
  character_coverage: '“Coverage of characters”',
  whole_characters: '“Keep characters whole”',
  superwords_from: '“Superwords from”',
  superword_words: '“Longest superword”',
  superword_digits: '“Superwords with digits”',
  superword_marks: '“Superwords with sentence marks”',
  byte_fallback: '“Byte fallback”',
  shrinking_factor: '“Shrinking factor”',
  em_iterations: '“EM iterations”',
};
const OPTION_NAMES = new RegExp(`\`?\\b(${Object.keys(OPTION_WORDS).join('|')})\\b\`?|\`score\``, 'g');

/** Names options as the setup does. @param {string} words */
export const inLabels = words => words.replace(OPTION_NAMES, (_, name) => OPTION_WORDS[name] ?? '“Score of a pair”');

/**
 * What the user has to know of how a training ended or why it waits; empty while it runs.
 * @param {Training} training
 * @returns {{words: string, hint: string, look: 'bad'|'warn'|'plain'}|null}
 */
export function endWords(training) {
  const { state, ended, error, vocab_size: vocab, can_resume: canResume, options, warnings = [] } = training;
  const resumeWords = canResume ? RESUME : NO_CHECKPOINT;
  const asked = askedSize(training);
  // A text has as many characters as it has: there is nothing to correct.
  const isShort = asked !== null && vocab !== null && vocab < asked && options.algorithm !== 'character';
  const sizes = isShort ? `${count(vocab)} of ${count(asked)} tokens` : '';
  if (state === 'failed')
    return {
      words: asSentence(inLabels(error?.message ?? 'The training failed.')),
      hint: asSentence(inLabels(error?.hint || 'Log says what happened before.')),
      look: 'bad',
    };
  if (state === 'interrupted')
    return { words: 'The lab was closed while this training ran.', hint: resumeWords, look: 'warn' };
  if (state === 'cancelled') return { words: ended ?? 'Cancelled.', hint: resumeWords, look: 'warn' };
  if (state === 'kept')
    return { words: ended ?? 'Stopped.', hint: sizes && `The tokenizer has ${sizes}.`, look: 'plain' };
  const [first, ...others] = warnings.map(inLabels);
  if (state === 'done' && isShort)
    return {
      words: `Fewer tokens than asked for: ${sizes}.`,
      hint: [ended, first, ...others].filter(Boolean).join(' '),
      look: 'warn',
    };
  if (state === 'done' && first) return { words: first, hint: others.join(' '), look: 'warn' };
  return null;
}

/**
 * The two lines under the name of a stage.
 * @param {TrainingStage} stage @param {boolean} isPaused @param {boolean} [isOver] the training ended in this stage
 * @returns {{first: string, second: string}}
 */
export function stageWords({ state, rate, elapsed_s: elapsed, left_s: left }, isPaused, isOver = false) {
  if (state === 'waiting') return { first: 'Waiting', second: DASH };
  if (state === 'done') return { first: rate ?? 'Done', second: durationOfSeconds(elapsed) };
  if (isOver) return { first: 'Not finished', second: durationOfSeconds(elapsed) };
  const soFar = elapsed === null ? '' : `${durationOfSeconds(elapsed)} so far`;
  const rest = left === null || isPaused ? '' : `${leftWords(left)} left`;
  return { first: isPaused ? 'Paused' : (rate ?? 'Running'), second: [soFar, rest].filter(Boolean).join(', ') || DASH };
}

/** Whether the alphabet is the 256 bytes. @param {Object<string, any>} options @returns {boolean} */
export const isByteLevel = ({ algorithm, alphabet, byte_fallback: fallsBack }) =>
  alphabet === 'bytes' || (!alphabet && !fallsBack && ['bpe', 'character'].includes(algorithm));

/** "Split, ByteLevel" of a stage in the form of tokenizer.json @param {any} stage @returns {string} */
export function stageNames(stage) {
  if (!stage) return 'none';
  const parts = stage.normalizers ?? stage.pretokenizers ?? stage.decoders;
  return Array.isArray(parts) ? parts.map(stageNames).join(', ') : String(stage.type ?? 'custom');
}

/** @param {any} list @returns {string} */
const listWords = list => (Array.isArray(list) && list.length ? list.join(' ') : 'none');

/** "from 3 686 tokens, of up to 4 words, with digits" @param {Object<string, any>} options */
function superwordsOf({ superwords_from: from, superword_words: words, ...options }) {
  const withs = [options.superword_digits && 'with digits', options.superword_marks && 'with sentence marks'];
  return [`from ${plural(from, 'token')}`, `of up to ${plural(words, 'word')}`, ...withs].filter(Boolean).join(', ');
}

/**
 * The options of a training as rows of a table: those that its algorithm has.
 * @param {Object<string, any>} options @returns {[string, string][]}
 */
export function optionRows(options) {
  const { algorithm } = options;
  const isBpe = algorithm === 'bpe';
  /** @type {[string, string, boolean][]} */
  const rows = [
    ['Algorithm', algorithmWords(algorithm), true],
    ['Vocabulary size', count(options.vocab_size), true],
    ['Alphabet', isByteLevel(options) ? '256 bytes' : 'characters', isBpe],
    ['Split', stageNames(options.pre_tokenizer), true],
    ['Score of a pair', options.score === 'likelihood' ? 'likelihood' : 'count', algorithm === 'wordpiece'],
    ['Minimum count', count(options.min_frequency), true],
    ['Normalizer', stageNames(options.normalizer), true],
    ['Special tokens', listWords(options.special_tokens), true],
    ['Unknown token', options.unknown_token, Boolean(options.unknown_token)],
    [
      'Longest token',
      plural(options.max_token_length, isByteLevel(options) ? 'byte' : 'character'),
      Boolean(options.max_token_length),
    ],
    ['Largest alphabet', count(options.limit_alphabet), Boolean(options.limit_alphabet)],
    ['Coverage', percent(options.character_coverage, 2), (options.character_coverage ?? 1) < 1],
    ['Characters', 'kept whole', Boolean(options.whole_characters)],
    ['Superwords', superwordsOf(options), Boolean(options.superwords_from)],
    ['Byte fallback', 'on', Boolean(options.byte_fallback)],
    ['Variant', 'SentencePiece', algorithm === 'unigram' && options.variant === 'sentencepiece'],
    ['Shrinking factor', ratio(options.shrinking_factor), algorithm === 'unigram'],
    ['EM iterations', count(options.em_iterations), algorithm === 'unigram'],
  ];
  return rows.filter(([, , isShown]) => isShown).map(([label, value]) => [label, value]);
}

/**
 * Compares with a tokenizer on the held-out text: "On the held-out text it needs 37 % more tokens than GPT-2, with
 * 3 % of its vocabulary."
 * @param {Training} training @param {CurveReference[]} references @param {string|null} wanted id of the tokenizer,
 *   if it is among them @param {(id: string) => string} nameOf
 * @returns {string} empty without a tokenizer to compare with
 */
export function compareWords(training, references, wanted, nameOf) {
  const { held_out: heldOut, vocab_size: vocab } = training;
  const known = references.filter(reference => reference.bytes_per_token);
  const reference = known.find(({ tokenizer }) => tokenizer === wanted) ?? known[0];
  const own = heldOut?.bytes_per_token;
  if (!reference?.bytes_per_token || !own) return '';
  const name = nameOf(reference.tokenizer);
  const off = reference.bytes_per_token / own - 1;
  const many =
    Math.abs(off) < 0.005
      ? `as many tokens as ${name}`
      : `${percent(Math.abs(off))} ${off > 0 ? 'more' : 'fewer'} tokens than ${name}`;
  const part = reference.vocab_size && vocab ? vocab / reference.vocab_size : 0;
  const share = part ? `, with ${part < 0.005 ? 'less than 1\u202f%' : percent(part)} of its vocabulary` : '';
  /** @param {number|null|undefined} unknown @param {string} whose */
  const flattered = (unknown, whose) =>
    (unknown ?? 0) > FLATTERED ? ` ${percent(unknown)} of ${whose} are unknown, which makes it look better.` : '';
  return (
    `On the held-out text it needs ${many}${share}.` +
    flattered(heldOut?.unknown_rate, 'its own tokens') +
    flattered(reference.unknown_rate, `the tokens of ${name}`)
  );
}

/** @param {number} listed @returns {string} a longer list is not whole */
export const filesWords = listed => (listed < MOST_FILES ? plural(listed, 'file') : `more than ${count(listed)} files`);

/** "2 invalid byte sequences in the text." @param {Training['corpus']} corpus */
export function readWords({ invalid_sequences: invalid, split_words: split }) {
  const limit = count(MOST_WORD_BYTES);
  return [
    invalid ? `${plural(invalid, 'invalid byte sequence')} in the text.` : '',
    split ? `${plural(split, 'word')} of more than ${limit} bytes ${split === 1 ? 'was' : 'were'} split.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** "3.3 MB, 4 files" @param {Training['corpus']} corpus */
export const corpusWords = ({ bytes, files }) =>
  [size(bytes), files.length ? filesWords(files.length) : ''].filter(Boolean).join(', ');

/** "12.312", "1 234 567" @param {number} loss */
export const lossWords = loss => (Math.abs(loss) >= 1000 ? count(Math.round(loss)) : ratio(loss, 3));
