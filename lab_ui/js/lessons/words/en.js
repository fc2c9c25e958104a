/**
 * Every sentence of the lessons. A function gets named values, some of which point at the figure, and gives parts: the
 * order of words is another one in other languages.
 */
import { plural } from '../../util/format.js';
import { say } from '../say.js';
import { EXERCISES } from './en_exercises.js';
import { HANDOUT } from './en_handout.js';
import { LECTURES } from './en_lectures.js';
import { PLACE } from './en_place.js';

/** @typedef {import('../say.js').Part} Part */
/** @typedef {{name: Part, rank: string}} RankedPair */
/** @typedef {{token: Part, sum: string, score: string, before: string}} Candidate */

/** @param {number} n */
const inTokens = n => plural(n, 'token');

export const EN = {
  /** @type {Object<string, {title: string, rule: string}>} */
  lessons: {
    boundaries: {
      title: 'Place the boundaries',
      rule: 'A token is a piece of text with a number, which is all that models see. Cut where you think tokens end.',
    },
    text: { title: 'How many tokens?', rule: 'Guess of how many tokens, pieces with a number, a text is made.' },
    utf8: { title: 'Bytes and UTF-8', rule: 'A character is a code point, and UTF-8 writes it in one to four bytes.' },
    pipeline: {
      title: 'The pipeline',
      rule: 'The normalizer changes the text, the pretokenizer cuts it, and the model finds the tokens of each piece.',
    },
    'bpe-encode': {
      title: 'BPE merges',
      rule: 'Merge the pair with the lowest rank, again and again, until no pair has a rank.',
    },
    'wordpiece-encode': {
      title: 'WordPiece',
      rule: 'Take the longest piece that the vocabulary has, then go on behind it. Without one, the word is unknown.',
    },
    'unigram-encode': {
      title: 'Unigram lattice',
      rule: 'Every token has a score. The best path through a word is the one with the highest sum of scores.',
    },
    sentencepiece: {
      title: 'SentencePiece',
      rule: 'Spaces become the mark ▁. What the vocabulary lacks becomes bytes, or is lost where there are none.',
    },
    'special-tokens': {
      title: 'Special tokens',
      rule: 'Tokens that were added are found first, and what is between them is encoded apart.',
    },
    'chat-template': {
      title: 'Chat templates',
      rule: 'A model reads a conversation as one text: the template writes control tokens around each message.',
    },
    'unigram-train': {
      title: 'Unigram training',
      rule: 'Begin with many tokens, count them over all segmentations, and remove those that are missed least.',
    },
    encoders: {
      title: 'Four BPE encoders',
      rule: 'The same tokens with four data structures. Each operation counts one, so every machine counts the same.',
    },
    languages: {
      title: 'Languages pay differently',
      rule: 'The same sentence takes more tokens in a language that the training corpus had little of.',
    },
    'bpe-train': {
      title: 'BPE training',
      rule: 'Merge the most frequent pair everywhere, again and again: each merge is a new token.',
    },
    'wordpiece-train': {
      title: 'WordPiece training',
      rule: 'Merge the pair with the highest score: its count, divided by the product of the counts of its parts.',
    },
  },
  /** @type {Object<string, string>} */
  groups: {
    start: 'Start',
    basics: 'Basics',
    encoding: 'Encoding',
    training: 'Training',
    structures: 'Data structures',
    languages: 'Languages',
    check: 'Check yourself',
  },

  transport: {
    group: 'Steps',
    step: 'Step',
    speed: 'Speed',
    start: 'To the start',
    back: 'One step back',
    play: 'Play',
    pause: 'Pause',
    forward: 'One step on',
    /** @param {number} at @param {number} last */
    place: (at, last) => `Step ${at} of ${last}`,
  },

  stops: {
    start: 'start',
    done: 'done',
    unknown: 'unknown',
    prune: 'prune',
    counts: 'counts',
    paths: 'paths',
  },

  view: {
    figure: 'Figure of the lesson',
    words: 'Words of the text',
    right: 'Right.',
    rightLater: 'Right, after a miss.',
    wrong: 'Wrong.',
    answer: 'The answer:',
    goOn: 'Press the right one to go on; this step stays a miss.',
    space: '· is a space',
    addedSpace: '· is a space, the first one added',
    tokens: 'Tokens of the text',
    tokenColumns: ['Token', 'ID'],
    nothingAsked: 'Nothing is asked of this text: watch it.',
    /** @param {number} right @param {number} asked */
    score: (right, asked) => `${right} of ${asked} right at the first press`,
    /** @param {string} most @param {string} n */
    tooLong: (most, n) => `This lesson takes ${most} characters at most, and the text has ${n}. Take a part of it.`,
    /** @param {string} tokenizer @param {string} model '': any but that of a plug-in */
    misfit: (tokenizer, model) =>
      model
        ? `${tokenizer} has another model: this lesson needs ${model}.`
        : `${tokenizer} is a plug-in: its steps cannot be shown.`,
    /** @param {string} tokenizer */
    source: tokenizer => `Tokens of ${tokenizer}: each step is computed by the lab, none is made up`,
  },

  /** Of the step to which a link of another screen led. */
  arrival: {
    partAround: 'The text is long: only the words around that token came along.',
    partBeginning: 'Only the beginning of the text came along.',
    noToken: 'This text has no token at that place, so here is its last step.',
    /** @param {string} token */
    otherToken: token => `In this part of the text ${token} stands there, another token than in all of it.`,
    /** @param {string} token */
    noStep: token => `No step makes ${token}: it is a symbol from the start. This is the step next to it.`,
    /** @param {string} token @param {number} here @param {number} there */
    otherNumber: (token, here, there) => `${token} is merge ${here} of this text, and merge ${there} of that training.`,
    /** @param {number} number @param {number} last @param {boolean} isWhole there is nothing left to learn after it */
    otherMerge: (number, last, isWhole) =>
      isWhole
        ? `This text does not learn that token: this is merge ${number} of the lesson.`
        : `The first ${last} merges of this text do not have that token: this is merge ${number}.`,
    /** @param {number} number @param {number} last @param {boolean} isWhole there is nothing left to learn after it */
    beyond: (number, last, isWhole) =>
      isWhole
        ? `Merge ${number} is beyond what this text can teach: its last one is merge ${last}.`
        : `The lesson learns ${last} tokens at most, and stops before merge ${number}.`,
    nothingLearnt: 'Nothing is learnt from this text: no pair occurs twice.',
    /** @param {string} here @param {string} there tokens */
    otherSize: (here, there) => `This iteration leaves ${here} tokens in the lesson, and ${there} in that training.`,
    otherIteration: {
      /** @param {number} here @param {number} there */
      em: (here, there) =>
        `Iteration ${there} of that training is EM. The nearest one of the lesson is iteration ${here}.`,
      /** @param {number} here @param {number} there */
      prune: (here, there) =>
        `Iteration ${there} of that training prunes. The nearest one of the lesson is iteration ${here}.`,
      /** @param {number} here @param {number} there */
      final: (here, there) => `That training ends with iteration ${there}, the lesson with iteration ${here}.`,
    },
    noStage: {
      em: 'The lesson has no EM iteration on this text, so here is its last step.',
      prune: 'The lesson prunes nothing: this text has too few tokens to begin with. Here is its last step.',
      final: 'The lesson has no last iteration on this text, so here is its last step.',
    },
  },

  place: PLACE,

  ...LECTURES,

  exercises: EXERCISES,
  handout: HANDOUT,

  bpe: {
    task: 'Press the + of the pair that merges next: the lowest rank; of equal ranks, the leftmost.',
    taskWatch: 'The pair with the lowest rank merges.',
    taskDone: 'No pair has a rank: these are the tokens.',
    table: 'Pairs now',
    tableBefore: 'Pairs before this merge',
    columns: ['Pair', 'Becomes', 'Rank'],
    none: 'none',
    /** @param {string} left @param {string} right */
    press: (left, right) => `Merge ${left} and ${right}`,
    /** By what is a symbol before any merge. */
    start: {
      bytes: say`A symbol is a piece of a word. At first each byte is one; below it is its number in hex.`,
      characters: say`A symbol is a piece of a word. At first each character is one; below it are its bytes in hex.`,
      letters: say`A symbol is a piece of a word. At first each letter is one; below it is its byte in hex.`,
    },
    /**
     * @param {{pair: Part, becomes: Part, rank: string, isFirst: boolean, hasSpace: boolean, done: string}} values
     *   `done`: the word, if no pair of it has a rank any more
     */
    merge: ({ pair, becomes, rank, isFirst, hasSpace, done }) => {
      const first = isFirst ? ' A rank is the place of a merge in the order of training, from 0.' : '';
      const space = hasSpace ? ' The space belongs to the word behind it.' : '';
      const last = done ? ` No other pair of ${done} has a rank: this word is done.` : '';
      return say`${pair} become ${becomes}: rank ${rank} is the lowest left in this word.${first}${space}${last}`;
    },
    /** @param {number} n */
    tokens: n => say`A symbol that is no token becomes ${inTokens(n)}: its bytes, or the unknown token.`,
    /** @param {number} n */
    done: n => say`No pair has a rank, so the text has ${inTokens(n)}.`,
    /** @param {{chosen: RankedPair, right: RankedPair}} values */
    miss: ({ chosen, right }) =>
      say`${chosen.name} has rank ${chosen.rank}; ${right.name} has ${right.rank} and goes first.`,
    /** @param {{chosen: RankedPair, right: RankedPair}} values */
    tie: ({ chosen, right }) =>
      say`${chosen.name} has the same rank as ${right.name}, which stands further left and goes first.`,
    /** @param {{chosen: RankedPair, right: RankedPair}} values */
    noRank: ({ chosen, right }) =>
      say`${chosen.name} has no rank: it never merges. ${right.name} has rank ${right.rank} and goes first.`,
  },

  wordpiece: {
    task: 'Where does the next window end? Press the line.',
    taskWatch: 'The window shrinks from the right until the vocabulary has it.',
    taskDone: 'Every word is cut: these are the tokens.',
    table: 'Look-ups at this place',
    columns: ['Piece', 'ID'],
    not: 'not there',
    /** @param {string} character */
    press: character => `The window ends after ${character}`,
    /** @param {number} n */
    start: n =>
      say`The text has ${plural(n, 'word')}. At each place the window begins with all that is left of the word.`,
    /** @param {Part} piece */
    missing: piece => say`The vocabulary has no ${piece}: the window loses its last character.`,
    /** @param {Part} piece @param {number} id */
    found: (piece, id) => say`${piece} is there, with ID ${id}. The next window begins behind it.`,
    /** @param {string} word */
    unknown: word => say`No piece fits at one place, so all of ${word} is one unknown token.`,
    /** @param {string} word */
    tooLong: word => say`${word} is longer than the model allows, so it is one unknown token.`,
    /** @param {string} word */
    added: word => say`${word} is an added token, which the model does not see.`,
    /** @param {number} n */
    done: n => say`No word is left, so the text has ${inTokens(n)}.`,
    tooLate: say`That piece was looked up already and is not there: the window loses one character.`,
    tooEarly: say`The window loses one character at a time, so that no longer piece is missed.`,
    startsLong: say`At a new place the window begins with all that is left of the word: the longest piece wins.`,
  },

  unigram: {
    shares: 'share of all paths that split there, by their probabilities',
    /** @param {number} n */
    task: n => `Press the best token that ends at position ${n}: best sum where it starts + its score.`,
    taskWatch: 'Each position keeps the best sum of scores.',
    /** @param {number} n */
    taskBackFrom: n => `Read the best path back: press the token that won at position ${n}.`,
    taskBack: 'Read the best path back from the end.',
    taskDone: 'These tokens have the highest sum.',
    taskPath: 'Which of these two paths is the next best? Add up the scores of its tokens.',
    bestPath: 'best path',
    /** @param {number} n */
    choicePath: n => `path ${n}`,
    taskPaths: 'Which paths are nearly as good?',
    taskDraws: 'Sampling: paths are drawn by their probabilities.',
    pathTable: 'Paths of this word',
    /** @param {number} n */
    bestPaths: n => `The ${n} most probable paths`,
    pathColumns: { paths: ['Path', 'Sum', 'Probability'], draws: ['Path', 'Probability', 'Drawn'] },
    /** @param {string} path */
    pressPath: path => `The next best: ${path}`,
    /** @param {string} score */
    sum: score => `sum ${score}`,
    /** @param {number} times */
    drawn: times => (times === 0 ? 'not drawn' : times === 1 ? 'drawn once' : `drawn ${times} times`),
    again: 'Draw again',
    otherPaths: 'drawn, and not among the most probable',
    /** @param {number} n */
    table: n => `Tokens that end at position ${n}`,
    tokenTable: 'Tokens of the best path',
    columns: ['Token', 'Best before', '+ token', 'Sum'],
    /** @param {string} token @param {string} score */
    press: (token, score) => `${token} ${score}, its score`,
    start: [
      ...say`The number in a token is its score: the logarithm of the probability that training found for it. `,
      ...say`Nearer to 0 is higher. Position 3 is after the third character, spaces counted.`,
    ],
    /** @param {{token: Part, place: number, ways: number, sum: string, isFirst: boolean}} values */
    place: ({ token, place, ways, sum, isFirst }) => {
      const rounding = isFirst ? ' Sums are added up first and rounded then.' : '';
      return ways === 1
        ? say`Only ${token} ends at position ${place}; the best sum there is ${sum}.${rounding}`
        : say`Of ${ways} tokens that end at position ${place}, ${token} gives the best sum, ${sum}.${rounding}`;
    },
    /** @param {{token: Part, place: number}} values */
    back: ({ token, place }) =>
      place
        ? say`${token} starts at position ${place}: next is the token that won there.`
        : say`${token} starts at position 0: the path is whole.`,
    nothing: say`No token ends here.`,
    /** @param {{path: Part, share: string, next: Part, nextShare: string}} values */
    paths: ({ path, share, next, nextShare }) => [
      ...say`${path} has ${share} of the probability, ${next} ${nextShare}. `,
      ...say`A path’s probability: exp(its sum), divided by that of all paths together.`,
    ],
    /** @param {{path: Part, share: string, own: Part}} values */
    otherPath: ({ path, share, own }) =>
      say`${path} is the most probable path, with ${share} of the probability. The tokenizer takes ${own}.`,
    /** @param {{draws: number, path: Part, times: number, share: string, others: number}} values */
    draws: ({ draws, path, times, share, others }) => {
      const often = times === 0 ? 'not once' : times === 1 ? 'once' : `${times} times`;
      const found = others ? ` ${plural(others, 'drawn path is', 'drawn paths are')} not among the most probable.` : '';
      const why = ' Training draws so that a model sees a word in several ways.';
      return say`Of ${draws} draws ${path} came ${often}; its probability is ${share}.${found}${why}`;
    },
    /** @param {number} most */
    unlisted: most =>
      say`This word has more than ${most} characters: its other paths are not listed. A shorter text shows them.`,
    added: say`An added token, which the model does not see.`,
    other: say`Characters that are no token became their bytes, or the unknown token.`,
    /** @param {number} n */
    done: n => say`The paths are read back: the text has ${inTokens(n)}.`,
    /** @param {{chosen: Candidate, right: Candidate}} values */
    miss: ({ chosen, right }) => {
      /** @param {Candidate} candidate */
      const sum = ({ token, before, score, sum }) => say`${token}: ${before} + (${score}) = ${sum}`;
      return say`${sum(chosen)}. ${sum(right)}, which is higher.`;
    },
    /** @param {{chosen: {path: Part, sum: string}, right: {path: Part, sum: string}}} values */
    missPath: ({ chosen, right }) =>
      say`The scores of ${chosen.path} are ${chosen.sum} together, those of ${right.path} ${right.sum}: higher.`,
  },

  em: {
    taskWatch: 'Count, set the probabilities, remove what is missed least.',
    taskDone: 'These tokens were learnt.',
    taskMaximize: 'Press the token that gets the highest probability: the one with the highest expected count.',
    taskPrune: 'Press the token that the corpus misses least: the one with the smallest loss.',
    table: 'Tokens now',
    columns: ['Token', 'Score', 'Expected', 'Loss'],
    /** @param {string} token */
    press: token => `Choose ${token}`,
    /** @param {number} n */
    start: n => say`${inTokens(n)} to begin with: all characters, and pieces that occur often. Bars are probabilities.`,
    /** @param {string} loss */
    expect: loss =>
      say`Each token is counted over all segmentations, by their probabilities. A word costs ${loss} on average.`,
    /** @param {number} removed @param {number} left */
    maximize: (removed, left) =>
      removed
        ? say`Probabilities follow the counts. ${inTokens(removed)} had hardly any and left: ${left} stay.`
        : say`Probabilities follow the counts: a token that was counted more often gets more.`,
    losses: say`The loss of a token is what the corpus would lose without it.`,
    /** @param {Part[]} names @param {number} removed @param {number} left */
    prune: (names, removed, left) =>
      names.length
        ? say`${inTokens(removed)} that are missed least leave, such as ${names}: ${left} stay.`
        : say`${inTokens(removed)} that are missed least leave: ${left} stay.`,
    /** @param {number} removed @param {number} left */
    final: (removed, left) =>
      say`The size is reached: ${inTokens(removed)} with the lowest scores leave, ${left} stay.`,
    enough: say`The size is reached: all tokens stay.`,
    /** @param {number} tokens @param {number} symbols */
    done: (tokens, symbols) => say`The vocabulary has ${inTokens(tokens)}; the corpus takes ${symbols} of them.`,
    /** @param {{chosen: {name: Part, value: string}, right: {name: Part, value: string}, isPruning: boolean}} values */
    miss: ({ chosen, right, isPruning }) =>
      isPruning
        ? say`Without ${chosen.name} the corpus loses ${chosen.value}, without ${right.name} only ${right.value}.`
        : say`${chosen.name} is expected ${chosen.value} times, ${right.name} ${right.value} times.`,
  },

  encoders: {
    task: 'Which encoder does the fewest operations on this text? Press one.',
    taskWatch: 'Each encoder keeps its symbols and pairs in another way.',
    names: ['merge loop', 'loop per word', 'ordered set', 'heap and list'],
    counters: ['merges', 'look-ups', 'moves', 'pushes', 'pops', 'stale pops', 'removals'],
    table: 'Operations so far',
    columns: ['', 'loop', 'per word', 'set', 'heap'],
    wholeRow: 'merge loop: one array for the whole text; the symbols behind a merge move',
    splitRow: 'the three others: an array or a list for each word',
    /** @param {number} n */
    tree: n => `ordered set: ${plural(n, 'pair')}`,
    /** @param {number} n */
    heap: n => `heap: ${plural(n, 'pair')}, stale ones struck through`,
    prose: 'This text, again and again',
    word: 'Its letters as one long word',
    axes: 'operations against bytes, each line ten times the one below',
    noLetters: 'The text has no letters.',
    /** @param {string[]} names of encoders that do the same @param {string} total @returns {string[]} lines */
    lineEnd: (names, total) => names.map((name, n) => (n < names.length - 1 ? `${name} and` : `${name}: ${total}`)),
    /** @param {string} total */
    atEnd: total => `${total} at the end`,
    /** @param {string} name */
    press: name => `The fewest: ${name}`,
    start: say`Four textbook encoders end with the same tokens. Three look words up first: a token needs no merge.`,
    /** @param {number} number @param {Part[][]} parts */
    merge: (number, parts) => say`Merge ${number}: ${parts.flatMap((part, n) => (n ? ['; ', ...part] : part))}.`,
    /** @param {Part} token @param {number} moved */
    whole: (token, moved) => say`the loop makes ${token} and moves ${plural(moved, 'symbol')}`,
    /** @param {Part} token @param {number} moved */
    split: (token, moved) => say`word by word, ${token} is made and ${moved} move`,
    /** @param {{name: string, total: string}[]} totals */
    done: totals => say`Operations: ${totals.map(({ name, total }) => `${name} ${total}`).join(', ')}.`,
    /** @param {{chosen: {name: Part, total: string}, right: {name: Part, total: string}}} values */
    miss: ({ chosen, right }) => say`${chosen.name} does ${chosen.total} operations, ${right.name} ${right.total}.`,
  },

  chat: {
    task: 'How many control tokens has this text, those that are no ordinary text? Press a number.',
    taskWatch: 'Where does the template put control tokens?',
    /** @param {number} n */
    press: n => plural(n, 'control token'),
    /** @param {number} n */
    miss: n =>
      say`It has ${plural(n, 'control token')}: each is found whole, before the model sees the text between them.`,
    /** @param {number} n */
    start: n => say`The chat template wrote ${plural(n, 'message')} into one text, which is all that the model gets.`,
    /** @param {string} token */
    spelled: token => say`A message spelled ${token} itself: the model cannot tell it from one of the template.`,
    fromMessage: 'in a message',
  },

  languages: {
    task: 'Which line takes the most tokens? Press one.',
    taskWatch: 'How many tokens does each line take?',
    table: 'Lines',
    columns: ['', 'Bytes', 'Tokens', 'Premium'],
    /** @param {number} n */
    line: n => `line ${n}`,
    start: say`Where lines say the same, tokens can be compared. The premium: tokens for each one of the first line.`,
    done: say`A line that takes more tokens costs more, and leaves less room in the context of a model.`,
    /** @param {{line: Part, tokens: number, bytes: number, characters: number, premium: string|null}} values */
    sentence: ({ line, tokens, bytes, characters, premium }) => {
      const size = `${plural(characters, 'character')} in ${plural(bytes, 'byte')}`;
      return premium === null
        ? say`${line}: ${size} make ${inTokens(tokens)}.`
        : say`${line}: ${size} make ${inTokens(tokens)}, ${premium} for each of the first line.`;
    },
    /** @param {{chosen: {name: Part, tokens: number}, right: {name: Part, tokens: number}}} values */
    miss: ({ chosen, right }) => say`${chosen.name} takes ${inTokens(chosen.tokens)}, ${right.name} ${right.tokens}.`,
  },

  train: {
    task: {
      'bpe-train': 'Press the pair that occurs most often. Of equal ones, the one with the lower IDs.',
      'wordpiece-train': 'Press the pair with the highest score: its count over the product of those of its parts.',
    },
    taskWatch: {
      'bpe-train': 'The most frequent pair becomes a token.',
      'wordpiece-train': 'The pair with the highest score becomes a token.',
    },
    taskDone: 'These tokens were learnt.',
    table: 'Pairs now',
    tableBefore: 'Pairs before this merge',
    columns: ['Pair', 'Count', 'Moved'],
    scoreColumns: ['Pair', 'Count', 'Score'],
    words: 'words, with their counts',
    pairs: 'pairs, the next one first',
    pairsById: 'pairs, by their IDs',
    vocabulary: 'tokens: count then, now',
    /** @param {string} then @param {string} now */
    counts: (then, now) => `${then}, now ${now}`,
    /** @param {number} last */
    predict: last => `Where will the curve be after step ${last}? Press the number of symbols.`,
    /** @param {string} symbols */
    end: symbols => `${symbols} symbols`,
    /** @param {string} symbols */
    guess: symbols => `your guess: ${symbols}`,
    /** @param {{last: number, end: string, now: string}} values */
    foretold: ({ last, end, now }) => say`After step ${last} the corpus has ${end} symbols; now it has ${now}.`,
    /** @param {{chosen: string, end: string, done: number, saved: string, left: number, saves: string}} values */
    missedEnd: ({ chosen, end, done, saved, left, saves }) =>
      say`It ends at ${end}, not at ${chosen}: ${done} merges saved ${saved} symbols, the next ${left} save ${saves}.`,
    isNew: 'new',
    /** @param {string} symbols */
    curve: symbols => `symbols of the corpus: ${symbols}`,
    /** @param {number} waiting @param {number} stale */
    heap: (waiting, stale) => `lazy heap: ${waiting} pairs wait, ${stale} of them stale`,
    /** @param {number} stored @param {number} now */
    stale: (stored, now) => `${stored}, now ${now}`,
    /** @param {string} pair */
    press: pair => `Merge ${pair}`,
    /** @param {number} kinds @param {number} symbols */
    start: (kinds, symbols) =>
      say`The corpus has ${plural(kinds, 'different word')} in ${plural(symbols, 'symbol')}, each a token.`,
    /** @param {{pair: Part, becomes: Part, count: number, symbols: number, stale: number}} values */
    merge: ({ pair, becomes, count, symbols, stale }) => {
      const dropped = stale ? ` The heap dropped ${plural(stale, 'stale entry', 'stale entries')} first.` : '';
      return say`${pair} occurs ${count} times and becomes ${becomes}: ${symbols} symbols are left.${dropped}`;
    },
    /** @param {{pair: Part, becomes: Part, count: number, score: string, symbols: number}} values */
    scored: ({ pair, becomes, count, score, symbols }) =>
      say`${pair} has the score ${score}, counted ${count} times, and becomes ${becomes}: ${symbols} symbols are left.`,
    dry: say`No pair occurs twice: there is nothing left to learn.`,
    /** @param {number} n */
    done: n => say`The vocabulary has ${inTokens(n)}, and the lesson ends here.`,
    /** @param {{chosen: {name: Part, value: string}, right: {name: Part, value: string}}} values */
    miss: ({ chosen, right }) => say`${chosen.name} occurs ${chosen.value} times, ${right.name} ${right.value} times.`,
    /** @param {{chosen: {name: Part, value: string}, right: {name: Part, value: string}}} values */
    missScore: ({ chosen, right }) => say`${chosen.name} has the score ${chosen.value}, ${right.name} ${right.value}.`,
    /** @param {{chosen: {name: Part, value: string}, right: {name: Part, value: string}}} values */
    tie: ({ chosen, right }) => say`Both have ${right.value}, and ${right.name} has lower IDs than ${chosen.name}.`,
  },

  utf8: {
    /** @param {string} character */
    task: character => `How many bytes does ${character} take?`,
    taskWatch: 'Each character becomes one to four bytes.',
    table: 'Characters',
    columns: ['Character', 'Code point', 'Number', 'Bytes'],
    /** @param {number} n */
    bytes: n => plural(n, 'byte'),
    start: say`Every character has a number, its code point. A tokenizer of bytes sees only what UTF-8 writes for it.`,
    /** @param {{character: Part, code: string, number: number, bits: number, bytes: number}} values */
    character: ({ character, code, number, bits, bytes }) =>
      say`${character} is ${code}, the number ${number}: ${plural(bits, 'bit')}, which need ${plural(bytes, 'byte')}.`,
    /** @param {{byte: Part, mark: string, bits: number}} values */
    byte: ({ byte, mark, bits }) => {
      if (mark === '0') return say`${byte} begins with 0: it is a character alone, in ${bits} bits.`;
      if (mark === '10') return say`${byte} begins with 10: it goes on with ${bits} more bits.`;
      return say`${byte} begins with ${mark}: the character has ${mark.length - 1} bytes, and ${bits} bits are here.`;
    },
    /** @param {number} characters @param {number} bytes @param {number} tokens */
    done: (characters, bytes, tokens) =>
      say`${plural(characters, 'character')} are ${plural(bytes, 'byte')}, and ${inTokens(tokens)} of this tokenizer.`,
    /** @param {{code: string, right: number, from: string, to: string}} values */
    miss: ({ code, right, from, to }) =>
      say`${code} lies between ${from} and ${to}, and these take ${plural(right, 'byte')}.`,
  },

  pipeline: {
    /** @param {string} stage */
    task: stage => `Does “${stage}” change this text?`,
    taskWatch: 'Each stage hands its pieces to the next.',
    text: 'text',
    /** @type {Object<string, string>} */
    steps: {
      start: 'text',
      model: 'model',
      cut: 'added token',
      tokens: 'tokens',
      template: 'template',
      spelled: 'as the vocabulary spells them',
      bytes: 'bytes',
      decoded: 'decoded',
      done: 'tokens',
    },
    table: 'Pieces now',
    columns: ['', 'Piece', 'ID'],
    choices: { changed: 'It changes it', same: 'It stays as it is' },
    start: say`The text as it was typed.`,
    /** @param {string} stage */
    same: stage => say`“${stage}” finds nothing to do in this text.`,
    /** @param {string} stage */
    changed: stage => say`“${stage}” changes the text.`,
    /** @type {Object<string, Part[]>} The way back of SentencePiece. */
    back: {
      spelled: say`The tokens as the vocabulary spells them: ▁ stands for a space.`,
      bytes: say`Tokens of bytes are joined to characters.`,
      decoded: say`Marks become spaces again: this is what can be read back.`,
    },
    /** @param {string} stage @param {number} n */
    cut: (stage, n) => say`“${stage}” cuts the text into ${plural(n, 'piece')}. No token reaches over a cut.`,
    /** @param {number} n */
    tokens: n => say`The model makes ${inTokens(n)} of this piece.`,
    /** @param {number} n */
    template: n => (n ? say`The template adds ${inTokens(n)} around the text.` : say`The template adds no token.`),
    /** @param {number} n */
    done: n => say`These are all ${inTokens(n)}.`,
    /** @param {number} n */
    model: n => say`The model finds the tokens of each piece: ${inTokens(n)}.`,
    /** @param {string} stage */
    missedChange: stage => say`“${stage}” does change it: the next row shows where.`,
    /** @param {string} stage */
    missedSame: stage => say`“${stage}” finds nothing to do in this text.`,
  },
};
