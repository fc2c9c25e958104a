/** Four textbook BPE encoders side by side: the same merges, other data structures, operations counted. */
import { count } from '../../util/format.js';
import { extent } from '../figures/sheet.js';
import { tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { drawGrowth } from './growth.js';

const NAMES = /** @type {const} */ (['naive', 'pretoken', 'ordered-set', 'linked-list']);
const COUNTERS = /** @type {const} */ (['merges', 'lookups', 'moves', 'pushes', 'pops', 'stale', 'removals']);
const LINE = 17;
const CELL = 26;
/** Symbols, entries of a tree and of a heap that are drawn. */
const MOST_SYMBOLS = 15;
const MOST_ENTRIES = 6;

/** @type {import('./scene.js').Scene} */
export const encoders = {
  name: 'encoders',
  group: 'structures',
  model: 'byte-level BPE',
  example: 'unbelievable tokenizers, unbelievable encoders',

  stop: now => (now.step === 'start' ? words.stops.start : now.step === 'done' ? words.stops.done : ''),

  asks: (_next, at) => at === 0,

  right({ last, nowAt }) {
    const totals = totalsOf(nowAt(last));
    return String(totals.indexOf(Math.min(...totals)));
  },

  isRight({ last, nowAt }, key) {
    const totals = totalsOf(nowAt(last));
    return totals[Number(key)] === Math.min(...totals);
  },

  task: ({ isAsked }) => (isAsked ? words.encoders.task : words.encoders.taskWatch),

  sentence({ facts, state }) {
    const { now } = state;
    if (now.step === 'start') return words.encoders.start;
    if (now.step === 'done') {
      return words.encoders.done(
        totalsOf(now).map((total, n) => ({ name: words.encoders.names[n], total: count(total) })),
      );
    }
    const { whole, split, number } = now;
    const parts = [];
    if (whole) parts.push(words.encoders.whole(pointing(tokenName(facts, whole.id), 'e0'), whole.moved));
    if (split) parts.push(words.encoders.split(pointing(tokenName(facts, split.id), 'e1'), split.moved));
    return words.encoders.merge(number + 1, parts);
  },

  miss({ last, nowAt }, chosen, right) {
    /** @param {string} key */
    const of = key => ({
      name: pointing(words.encoders.names[Number(key)], `e${key}`),
      total: count(totalsOf(nowAt(last))[Number(key)]),
    });
    return words.encoders.miss({ chosen: of(chosen), right: of(right) });
  },

  table({ state }) {
    return {
      caption: words.encoders.table,
      columns: words.encoders.columns,
      numeric: [1, 2, 3, 4],
      rows: COUNTERS.map((counter, n) => ({
        cells: [words.encoders.counters[n], ...NAMES.map((_, k) => count(state.now.work[k][counter]))],
      })),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, isAsked, last, nowAt } = view;
    const { lists, now } = state;
    const column = Math.max(132, (sheet.room - 24) / 4);
    // A room has no place for all of it: the last step shows the charts instead of rows and queues that are ready.
    const isEnd = sheet.isForRoom && now.step === 'done';
    NAMES.forEach((_, n) => {
      const x = n * (column + 8);
      const key = String(n);
      const work = now.work[n];
      const kind = isAsked ? `choice ${markOf(key)}` : 'plain';
      const name = words.encoders.names[n];
      sheet.box({
        x,
        y: 0,
        width: column,
        height: 62,
        text: isAsked ? '?' : count(work.operations),
        size: 24,
        below: name,
        ref: `e${n}`,
        className: kind,
        choice: isAsked ? key : undefined,
        label: words.encoders.press(name),
      });
      if (isAsked) return;
      if (isEnd) return;
      const total = totalsOf(nowAt(last))[n];
      sheet.text({ x, y: 78, text: words.encoders.atEnd(count(total)), anchor: 'start', className: 'faint' });
      if (sheet.isForRoom) return;
      COUNTERS.forEach((counter, k) => {
        const y = 104 + k * LINE;
        const isZero = work[counter] === 0;
        sheet.text({ x, y, text: words.encoders.counters[k], anchor: 'start', className: isZero ? 'faint' : '' });
        sheet.text({
          x: x + column - 6,
          y,
          text: count(work[counter]),
          anchor: 'end',
          className: isZero ? 'faint' : '',
        });
      });
    });
    if (isAsked) {
      sheet.height = 300;
      return;
    }
    if (isEnd) return drawGrowth(sheet, facts.growth, 78);
    const top = 104 + (sheet.isForRoom ? 0 : COUNTERS.length * LINE + 14);
    row(sheet, facts, lists.whole, now.whole, top, words.encoders.wholeRow);
    row(sheet, facts, lists.split, now.split, top + 52, words.encoders.splitRow);
    const half = sheet.room / 2;
    entries(sheet, facts, lists.tree, {
      x: 0,
      y: top + 108,
      width: half,
      label: words.encoders.tree(lists.tree.length),
    });
    entries(sheet, facts, lists.heap, {
      x: half,
      y: top + 108,
      width: half,
      label: words.encoders.heap(lists.heap.length),
    });
    if (!sheet.isForRoom) drawGrowth(sheet, facts.growth, top + 184);
  },
};

/**
 * The operations of each encoder. @param {import('../frame_store.js').Now} now @returns {number[]}
 */
const totalsOf = now => now.work.map((/** @type {{operations: number}} */ work) => work.operations);

/**
 * A row of symbols around the merge, which moved those behind it.
 * @param {import('../figures/sheet.js').Sheet} sheet @param {any} facts @param {any[]} symbols
 * @param {{at: number, moved: number}|null} merge @param {number} y @param {string} label
 */
function row(sheet, facts, symbols, merge, y, label) {
  sheet.text({ x: 0, y: y + 6, text: label, anchor: 'start', className: 'faint' });
  const first = Math.max(0, Math.min((merge?.at ?? 0) - 4, symbols.length - MOST_SYMBOLS));
  let x = 0;
  symbols.slice(first, first + MOST_SYMBOLS).forEach(({ id, row: word }, n) => {
    const text = tokenName(facts, id);
    const width = Math.max(20, extent(text) * 14 + 8);
    if (x + width > sheet.room) return;
    const at = first + n;
    const isMoved = merge && at > merge.at && at <= merge.at + merge.moved;
    const kind = merge?.at === at ? 'new' : isMoved ? 'moved' : 'plain';
    const gap = n > 0 && symbols[at - 1].row !== word ? 8 : 2;
    x += n ? gap : 0;
    sheet.box({ x, y: y + 16, width, height: CELL, text, size: 14, className: kind });
    x += width;
  });
}

/**
 * The first entries of a tree or a heap.
 * @param {import('../figures/sheet.js').Sheet} sheet @param {any} facts @param {any[]} pairs
 * @param {{x: number, y: number, width: number, label: string}} place
 */
function entries(sheet, facts, pairs, { x, y, width, label }) {
  sheet.text({ x, y: y + 6, text: label, anchor: 'start', className: 'faint' });
  let left = x;
  for (const { rank, id, stale } of pairs.slice(0, MOST_ENTRIES)) {
    const text = tokenName(facts, id);
    const size = Math.max(44, extent(text) * 13 + 8);
    if (left + size > x + width - 8) break;
    const kind = stale ? 'missed' : 'plain';
    sheet.box({ x: left, y: y + 16, width: size, height: 40, text, size: 13, below: count(rank), className: kind });
    left += size + 4;
  }
}
