/** The kinds of edits in words: names, what each does, its options, and a line about one edit. */
import { count, plural } from '../../util/format.js';

/** @typedef {import('../../api/edits.js').Edit} Edit */
/** @typedef {import('../../api/schema.d.ts').StepEffect} StepEffect */

/** By kind: its name, and what it does. @type {Object<string, [name: string, words: string]>} */
export const KINDS = {
  add_words: ['Add words', 'Each becomes one token, with the merges that it needs.'],
  continue_training: ['Train on', 'New merges from a corpus, after those there are. IDs stay.'],
  remove: ['Remove tokens', 'By text or spelling, or by ID: #50.'],
  trim: ['Trim to a corpus', 'Keeps the tokens that a corpus or a text uses.'],
  shrink: ['Shrink to a size', 'Keeps the first merges, or the best scores.'],
  merge_with: ['Merge with a tokenizer', 'Adds the tokens of another one of the same kind.'],
  add_tokens: ['Add tokens', 'Special ones, or texts that are always one token.'],
  rename_token: ['Rename a token', 'Another text for a token, or for an ID: #50. Its ID stays.'],
  normalizer: ['Change the normalizer', 'The blocks of the Library, in their order.'],
  pretokenizer: ['Change the pretokenizer', 'The blocks of the Library, in their order.'],
  split_pattern: ['Change the split pattern', 'A regular expression, or that of a built-in tokenizer.'],
  lower_case: ['Lower case', 'Texts are written in lower case first.'],
  greedy: ['Greedy longest match', 'The longest token at each place, from the same vocabulary.'],
  renumber: ['Renumber', 'Closes the holes that removed tokens left. IDs move.'],
};

/** By option: its label. @type {Object<string, string>} */
export const OPTIONS = {
  words: 'Words, one per line',
  after_space: 'After a space, as in running text',
  score: 'Score (natural logarithm)',
  tokens: 'Tokens, one per line',
  special: 'Special tokens',
  token: 'Token',
  to: 'New text',
  with_built: 'Also all that are built from them',
  keep_ids: 'Keep IDs',
  corpus: 'Corpus',
  text: 'Or a text',
  min_count: 'Least count',
  keep: 'Keep these, one per line',
  size: 'Tokens in all',
  keep_characters: 'Keep single characters',
  tokenizer: 'Tokenizer',
  normalizers: 'Normalizers, one per line',
  pretokenizers: 'Pretokenizers, one per line',
  pattern: 'Pattern',
  max_length: 'Longest token',
};

/** Labels that depend on the kind. @type {Object<string, string>} */
const OWN = { 'continue_training tokens': 'New tokens' };

/** @param {string} kind @param {string} option */
export const labelOf = (kind, option) => OWN[`${kind} ${option}`] ?? OPTIONS[option] ?? option;

/** @param {string} kind */
export const nameOf = kind => KINDS[kind]?.[0] ?? kind;

/** What an edit is given, in a line. @param {Edit} edit */
export function givenWords({ kind: _kind, on: _on, ...options }) {
  return Object.entries(options)
    .map(([name, value]) => (Array.isArray(value) ? listWords(value) : valueWords(name, value)))
    .filter(Boolean)
    .join(' · ');
}

/** @param {any[]} list */
const listWords = list =>
  list
    .slice(0, 3)
    .map(one => (typeof one === 'object' ? one.type : typeof one === 'number' ? `#${one}` : one))
    .join(', ') + (list.length > 3 ? ` and ${count(list.length - 3)} more` : '');

/** @param {string} name @param {any} value */
function valueWords(name, value) {
  const label = OPTIONS[name]?.split(',')[0] ?? name;
  if (typeof value === 'boolean') return `${label}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return `${label}: ${count(value)}`;
  return value;
}

/** What an edit did, in words. @param {StepEffect|undefined} effect undefined: it waits for one that refused */
export function effectWords(effect) {
  if (!effect) return 'not measured';
  if (!effect.on) return 'off: not measured';
  const parts = [
    effect.added && `+${count(effect.added)}`,
    effect.removed && `−${count(effect.removed)}`,
    effect.moved && `${plural(effect.moved, 'ID')} move`,
  ].filter(Boolean);
  return parts.length ? `${parts.join('  ')} · ${count(effect.vocab_size)} tokens` : 'no token changed';
}
