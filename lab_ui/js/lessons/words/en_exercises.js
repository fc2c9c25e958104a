/** The words of exercises, as those of lessons (`en.js`). */

export const EXERCISES = {
  /** @type {Object<import('../../api/exercises.js').SheetKind, {title: string, rule: string}>} */
  sheets: {
    mixed: { title: 'Exercises', rule: 'Tasks with words and sentences that the seed draws. The engine marks them.' },
    misconceptions: {
      title: 'Five misconceptions',
      rule: 'Each task has an answer that sounds right. Find the one that the engine gives.',
    },
    before: {
      title: 'Ten questions, before',
      rule: 'What you know before the lessons. Take the second test after them.',
    },
    after: {
      title: 'Ten questions, after',
      rule: 'The same kinds of tasks as before the lessons, with other texts.',
    },
  },
  /** @type {Object<string, string>} */
  kinds: {
    'next-merge': 'the next merge',
    'first-token': 'the first token',
    'train-merge': 'a merge of training',
    path: 'the better path',
    pruned: 'the token that is removed',
    boundaries: 'boundaries',
    count: 'the number of tokens',
    syllables: 'a token is a syllable',
    emoji: 'an emoji is one token',
    longest: 'BPE takes the longest token',
    fewer: 'fewer tokens are better',
    alike: 'BERT and GPT split alike',
  },
  /** What holds instead of each misconception. @type {Object<string, string>} */
  truths: {
    syllables: 'Tokens are not syllables: frequent letters stay together.',
    emoji: 'An emoji can take several tokens: they are made of its bytes.',
    longest: 'BPE does not look for the longest token: it merges by rank.',
    fewer: 'Fewer tokens are no gain where the text is lost.',
    alike: 'Tokenizers split the same word differently.',
  },
  sheet: 'This sheet',
  seed: 'Seed',
  seedProblem: 'A seed is a whole number from 0 to 9 007 199 254 740 991.',
  fresh: 'New tasks',
  save: 'Save result file…',
  open: 'Check a result file…',
  saveTitle: 'Save a result file',
  name: 'Your name',
  saveNow: 'Save',
  saveNote: 'The file has the sheet, your answers and their marks. Another lab can check it.',
  tasks: 'Tasks',
  given: 'Given',
  choices: 'Choices',
  check: 'Check',
  next: 'Next',
  toScore: 'See the score',
  again: 'Clear the answers',
  none: 'Choose an answer first.',
  right: 'Right.',
  wrong: 'Wrong.',
  answer: 'The answer:',
  yours: 'your answer',
  theirs: 'most votes',
  solution: 'right',
  states: { right: 'right', wrong: 'wrong', open: 'open' },
  /** Of a task in the list at the end. */
  answered: { right: 'answered right:', wrong: 'answered wrong:', open: 'open:' },
  noTasks: 'No task could be made',
  /** @param {number} n from 1 @param {string} state */
  mark: (n, state) => `Task ${n}: ${state}`,
  /** @param {number} n from 1 @param {number} of */
  place: (n, of) => `Task ${n} of ${of}`,
  /** @param {{right: number, answered: number, of: number}} score */
  score: ({ right, answered, of }) =>
    (answered ? `${right} of ${answered} right` : '0 right') + (answered < of ? `, ${of - answered} open.` : '.'),
  /** @param {string} kind @param {string} reason */
  leftOut: (kind, reason) => `Left out: ${kind}. ${reason}`,
  /** @param {{name: string, right: number, of: number, sheet: string, seed: number, tokenizer: string}} file */
  checked: ({ name, right, of, sheet, seed, tokenizer }) =>
    `${name || 'Without a name'}: ${right} of ${of} right in “${sheet}”, seed ${seed}, with ${tokenizer}. ` +
    'The engine gives the same marks.',
};
