/** Training of BPE and WordPiece: words as symbols, pairs in their order, the vocabulary, and the compression. */
import { count as counted } from '../../util/format.js';
import { smallNumber, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';

const ROW = 27;
/** Words, pairs and tokens that are drawn: so many in a low window, and more in a higher one. */
const LEAST_ROWS = 7;
const MOST_ROWS = 13;
const LOW = 420;
const MOST_IN_HEAP = 9;
const LETTER = 10;
const CURVE = 70;
/** The step at which the end of the curve is asked for, and how many must follow. */
const ASKED_AT = 2;
const LEAST_LEFT = 3;
const MOST_ENDS = 4;

/** @typedef {import('./scene.js').View} View */
/** @typedef {{pair: [number, number], count: number, score: number|null, rose: number|null}} Pair */

/** @param {'bpe-train'|'wordpiece-train'} name @param {string} model @returns {import('./scene.js').Scene} */
const trainScene = (name, model) => ({
  name,
  group: 'training',
  model,
  example: 'low low low lower lowest newer newer newest newest widest',

  stop(now, facts) {
    if (now.step === 'start') return words.stops.start;
    return now.step === 'merge' ? tokenName(facts, now.id) : words.stops.done;
  },

  asks: next => next.step === 'merge',

  right: view => {
    if (asksEnd(view)) return String(view.nowAt(view.last).symbols);
    return view.next?.now.step === 'merge' ? keyOf(view.next.now.pair) : null;
  },

  task: view => {
    if (view.state.now.step === 'done') return words.train.taskDone;
    if (!view.isAsked) return words.train.taskWatch[name];
    return asksEnd(view) ? words.train.predict(view.last) : words.train.task[name];
  },

  answer(view) {
    if (!asksEnd(view)) return null;
    const { last, state, nowAt } = view;
    return words.train.foretold({ last, end: counted(nowAt(last).symbols), now: counted(state.now.symbols) });
  },

  sentence({ facts, state }) {
    const { now } = state;
    if (now.step === 'start') return words.train.start(state.lists.words.length, now.symbols);
    if (now.step === 'done') return now.dry ? words.train.dry : words.train.done(state.lists.vocabulary.length);
    const pair = pointing(nameOf(facts, now.pair), `v${now.id}`);
    const becomes = pointing(tokenName(facts, now.id), `v${now.id}`);
    const stale = (now.taken?.length ?? 1) - 1;
    return now.score === null
      ? words.train.merge({ pair, becomes, count: now.count, symbols: now.symbols, stale })
      : words.train.scored({ pair, becomes, count: now.count, score: figure(now.score), symbols: now.symbols });
  },

  miss(view, chosen, right) {
    if (asksEnd(view)) return missedEnd(view, Number(chosen));
    const { facts, state } = view;
    /** @param {string} key */
    const of = key => {
      const pair = /** @type {Pair} */ (state.lists.pairs.find(each => keyOf(each.pair) === key));
      const value = pair.score === null ? String(pair.count) : figure(pair.score);
      return { name: pointing(nameOf(facts, pair.pair), `p${key}`), value };
    };
    const values = { chosen: of(chosen), right: of(right) };
    if (values.chosen.value === values.right.value) return words.train.tie(values);
    return name === 'bpe-train' ? words.train.miss(values) : words.train.missScore(values);
  },

  table(view) {
    const { facts, at, chosen, stateAt } = view;
    const isAsked = view.isAsked && !asksEnd(view);
    // Of a merge, the pairs among which it was chosen.
    const { now } = view.state;
    const isMerge = !isAsked && now.step === 'merge';
    const state = isMerge ? stateAt(at - 1) : view.state;
    const hasScores = name === 'wordpiece-train';
    return {
      caption: isMerge ? words.train.tableBefore : words.train.table,
      columns: hasScores ? words.train.scoreColumns : words.train.columns,
      numeric: [1, 2],
      rows: ordered(state.lists.pairs, isAsked).map(({ pair, count, score, rose }) => ({
        cells: [
          nameOf(facts, pair),
          isAsked && chosen === null ? '?' : String(count),
          hasScores ? (isAsked && chosen === null ? '?' : figure(score ?? 0)) : isAsked ? '' : roseWords(rose),
        ],
        colours: pair,
        ref: `p${keyOf(pair)}`,
        choice: isAsked ? keyOf(pair) : undefined,
        isMarked: isMerge && keyOf(pair) === keyOf(now.pair),
      })),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state } = view;
    const { lists, now } = state;
    const isEnd = asksEnd(view);
    if (isEnd) drawCurve(view, sheet, markOf, 8); // where it is seen without scrolling
    if (isEnd && sheet.isForRoom) return;
    const isAsked = view.isAsked && !isEnd;
    const wide = wideOf(sheet);
    const narrow = Math.max(170, (sheet.room - wide) / 2);
    const columns = [0, wide, wide + narrow];
    const lead = isEnd ? CURVE + 50 : 0;
    const heads = [words.train.words, isAsked ? words.train.pairsById : words.train.pairs, words.train.vocabulary];
    heads
      .slice(0, sheet.isForRoom && isAsked ? 2 : 3)
      .forEach((text, n) =>
        sheet.text({ x: columns[n], y: lead + 8, text, anchor: 'start', size: 12, className: 'faint' }),
      );
    const top = lead + 24;
    const most = rowsIn(sheet);
    lists.words.slice(0, most).forEach(({ count, symbols }, n) => {
      let x = 0;
      for (const id of symbols) {
        const text = tokenName(facts, id);
        const width = Math.max(16, text.length * (LETTER - 1) + 6);
        if (x + width > wide - 60) {
          sheet.text({ x, y: top + n * ROW + 12, text: '…', anchor: 'start' });
          x += 14;
          break;
        }
        const isNew = now.step === 'merge' && id === now.id && !isAsked;
        const y = top + n * ROW;
        sheet.box({ x, y, width, height: ROW - 6, text, size: 14, colour: id, className: isNew ? 'new' : '' });
        x += width + 2;
      }
      sheet.text({ x: x + 6, y: top + n * ROW + 12, text: `× ${count}`, anchor: 'start', className: 'faint' });
    });
    ordered(lists.pairs, isAsked)
      .slice(0, isAsked ? Infinity : most)
      .forEach(({ pair, count, score }, n) => {
        const key = keyOf(pair);
        const text = nameOf(facts, pair);
        const isFirst = !isAsked && n === 0 && now.step !== 'done';
        const kind = markOf(key) || (isFirst ? 'new' : isAsked ? 'choice' : 'plain');
        const width = isAsked ? (narrow - 10) / 2 : narrow - (score === null ? 60 : 84);
        const x = wide + (isAsked ? (n % 2) * (width + 4) : 0);
        const y = top + (isAsked ? Math.floor(n / 2) : n) * ROW;
        sheet.box({
          x,
          y,
          width,
          height: ROW - 6,
          text,
          size: 14,
          ref: `p${key}`,
          className: kind,
          choice: isAsked ? key : undefined,
          label: words.train.press(text),
        });
        if (!isAsked)
          sheet.text({
            x: x + width + 8,
            y: y + 12,
            text: score === null ? String(count) : `${figure(score)} (${count})`,
            anchor: 'start',
            className: isFirst ? 'new' : '',
          });
      });
    if (sheet.isForRoom && isAsked) return; // what was learnt says nothing of the next pair
    const learnt = lists.vocabulary.slice(-most).reverse();
    learnt.forEach(({ id, count, parts }, n) => {
      const text = tokenName(facts, id);
      const width = Math.max(24, text.length * LETTER + 8);
      const isNew = !isAsked && now.step === 'merge' && id === now.id;
      const y = top + n * ROW;
      const kind = isNew ? 'new' : parts ? 'plain' : 'other';
      sheet.box({ x: columns[2], y, width, height: ROW - 6, text, size: 14, ref: `v${id}`, className: kind });
      const said = parts ? words.train.counts(counted(count), counted(occurrences(id, lists.words))) : counted(count);
      sheet.text({ x: columns[2] + width + 8, y: y + 12, text: said, anchor: 'start', className: 'faint' });
    });
    if (sheet.isForRoom) return;
    const foot = top + most * ROW + 14;
    if (!isEnd) drawCurve(view, sheet, markOf, foot);
    if (lists.heap?.length) drawHeap(view, sheet, wide, foot);
    sheet.width = Math.max(sheet.width, wide + 2 * narrow - 20);
  },
});

export const bpeTrain = trainScene('bpe-train', 'BPE');
export const wordpieceTrain = trainScene('wordpiece-train', 'WordPiece');

/** @param {import('../figures/sheet.js').Sheet} sheet */
const rowsIn = ({ tall, isForRoom }) =>
  isForRoom
    ? LEAST_ROWS
    : Math.max(LEAST_ROWS, Math.min(MOST_ROWS, LEAST_ROWS + 2 * Math.floor((tall - LOW) / (2 * ROW))));

/** The width of the words, and of the curve below them. @param {import('../figures/sheet.js').Sheet} sheet */
const wideOf = ({ room }) => Math.max(236, room * 0.42);

/**
 * The symbols of the corpus after each step so far, what was guessed of the last one, and what can be guessed.
 * @param {View} view @param {import('../figures/sheet.js').Sheet} sheet
 * @param {(key: string) => 'wrong'|'right'|''} markOf @param {number} top
 */
function drawCurve(view, sheet, markOf, top) {
  const { at, last, nowAt, guesses, chosen } = view;
  const wide = wideOf(sheet);
  const first = nowAt(0).symbols;
  const step = Math.min(26, (wide - 30) / Math.max(1, last));
  sheet.text({
    x: 0,
    y: top,
    text: words.train.curve(counted(nowAt(at).symbols)),
    anchor: 'start',
    className: 'faint',
  });
  /** @param {number} symbols */
  const height = symbols => top + 16 + CURVE * (1 - symbols / first);
  const end = 4 + last * step;
  const points = Array.from({ length: at + 1 }, (_, n) => `${4 + n * step} ${height(nowAt(n).symbols)}`);
  sheet.path(`M4 ${top + 16}H${wide - 16}M4 ${top + 16 + CURVE}H${wide - 16}`, { className: 'dotted' });
  sheet.path(`M${points.join('L')}`, { className: 'new' });
  sheet.round({ x: 4 + at * step, y: height(nowAt(at).symbols), r: 4, text: '', className: 'place now' });
  sheet.height = Math.max(sheet.height, top + 24 + CURVE);
  const guess = guesses?.get(ASKED_AT);
  if (guess !== undefined && hasEnd(ASKED_AT, last) && at >= ASKED_AT) {
    const y = height(Number(guess));
    sheet.path(`M${end - 8} ${y - 5}l8 10m-8 0l8 -10`, { className: 'guess' });
    sheet.text({ x: end - 14, y, text: words.train.guess(counted(Number(guess))), anchor: 'end' });
  }
  if (!asksEnd(view)) return;
  const left = sheet.isForRoom ? 0 : wide;
  const below = sheet.isForRoom ? top + CURVE + 50 : top + 16;
  const isTold = chosen !== null;
  endsOf(view).forEach((symbols, n) => {
    const key = String(symbols);
    const label = words.train.end(counted(symbols));
    const [x, y] = [left + (n % 2) * 124, below + Math.floor(n / 2) * 38];
    const className = markOf(key) || 'choice';
    sheet.box({ x, y, width: 116, height: 30, text: label, size: 14, choice: key, label, className });
    if (!isTold || markOf(key)) sheet.round({ x: end, y: height(symbols), r: 4, text: '', className: 'place' });
  });
}

/** Whether the end of the curve is asked for after a step. @param {number} at @param {number} last */
const hasEnd = (at, last) => at === ASKED_AT && last >= ASKED_AT + LEAST_LEFT;

/** The same of what is shown. @param {View} view */
const asksEnd = ({ isAsked, at, last }) => isAsked && hasEnd(at, last);

/** What can be guessed. @param {View} view */
function endsOf({ at, last, nowAt }) {
  const [first, now, end] = [0, at, last].map(n => nowAt(n).symbols);
  return likelyEnds({ first, now, end, done: at, left: last - at });
}

/**
 * Different numbers of symbols at which a curve may end, the highest first: the true one, one where each merge saves as
 * much as those so far, and others between 1 and what is there now.
 * @param {{first: number, now: number, end: number, done: number, left: number}} curve `done`, `left`: merges
 */
export function likelyEnds({ first, now, end, done, left }) {
  const straight = Math.round(now - ((first - now) / Math.max(1, done)) * left);
  const near = Array.from({ length: MOST_ENDS }, (_, n) => [end - n - 1, end + n + 1]).flat();
  /** @type {Set<number>} */
  const ends = new Set([end]);
  for (const symbols of [straight, Math.round((now + end) / 2), Math.round(end / 2), ...near])
    if (ends.size < MOST_ENDS && symbols >= 1 && symbols <= now) ends.add(symbols);
  return [...ends].sort((a, b) => b - a);
}

/** Why a guess of the end is wrong. @param {View} view @param {number} chosen */
function missedEnd({ at, last, nowAt }, chosen) {
  const [first, now, end] = [0, at, last].map(n => nowAt(n).symbols);
  const left = Array.from({ length: last - at }, (_, n) => nowAt(at + 1 + n)).filter(({ step }) => step === 'merge');
  return words.train.missedEnd({
    chosen: counted(chosen),
    end: counted(end),
    done: at,
    saved: counted(first - now),
    left: left.length,
    saves: counted(now - end),
  });
}

/** How often a token occurs now. @param {number} id @param {{count: number, symbols: number[]}[]} corpus words */
const occurrences = (id, corpus) =>
  corpus.reduce((sum, { count, symbols }) => sum + count * symbols.filter(each => each === id).length, 0);

/**
 * The top of the lazy heap: an entry keeps the count that it was put there with.
 * @param {View} view @param {import('../figures/sheet.js').Sheet} sheet @param {number} left @param {number} top
 */
function drawHeap({ facts, state, isAsked }, sheet, left, top) {
  if (isAsked) return; // its top is the answer
  const { waiting, stale } = state.now;
  sheet.text({ x: left, y: top, text: words.train.heap(waiting, stale), anchor: 'start', className: 'faint' });
  let x = left;
  for (const { pair, stored, count } of state.lists.heap.slice(0, MOST_IN_HEAP)) {
    const text = nameOf(facts, pair);
    const width = Math.max(52, text.length * (LETTER - 1) + 8);
    if (x + width > sheet.room) break;
    const isStale = stored !== count;
    const below = isStale ? words.train.stale(stored, count) : String(stored);
    sheet.box({ x, y: top + 16, width, height: 42, text, size: 13, below, className: isStale ? 'missed' : 'plain' });
    x += width + 4;
  }
}

/** @param {[number, number]} pair */
const keyOf = ([left, right]) => `${left},${right}`;

/** @param {any} facts @param {[number, number]} pair */
const nameOf = (facts, [left, right]) => `${tokenName(facts, left)} + ${tokenName(facts, right)}`;

/**
 * The next one first; where it is asked for, by the IDs, which say nothing.
 * @param {Pair[]} pairs @param {boolean} isAsked
 */
const ordered = (pairs, isAsked) =>
  isAsked ? [...pairs].sort((a, b) => a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]) : pairs;

/** @param {number|null} rose places since the last step */
const roseWords = rose => {
  if (rose === null) return words.train.isNew;
  return rose === 0 ? '' : rose > 0 ? `↑ ${rose}` : `↓ ${-rose}`;
};

/** @param {number} score */
const figure = score => smallNumber(score, 3);
