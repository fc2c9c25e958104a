/**
 * Unigram: the best sum of scores to each place, then the path read back from the end; after it other paths, and how
 * often they are drawn.
 */
import { pretokenName, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { ratio } from '../../util/format.js';
import { words } from '../words/index.js';
import { drawTokens } from './last_tokens.js';
import { oncePerLesson, wordOf } from './scene.js';
import {
  drawChoices,
  drawLetters,
  drawPaths,
  LETTERS,
  NEXT_BEST,
  ownPath,
  ownTokens,
  pathKey,
  pathName,
  pathOfKey,
  pathTable,
  probability,
  rowHeights,
} from './unigram_paths.js';

/** Characters of a word that are drawn: those around the step. */
const MOST_CHARACTERS = 40;
/** Height of the positions and their sums. */
const FOOT = 52;
/** Width of a sum such as “−118.30”, and the space to the next one. */
const WIDE_SUM = 50;
/** @typedef {import('./scene.js').View} View */
/** @typedef {import('../figures/sheet.js').Sheet} Sheet */

/** @type {import('./scene.js').Scene} */
export const unigramEncode = {
  name: 'unigram-encode',
  group: 'encoding',
  model: 'Unigram',
  example: 'unaffordable tokens',
  draws: true,

  stop: ({ step }) => (step in STOPS ? words.stops[/** @type {keyof typeof words.stops} */ (step)] : ''),

  asks(next, at, _last, stateAt) {
    if (next.step === 'place') return next.nodes[1] - next.nodes[0] > 1;
    if (next.step === 'back') {
      const state = stateAt(at);
      // What won at the end of the word has just been said.
      return state.now.step === 'back' && endingWith(state, next.node).length > 1;
    }
    return next.step === 'paths' && next.count > NEXT_BEST.length && ownPath(stateAt(at + 1)) === 0;
  },

  right({ next }) {
    if (!next) return null;
    if (next.now.step === 'back') return String(next.now.node);
    return next.now.step === 'paths' ? pathKey(NEXT_BEST[0]) : String(next.lists.places[next.now.at].node);
  },

  isRight({ next }, key) {
    const { now, lists } = /** @type {import('./scene.js').State} */ (next);
    if (now.step === 'paths')
      return ratio(lists.paths[pathOfKey(key)].score) === ratio(lists.paths[NEXT_BEST[0]].score);
    if (now.step === 'back') return Number(key) === now.node;
    return ratio(lists.nodes[Number(key)].sum) === ratio(lists.places[now.at].best);
  },

  task: ({ isAsked, state, next }) => {
    if (isAsked && next?.now.step === 'paths') return words.unigram.taskPath;
    if (isAsked && next?.now.step === 'back') return words.unigram.taskBackFrom(endOf(next));
    if (isAsked) return words.unigram.task(placeNumber(/** @type {any} */ (next)));
    if (state.now.step === 'done') return words.unigram.taskDone;
    if (state.now.step === 'paths') return words.unigram.taskPaths;
    if (state.now.step === 'draws') return words.unigram.taskDraws;
    return state.now.step === 'back' ? words.unigram.taskBack : words.unigram.taskWatch;
  },

  sentence({ facts, state, at }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.unigram.start;
    if (now.step === 'place') {
      const { best, node } = lists.places[now.at];
      const ways = now.nodes[1] - now.nodes[0];
      if (node === null || !lists.nodes[node]) return words.unigram.nothing;
      return words.unigram.place({
        token: pointing(tokenName(facts, lists.nodes[node].id), `n${node}`),
        place: placeNumber(state),
        ways,
        sum: ratio(best),
        isFirst: at === 1,
      });
    }
    if (now.step === 'back') {
      const { id, from } = lists.nodes[now.node];
      const base = firstPlace(state, now.pretoken);
      return words.unigram.back({ token: pointing(tokenName(facts, id), `n${now.node}`), place: from - base });
    }
    const [best, next] = lists.paths;
    const own = ownPath(state);
    if (now.step === 'paths' && own !== 0) {
      const name = pathName(facts, ownTokens(state));
      return words.unigram.otherPath({
        path: pointing(pathName(facts, best.tokens), 'p0'),
        share: probability(best),
        own: own < 0 ? name : pointing(name, pathKey(own)),
      });
    }
    if (now.step === 'paths')
      return words.unigram.paths({
        path: pointing(pathName(facts, best.tokens), 'p0'),
        share: probability(best),
        next: pointing(pathName(facts, next.tokens), 'p1'),
        nextShare: probability(next),
      });
    if (now.step === 'draws')
      return words.unigram.draws({
        draws: now.draws,
        path: pointing(pathName(facts, best.tokens), 'p0'),
        times: best.drawn,
        share: probability(best),
        others: lists.paths.length - now.count,
      });
    if (now.step === 'unlisted') return words.unigram.unlisted(now.most);
    if (now.step === 'added') return words.unigram.added;
    if (now.step !== 'done') return words.unigram.other;
    return words.unigram.done(facts.ids.length);
  },

  miss({ facts, next }, chosen, right) {
    const { now, lists } = /** @type {import('./scene.js').State} */ (next);
    if (now.step === 'paths') {
      /** @param {string} key */
      const path = key => {
        const { tokens, score } = lists.paths[pathOfKey(key)];
        return { path: pointing(pathName(facts, tokens), key), sum: ratio(score) };
      };
      return words.unigram.missPath({ chosen: path(chosen), right: path(right) });
    }
    /** @param {string} key */
    const candidate = key => {
      const { id, sum, score, from } = lists.nodes[Number(key)];
      const before = lists.places[from].best;
      return {
        token: pointing(tokenName(facts, id), `n${key}`),
        sum: ratio(sum),
        score: ratio(score),
        before: ratio(before),
      };
    };
    return words.unigram.miss({ chosen: candidate(chosen), right: candidate(right) });
  },

  table(view) {
    const { facts, state, next, isAsked, chosen } = view;
    const shownState = isAsked && next ? next : state;
    const { now, lists } = shownState;
    if (lists.paths.length) return pathTable(view, shownState);
    if (!isAsked && now.step !== 'place') return tokenTable(facts, shownState);
    const marked = now.step === 'place' && lists.places[now.at].node;
    return {
      caption: words.unigram.table(now.step === 'place' ? placeNumber(shownState) : endOf(shownState)),
      columns: words.unigram.columns,
      numeric: [1, 2, 3],
      rows: arriving(shownState).map(n => ({
        cells: [
          tokenName(facts, lists.nodes[n].id),
          ratio(lists.places[lists.nodes[n].from].best),
          ratio(lists.nodes[n].score),
          isAsked && chosen === null ? '?' : ratio(lists.nodes[n].sum),
        ],
        ref: `n${n}`,
        choice: isAsked ? String(n) : undefined,
        isMarked: !isAsked && n === marked,
      })),
    };
  },

  draw(view, sheet, markOf) {
    const word = wordOf(view) ?? 0;
    if (!view.facts.pretokens[word]) return;
    if (view.isAsked && view.next?.now.step === 'paths') drawChoices(view, sheet, word, markOf);
    else if (view.state.now.step === 'done') drawTokens(view.facts, view.state.lists.tokens, sheet);
    else if (!view.isAsked && view.state.lists.paths.length) drawPaths(view, sheet, word);
    else drawLattice(view, sheet, word, markOf);
  },
};

/** The tokens that end where another one does. @param {import('./scene.js').State} state @param {number} node */
function endingWith({ lists: { nodes } }, node) {
  return [...nodes.keys()].filter(n => nodes[n].to === nodes[node].to);
}

/** The tokens of which a step takes one. @param {import('./scene.js').State} state @returns {number[]} their numbers */
function arriving(state) {
  const { now } = state;
  if (now.step === 'back') return endingWith(state, now.node);
  if (now.step !== 'place') return [];
  return Array.from({ length: now.nodes[1] - now.nodes[0] }, (_, n) => now.nodes[0] + n);
}

/** The number of the position from which a step reads back. @param {import('./scene.js').State} state */
const endOf = state => state.lists.nodes[state.now.node].to - firstPlace(state, state.now.pretoken);

/**
 * The tokens of the path as far as it is read back; at the end those of all words.
 * @param {any} facts @param {import('./scene.js').State} state @returns {import('./scene.js').StepTable}
 */
function tokenTable(facts, { now, lists }) {
  const tokens = lists.tokens.filter(({ pretoken }) => now.step === 'done' || pretoken === now.pretoken);
  return {
    caption: words.unigram.tokenTable,
    columns: words.unigram.columns,
    numeric: [1, 2, 3],
    rows: tokens.map(({ id, node }) => {
      const found = lists.nodes[node];
      const sums = found && [lists.places[found.from].best, found.score, found.sum].map(sum => ratio(sum));
      return {
        cells: [tokenName(facts, id), ...(sums ?? ['–', '–', '–'])],
        isMarked: node !== null && node === now.node,
      };
    }),
  };
}

/** Steps that are stops. */
const STOPS = { start: 0, paths: 0, done: 0 };

/**
 * All tokens that may stand in a word, and the best sum at each position.
 * @param {View} view @param {Sheet} sheet @param {number} word @param {(key: string) => ''|'wrong'|'right'} markOf
 */
function drawLattice({ facts, state, next, isAsked, chosen, last, stateAt }, sheet, word, markOf) {
  const part = facts.pretokens[word];
  const { lists } = isAsked && next ? next : state;
  const base = firstPlace({ lists }, word);
  const whole = Array.from(part.text);
  const step = isAsked && next ? next.now : state.now;
  const now = step.at ?? lists.nodes[step.node]?.to ?? base;
  const first = Math.max(0, Math.min(now - base - MOST_CHARACTERS / 2, whole.length - MOST_CHARACTERS));
  const characters = whole.slice(first, first + MOST_CHARACTERS);
  const unit = Math.max(40, Math.min(64, (sheet.room - 48) / Math.max(1, characters.length)));
  const left = 24;
  drawLetters(sheet, characters, letter => pretokenName(facts, letter), { left, unit });
  const top = LETTERS + 4;
  const best = new Set(isAsked ? readOf(state, word) : pathOf(state, word));
  const asked = new Set(isAsked && next ? arriving(next) : []);
  const { rowOf, taken } = rowsOf({ facts, last, stateAt });
  const rows = taken[word]?.length ?? 1;
  const { block, row: rowHeight } = rowHeights(sheet, rows, top + FOOT);
  // The token that won at each position, until the path is read back.
  const winners = new Set(lists.places.map(({ node }) => node));
  lists.nodes.forEach((node, n) => {
    const from = node.from - base - first;
    const to = node.to - base - first;
    if (from < 0 || to > characters.length || lists.places[node.from].pretoken !== word) return;
    const length = to - from;
    const row = rowOf[n] ?? 0;
    const key = String(n);
    const isChoice = asked.has(n);
    const kinds = [
      best.has(n) ? 'best' : 'other',
      winners.has(n) && !isChoice ? 'winner' : '',
      isChoice && markOf(key),
      isChoice ? 'choice' : '',
      !isAsked && state.now.step === 'place' && lists.places[state.now.at].node === n ? 'new' : '',
    ];
    sheet.box({
      x: left + from * unit + 2,
      y: top + row * rowHeight,
      width: length * unit - 4,
      height: block,
      text: tokenName(facts, node.id),
      size: block < 34 ? 14 : 17,
      below: ratio(node.score),
      ref: `n${n}`,
      className: kinds.filter(Boolean).join(' '),
      choice: isChoice ? key : undefined,
      label: words.unigram.press(tokenName(facts, node.id), ratio(node.score)),
    });
  });
  const foot = top + rows * rowHeight + 12;
  for (let n = 0; n <= characters.length; n++) {
    const at = base + first + n;
    const place = lists.places[at];
    const isHidden = isAsked && chosen === null && at === next?.now.at;
    const isNow = at === now && STEPS_OF_PLACES.has(step.step);
    sheet.round({ x: left + n * unit, y: foot, r: 11, text: '', className: `place ${isNow ? 'now' : ''}` });
    sheet.text({
      x: left + n * unit,
      y: foot,
      text: String(first + n),
      size: 11,
      className: isNow ? 'on-accent' : 'faint',
    });
    const known = place && place.pretoken === word && !isHidden;
    const sum = known ? ratio(place.best) : isHidden ? '?' : '–';
    // Sums that are wider than a character stand at two heights.
    const below = 20 + (unit < WIDE_SUM && n % 2 ? 12 : 0);
    sheet.text({ x: left + n * unit, y: foot + below, text: sum, size: 11 });
  }
  sheet.focus = (now - base - first) * unit + left;
  sheet.width = characters.length * unit + 2 * left;
  sheet.height = foot + FOOT - 12;
}

/** Steps that are about a position. */
const STEPS_OF_PLACES = new Set(['start', 'place', 'back']);

/**
 * @param {{lists: Object<string, any[]>}} state @param {number} word
 * @returns {number} the index of the place before it
 */
function firstPlace({ lists }, word) {
  const at = lists.places.findIndex(({ pretoken }) => pretoken === word);
  return at < 0 ? lists.places.length : at;
}

/** @param {import('./scene.js').State} state at a step `place` @returns {number} the place's number in its word */
const placeNumber = state => state.now.at - firstPlace(state, state.now.pretoken);

/** The rows of all tokens, so that nothing moves from step to step: the first row where a token has room. */
const rowsOf = oncePerLesson((/** @type {Pick<View, 'facts'|'last'|'stateAt'>} */ { last, stateAt }) => {
  const { nodes, places } = stateAt(last).lists;
  /** Spans by word and row. @type {[number, number][][][]} */
  const taken = [];
  /** By node. @type {number[]} */
  const rowOf = [];
  for (const { from, to } of nodes) {
    const word = places[from].pretoken;
    taken[word] ??= [];
    const rows = taken[word];
    let row = rows.findIndex(spans => spans.every(([start, end]) => end <= from || start >= to));
    if (row < 0) row = rows.push([]) - 1;
    rows[row].push([from, to]);
    rowOf.push(row);
  }
  return { rowOf, taken };
});

/**
 * The nodes of the best path as far as it is read back.
 * @param {{lists: Object<string, any[]>}} state @param {number} word @returns {number[]}
 */
const readOf = ({ lists }, word) => lists.tokens.filter(({ pretoken }) => pretoken === word).map(({ node }) => node);

/**
 * The nodes of the best path as far as it is read back; before that, of the best path to the place of the step.
 * @param {import('./scene.js').State} state @param {number} word @returns {number[]}
 */
function pathOf({ now, lists }, word) {
  const read = readOf({ lists }, word);
  if (read.length || now.step !== 'place') return read;
  const found = [];
  for (
    let node = lists.places[now.at].node;
    node !== null && node !== undefined;
    node = lists.places[lists.nodes[node].from].node
  )
    found.push(node);
  return found;
}
