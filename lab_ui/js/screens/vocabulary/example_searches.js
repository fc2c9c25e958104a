/** Searches that show what a vocabulary holds, to begin with. */
import { EVERYTHING, parametersOf, scriptWords } from '../../api/vocabulary_query.js';

/** @typedef {import('../../api/vocabulary_query.js').VocabularyQuery} VocabularyQuery */
/** @typedef {{name: string, label: string, query: VocabularyQuery}} Example */

const NO_EXAMPLES = ['Latin', 'none', 'several', 'other'];

/** @type {[name: string, label: string, changes: Partial<VocabularyQuery>][]} */
const ALWAYS = [
  ['example-token', '“token”', { q: 'token' }],
  ['example-digits', 'Digits', { kinds: ['digits'] }],
  ['example-longest', 'Longest tokens', { order: 'characters', descending: true }],
  ['example-unreachable', 'Unreachable', { verdicts: ['unreachable'] }],
  ['example-special', 'Special', { kinds: ['special'] }],
];

/** @param {string} name @param {string} label @param {Partial<VocabularyQuery>} changes @returns {Example} */
const example = (name, label, changes) => ({ name, label, query: { ...EVERYTHING, ...changes } });

/**
 * @param {{name: string, count: number}[]} scripts of the vocabulary
 * @returns {Example[]} those for every vocabulary, and the script that most of its tokens have besides Latin
 */
export function exampleSearches(scripts) {
  const [largest] = scripts
    .filter(({ name, count }) => count && !NO_EXAMPLES.includes(name))
    .sort((a, b) => b.count - a.count);
  return [
    ...ALWAYS.map(([name, label, changes]) => example(name, label, changes)),
    ...(largest ? [example('example-script', scriptWords(largest.name), { scripts: [largest.name] })] : []),
  ];
}

/**
 * Whether two queries find the same in the same order, capitals aside.
 * @param {VocabularyQuery} a @param {VocabularyQuery} b
 */
export const isSameSearch = (a, b) =>
  parametersOf({ ...a, ignoreCase: true }) === parametersOf({ ...b, ignoreCase: true });
